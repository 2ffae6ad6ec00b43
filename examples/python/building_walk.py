#!/usr/bin/python3
"""A crowd walks in a building: its walls are a chain, cut into many segments, and no joint is felt.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/building_walk.py [OUTLINE]

OUTLINE is a file of rings [[[x, y], ...], ...], the outer one first. Without a file the building is made up. Its
longer side becomes 30 m. People are circles who walk straight on and slide along walls; every contact with a wall
is compared with the nearest points of the uncut walls. Prints what was felt, and draws the ways if matplotlib is
there.
"""

import argparse
import json

import numpy as np

import widephase

STEP, RADIUS, SPEED = 0.05, 0.25, 1.4  # in seconds, metres, and metres per second
CUT = 0.1  # the length of a wall's segments, in metres
SIDE = 30.0


def own_building():
    """A hall with a corridor, a niche and a slanted corner."""
    return [[0, 0], [30, 0], [30, 6], [22, 6], [22, 14], [26, 18], [14, 18], [14, 7], [10, 7], [10, 6], [9, 6], [9, 7],
            [0, 7]]


def walls_of(ring):
    """Corners of a ring, clockwise, so that the walls' front is inside; the longer side is SIDE."""
    corners = np.asarray(ring, float)
    if (corners[0] == corners[-1]).all():
        corners = corners[:-1]
    corners = (corners - corners.min(axis=0)) * SIDE / np.ptp(corners, axis=0).max()
    x, y = corners.T
    area = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum()
    return corners[::-1] if area > 0 else corners


def cut(corners):
    """The same walls in segments of about CUT."""
    points = []
    for begin, end in zip(corners, np.roll(corners, -1, axis=0)):
        count = max(1, round(np.linalg.norm(end - begin) / CUT))
        points.append(begin + (end - begin) * (np.arange(count) / count)[:, None])
    return np.concatenate(points)


def nearest_on_walls(corners, points):
    """The nearest point of each wall: (points, walls, 2)."""
    begin, along = corners, np.roll(corners, -1, axis=0) - corners
    share = ((points[:, None] - begin) * along).sum(axis=-1) / (along * along).sum(axis=-1)
    return begin + np.clip(share, 0, 1)[..., None] * along


def is_inside(corners, points):
    """Whether points are in the building: their rays to the right cross its walls an odd number of times."""
    begin, end = corners, np.roll(corners, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    crosses = (begin[:, 1] > y) != (end[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = begin[:, 0] + (y - begin[:, 1]) * (end[:, 0] - begin[:, 0]) / (end[:, 1] - begin[:, 1])
    return (crosses & (at > x)).sum(axis=1) % 2 == 1


class Building:
    def __init__(self, ring, people, seed):
        random = np.random.default_rng(seed)
        self.corners = walls_of(ring)
        self.center = np.empty((0, 2))
        while len(self.center) < people:
            drawn = random.uniform(0, SIDE, (people, 2))
            apart = np.linalg.norm(drawn[:, None] - nearest_on_walls(self.corners, drawn), axis=-1).min(axis=1)
            fits = is_inside(self.corners, drawn) & (apart > RADIUS)
            self.center = np.concatenate((self.center, drawn[fits]))[:people]
        angle = random.uniform(-np.pi, np.pi, people)
        self.heading = np.column_stack((np.cos(angle), np.sin(angle)))
        self.random, self.workspace = random, widephase.Workspace()
        self.scene = widephase.Scene(2, precision="float64")
        self.scene.circles.set(center=self.center, radius=RADIUS)
        self.segments = cut(self.corners)
        self.scene.chain_geometries.add(self.segments, loop=True)
        self.scene.chains.set(center=[[0.0, 0.0]], angle=[0.0], geometry=[0], fixed=1)
        self.felt = self.ghosts = 0

    def step(self):
        """Everyone walks on, is pushed out of others by half, and then out of walls."""
        self.center += SPEED * STEP * self.heading
        a, b, normal, depth = self.contacts()
        met = b < len(self.center)
        push = np.zeros_like(self.center)
        half = 0.5 * depth[met, None] * normal[met]
        np.subtract.at(push, a[met], half)
        np.add.at(push, b[met], half)
        # Less than a radius, so that nobody comes behind a wall, which has one side.
        length = np.linalg.norm(push, axis=1)
        self.center += push * np.minimum(1, 0.4 * RADIUS / np.maximum(length, 1e-300))[:, None]
        a, b, normal, depth = self.contacts()
        is_wall = b >= len(self.center)
        a, normal, depth = a[is_wall], normal[is_wall], depth[is_wall]
        self.count_ghosts(self.center[a], normal, depth)
        np.subtract.at(self.center, a, depth[:, None] * normal)
        # Who walks against a wall turns to go along it, and now and then away from it.
        for person, way in zip(a, normal):
            against = self.heading[person] @ way
            if against <= 0:
                continue
            self.heading[person] -= (1.3 if self.random.random() < 0.05 else 1.0) * against * way
            length = np.linalg.norm(self.heading[person])
            self.heading[person] = self.heading[person] / length if length > 0.1 else -way

    def contacts(self):
        contacts = widephase.collide(self.scene, workspace=self.workspace)
        a, b = np.asarray(contacts.pair).T
        return a, b, np.array(contacts.normal), np.array(contacts.depth)

    def count_ghosts(self, center, normal, depth):
        """A contact is a ghost unless it leads to the nearest point of some uncut wall."""
        way = nearest_on_walls(self.corners, center) - center[:, None]
        distance = np.linalg.norm(way, axis=-1)
        fits = np.abs(distance - (RADIUS - depth)[:, None]) < 1e-9
        fits &= ((way / np.maximum(distance, 1e-300)[..., None]) * normal[:, None]).sum(axis=-1) > 1 - 1e-9
        self.felt += len(center)
        self.ghosts += int((~fits.any(axis=1)).sum())


def draw(building, ways, path):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import collections, patches, pyplot

    width, height = np.ptp(building.corners, axis=0)
    figure, plane = pyplot.subplots(figsize=(9, 1.5 + 8 * height / width), layout="constrained")
    plane.add_collection(collections.LineCollection(list(ways.transpose(1, 0, 2)), colors="#8fa9d6", linewidths=0.6))
    plane.add_patch(patches.Polygon(building.corners, fill=False, edgecolor="#3a4252", linewidth=2))
    for at in building.center:
        plane.add_patch(patches.Circle(at, RADIUS, color="#d9534f"))
    plane.set(xlim=(-1, width + 1), ylim=(-1, height + 1), aspect="equal",
              title=f"{len(building.segments)} segments: {building.felt} contacts with walls, {building.ghosts} ghosts")
    figure.savefig(path, dpi=110)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("outline", nargs="?", help="rings of [x, y] in JSON (default: a building that is made up)")
    parser.add_argument("--people", type=int, default=60, help="default: 60")
    parser.add_argument("--seconds", type=float, default=60, help="default: 60")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", default="building_walk.png", help="the plot (default: building_walk.png)")
    options = parser.parse_args()
    if options.people < 1 or options.seconds < STEP:
        parser.error(f"--people must be 1 or more and --seconds {STEP} or more")
    if options.outline is None:
        ring = own_building()
    else:
        with open(options.outline) as file:
            ring = json.load(file)[0]

    building = Building(ring, options.people, options.seed)
    ways = [building.center.copy()]
    for _ in range(round(options.seconds / STEP)):
        building.step()
        ways.append(building.center.copy())
    left = int((~is_inside(building.corners, building.center)).sum())
    print(f"{options.people} people for {options.seconds:g} s between {len(building.corners)} walls in "
          f"{len(building.segments)} segments")
    print(f"{building.felt} contacts with walls, {building.ghosts} ghosts; {left} people left the building")
    if draw(building, np.array(ways), options.out):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
