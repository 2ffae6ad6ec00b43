#!/usr/bin/python3
"""Height scans of 4,096 robots: 187 rays straight down around each, as locomotion policies observe the ground.

    widephase generate terrain --count 20000 -o terrain.npz
    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/height_scan.py terrain.npz

The ground is a height field with shapes on it, which nothing moves: it is kept once, and all robots ask it. Each robot
is a world of its own to the policy, but the ground is one, so the rays need no world. A step moves and turns all
robots and casts 765,952 rays in one call. Prints the rays per second, and draws what a few robots observe if matplotlib
is there.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import widephase

# 17 x 11 places, 0.1 m apart, x forward.
GRID = np.stack(np.meshgrid(np.arange(-0.8, 0.81, 0.1), np.arange(-0.5, 0.51, 0.1), indexing="ij"),
                axis=-1).reshape(-1, 2).astype(np.float32)
DOWN = np.float32((0, 0, -1))
STEP, SPEED, TURN = 0.02, 1.0, 0.6  # seconds; metres and radians per second


class Robots:
    """Places and headings of robots that walk about on the ground."""

    def __init__(self, count, side, seed):
        random = np.random.default_rng(seed)
        self.side = side
        self.place = random.uniform(1, side - 1, (count, 2)).astype(np.float32)
        self.heading = random.uniform(-np.pi, np.pi, count).astype(np.float32)
        self.turn = random.uniform(-TURN, TURN, count).astype(np.float32)

    def step(self):
        self.heading += self.turn * np.float32(STEP)
        ways = np.column_stack((np.cos(self.heading), np.sin(self.heading)))
        self.place += ways * np.float32(SPEED * STEP)
        # Who reaches the border goes on at the opposite one.
        self.place[:] = 1 + np.mod(self.place - 1, np.float32(self.side - 2))

    def origins(self, above):
        """(robots * 187, 3): the grid about each robot, turned with it, at one height."""
        cosine, sine = np.cos(self.heading)[:, None], np.sin(self.heading)[:, None]
        x, y = GRID.T
        rows = np.empty((len(self.place), len(GRID), 3), np.float32)
        rows[..., 0] = self.place[:, :1] + cosine * x - sine * y
        rows[..., 1] = self.place[:, 1:] + sine * x + cosine * y
        rows[..., 2] = above
        return rows.reshape(-1, 3)


class Terrain:
    """What `widephase generate terrain` made, kept."""

    def __init__(self, path):
        self.scene = widephase.load(path)
        fields = self.scene.heightfield_geometries
        self.columns, self.cell = int(fields.columns[0]), float(fields.cell[0, 0])
        self.side = (self.columns - 1) * self.cell
        self.above = float(fields.heights.max()) + 5  # above all shapes too
        self.kept = widephase.StaticScene(self.scene)

    def scan(self, robots):
        """Heights of the ground or of what lies on it, (robots, 187), and whether it is the ground."""
        hits = widephase.cast_rays(self.kept, robots.origins(self.above), DOWN)
        field = self.scene.heightfields.first_id
        return hits.point[:, 2].reshape(-1, len(GRID)), (hits.shape == field).reshape(-1, len(GRID))


def plot(robots, heights, path):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    count = min(6, len(heights))
    figure, panels = pyplot.subplots(1, count, figsize=(1.9 * count, 2.9), layout="constrained", squeeze=False)
    for robot, panel in enumerate(panels[0]):
        grid = heights[robot].reshape(17, 11)
        image = panel.imshow(grid - grid[8, 5], origin="lower", cmap="terrain", extent=(-0.55, 0.55, -0.85, 0.85))
        panel.set(title=f"robot {robot}", xlabel="m", xticks=(-0.5, 0.5))
        figure.colorbar(image, ax=panel, orientation="horizontal", shrink=0.9)
    figure.savefig(path, dpi=120)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("terrain", type=Path, help="what widephase generate terrain made")
    parser.add_argument("--robots", type=int, default=4096, help="default: 4096")
    parser.add_argument("--steps", type=int, default=20, help="default: 20")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", type=Path, default=Path("height_scan.png"), help="the plot")
    options = parser.parse_args()
    if options.robots < 1 or options.steps < 1:
        parser.error("--robots and --steps must be 1 or more")

    terrain = Terrain(options.terrain)
    robots = Robots(options.robots, terrain.side, options.seed)
    terrain.scan(robots)  # the first call makes its memory
    casting = 0.0
    for _ in range(options.steps):
        robots.step()
        began = time.perf_counter()
        heights, is_ground = terrain.scan(robots)
        casting += time.perf_counter() - began

    rays = options.steps * heights.size
    print(f"{rays / casting / 1e6:.1f} million rays per second, {casting / options.steps * 1e3:.2f} ms per step")
    print(f"{options.steps} steps of {options.robots:,} robots x {len(GRID)} rays over {len(terrain.scene):,} shapes: "
          f"heights from {heights.min():.2f} to {heights.max():.2f} m, {is_ground.mean():.1%} of them the ground's")
    if plot(robots, heights, options.out):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
