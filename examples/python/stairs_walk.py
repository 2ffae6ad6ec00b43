#!/usr/bin/python3
"""A quadruped of capsules walks up stairs: where its feet are is given, what they touch is asked.

    widephase generate stairs --count 1 -o stairs.npz
    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/stairs_walk.py stairs.npz

The stairs are a height field, whose triangles have edges across every tread. A foot that stands on several of them
has one contact, along the normal of the tread. The robot has a trunk and four legs of two links each. Every foot stands
for three quarters of a second and then swings onto the next place that is level. A tracker tells when a foot touches
down. Prints what was touched, and plots it if matplotlib is there.
"""

import argparse
from pathlib import Path

import numpy as np

import widephase

LEGS = ("hind left", "front left", "hind right", "front right")  # in the order of their steps
HIPS = np.array([(-0.25, 0.15), (0.25, 0.15), (-0.25, -0.15), (0.25, -0.15)])  # from the trunk's middle
LENGTH, HEIGHT = 0.34, 0.5  # of a thigh and of a shank; of the hips above the ground
TRUNK, THIGH, FOOT = 0.09, 0.04, 0.03  # radii; a shank ends in its foot
SPEED, CYCLE, STANCE = 0.35, 1.0, 0.75  # metres per second; seconds; the share of a cycle that a foot stands
PRESSED = 0.002  # how deep a standing foot is in the ground
FRAME = 0.02  # seconds


class Stairs:
    """The height field of a scene, without what lies on it. It stays, so its tree is built once."""

    def __init__(self, path):
        fields = widephase.load(path).heightfield_geometries
        self.heights = fields.heights.reshape(-1, fields.columns[0]).astype(float)
        self.cell = float(fields.cell[0, 0])
        ground = widephase.Scene(3, precision="float64")
        ground.heightfield_geometries.add(self.heights, self.cell)
        ground.heightfields.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=0)
        self.kept = widephase.StaticScene(ground)

    def height(self, x, y):
        """Between four samples; exact where they are level."""
        column, row = np.asarray(x) / self.cell, np.asarray(y) / self.cell
        c, r = column.astype(int), row.astype(int)
        u, v = column - c, row - r
        low = (1 - u) * self.heights[r, c] + u * self.heights[r, c + 1]
        return (1 - v) * low + v * ((1 - u) * self.heights[r + 1, c] + u * self.heights[r + 1, c + 1])

    def level_place(self, x, y):
        """The x nearest to this one where the ground is level under a foot."""
        for away in np.arange(0, 0.3, 0.005):
            for place in (x - away, x + away):
                under = self.height(place + np.array([-0.06, 0, 0.06]), np.full(3, y))
                if np.ptp(under) < 1e-6:
                    return place
        raise SystemExit(f"there is no level place near x = {x:.2f}; expected the scene that generate stairs makes")


class Walker:
    """Poses by time. Capsule 0 is the trunk, 1 to 4 are thighs, 5 to 8 shanks."""

    def __init__(self, stairs, begin, y):
        self.stairs, self.begin, self.y = stairs, begin, y
        self.a, self.b = np.zeros((9, 3)), np.zeros((9, 3))
        self.places = {}

    def foothold(self, leg, step):
        """Where foot `leg` stands in its cycle `step`: under the hip in the middle of that time, if it is level."""
        if (leg, step) not in self.places:
            middle = (step + STANCE / 2 - leg / 4) * CYCLE
            y = self.y + HIPS[leg, 1]
            x = self.stairs.level_place(self.begin + SPEED * middle + HIPS[leg, 0], y)
            self.places[leg, step] = np.array([x, y, self.stairs.height(x, y) + FOOT - PRESSED])
        return self.places[leg, step]

    def foot(self, leg, time):
        """The middle of a foot, and whether it stands."""
        step, phase = divmod(time / CYCLE + leg / 4, 1)
        last = self.foothold(leg, int(step))
        if phase < STANCE:
            return last, True
        # Up, over whatever is between, and down.
        to = self.foothold(leg, int(step) + 1)
        along = np.linspace(last[0], to[0], 20)
        top = self.stairs.height(along, np.full(20, last[1])).max() + FOOT + 0.05
        swing = (phase - STANCE) / (1 - STANCE)
        times = (0, 0.25, 0.75, 1)
        return np.array([np.interp(swing, times, (last[0], last[0], to[0], to[0])), last[1],
                         np.interp(swing, times, (last[2], top, top, to[2]))]), False

    def place(self, time):
        """Writes the capsules' ends in place; which feet stand."""
        x = self.begin + SPEED * time
        around = np.linspace(-0.5, 0.5, 41)
        slope, middle = np.polyfit(around, self.stairs.height(x + around, np.full(41, self.y)), 1)
        forward = np.array([1, 0, slope]) / np.hypot(1, slope)
        center = np.array([x, self.y, middle + HEIGHT])
        self.a[0], self.b[0] = center - 0.25 * forward, center + 0.25 * forward
        stands = np.zeros(4, bool)
        for leg, (along, aside) in enumerate(HIPS):
            hip = center + along * forward + (0, aside, 0)
            foot, stands[leg] = self.foot(leg, time)
            # The knee is behind the line from hip to foot, which both links span.
            line = foot - hip
            half = np.linalg.norm(line) / 2
            assert half < LENGTH, "a foot is out of reach"
            back = np.array([line[2], 0, -line[0]]) / np.hypot(line[0], line[2])
            knee = hip + line / 2 + np.sqrt(LENGTH**2 - half**2) * back
            self.a[1 + leg], self.b[1 + leg] = hip, knee
            self.a[5 + leg], self.b[5 + leg] = knee, foot
        return stands


def walk(stairs, seconds):
    """Per frame: which feet stand and which touch. Per point of contact: frame, capsule, place, normal, newness."""
    # Up the middle of the first side.
    walker = Walker(stairs, 0.8, 48 * stairs.cell)
    scene = widephase.Scene(3, precision="float64")
    # Links of one owner never meet.
    radius = np.array([TRUNK] + 4 * [THIGH] + 4 * [FOOT])
    scene.capsules.set(a=walker.a, b=walker.b, radius=radius, owner=0)
    tracker = widephase.Tracker()
    frames = round(seconds / FRAME)
    stands, touches = np.zeros((frames, 4), bool), np.zeros((frames, 4), bool)
    points = []
    for frame in range(frames):
        # Not in the moment in which a foot leaves or lands.
        stands[frame] = walker.place((frame + 0.3) * FRAME)
        contacts = widephase.collide(scene, kept=stairs.kept, tracker=tracker)
        for contact, last in zip(range(len(contacts)), tracker.last_contact):
            capsule = contacts.row[contact, 0]
            if capsule >= 5:
                touches[frame, capsule - 5] = True
            for point in range(contacts.offset[contact], contacts.offset[contact + 1]):
                points.append((frame, capsule, *contacts.point[point], *contacts.normal[contact], last < 0))
    return stands, touches, np.array(points)


def plot(stairs, stands, points, path):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (side, gait) = pyplot.subplots(2, 1, figsize=(9, 6))
    end = points[:, 2].max() + 0.5
    x = np.arange(0, end, stairs.cell)
    side.fill_between(x, stairs.height(x, np.full(len(x), 48 * stairs.cell)), -0.1, color="#c8ccc4")
    for leg, name in enumerate(LEGS):
        own = points[points[:, 1] == 5 + leg]
        side.plot(own[:, 2], own[:, 4], ".", label=name)
        gait.plot(own[:, 0] * FRAME, np.full(len(own), leg), "|", markersize=14)
    side.set(xlabel="x in m", ylabel="height in m", title="points of contact")
    side.set_aspect("equal")
    side.legend()
    gait.set(xlabel="seconds", yticks=range(4), yticklabels=LEGS, title="feet that touch")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("stairs", type=Path, help="what widephase generate stairs made")
    parser.add_argument("--seconds", type=float, default=11.0, help="of the walk (default: 11)")
    parser.add_argument("-o", "--out", type=Path, default=Path("stairs_walk.png"), help="the plot")
    options = parser.parse_args()
    if not 1 <= options.seconds <= 11:
        parser.error("--seconds must be 1 to 11: the stairs then end")

    stairs = Stairs(options.stairs)
    stands, touches, points = walk(stairs, options.seconds)
    of_feet = points[points[:, 1] >= 5]
    # Normals lead from the foot into the ground: down, on a tread.
    is_down = of_feet[:, 7] < -0.9999
    climbed = of_feet[:, 4].max() - of_feet[:, 4].min()
    print(f"{len(stands)} frames, {climbed:.2f} m up: feet touched down {int(of_feet[:, 8].sum())} times, "
          f"{int((stands != touches).sum())} times a foot touched that does not stand, or the reverse")
    print(f"{len(of_feet)} points of feet, {int((~is_down).sum())} of them along another normal than a tread's; "
          f"{len(points) - len(of_feet)} points of other links")
    if plot(stairs, stands, points, options.out):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
