#!/usr/bin/python3
"""Who sees whom in a crowd: fields of view in the plane, each a fan of rays.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/crowd_sight.py

People are circles, walls are boxes along the axes. Everyone looks ahead with 90 rays over 180 degrees. A ray ends at
the first person or wall; its `owner` is the person who looks, whose own circle has the same, so nobody sees himself.
Prints the rays per second and who is seen, and draws one field of view if matplotlib is there.
"""

import argparse
import time

import numpy as np

import widephase

RAYS, FIELD = 90, np.pi
RADIUS, REACH = 0.25, 20.0  # of a person, and how far one sees, in metres
ROOM, DOOR = 8.0, 2.0  # the side of a room, and the width of the door in each wall


class Crowd:
    """People in a square of rooms with doors between them."""

    def __init__(self, count, seed):
        random = np.random.default_rng(seed)
        rooms = max(1, int(np.sqrt(count / 16)))
        self.side = rooms * ROOM
        self.center = random.uniform(RADIUS, self.side - RADIUS, (count, 2))
        self.heading = random.uniform(-np.pi, np.pi, count)
        # Walls between two doors: half a door's width from the middle of each room's side.
        line, part = np.meshgrid(np.arange(rooms + 1) * ROOM, np.arange(rooms), indexing="ij")
        begin = np.concatenate((part * ROOM, part * ROOM + (ROOM + DOOR) / 2), axis=None)
        line = np.concatenate((line, line), axis=None)
        end = begin + (ROOM - DOOR) / 2
        self.low = np.concatenate((np.column_stack((line - 0.05, begin)), np.column_stack((begin, line - 0.05))))
        self.high = np.concatenate((np.column_stack((line + 0.05, end)), np.column_stack((end, line + 0.05))))
        scene = widephase.Scene(2, precision="float32")
        scene.circles.set(center=self.center, radius=RADIUS, owner=np.arange(count, dtype=np.int32))
        scene.aabbs.set(min=self.low, max=self.high)
        self.scene = scene

    def rays(self):
        """Origins, directions and owners: RAYS in a row are one person's, from right to left."""
        angle = self.heading[:, None] + np.linspace(-FIELD / 2, FIELD / 2, RAYS)
        direction = np.stack((np.cos(angle), np.sin(angle)), axis=-1).reshape(-1, 2).astype(np.float32)
        people = np.arange(len(self.center), dtype=np.int32)
        return np.repeat(self.center.astype(np.float32), RAYS, axis=0), direction, np.repeat(people, RAYS)


def who_sees_whom(crowd, hits):
    """Pairs (who, whom), each once."""
    looking = np.repeat(np.arange(len(crowd.center)), RAYS)
    is_person = hits.found & (hits.shape < len(crowd.center))  # circles are the first kind
    return np.unique(np.column_stack((looking[is_person], hits.shape[is_person])), axis=0)


def draw(crowd, hits, seen, person, path):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import patches, pyplot

    figure, plane = pyplot.subplots(figsize=(7, 7), layout="constrained")
    for low, high in zip(crowd.low, crowd.high):
        plane.add_patch(patches.Rectangle(low, *(high - low), color="#57606a"))
    own = slice(person * RAYS, (person + 1) * RAYS)
    plane.add_patch(patches.Polygon(np.vstack((crowd.center[person], hits.point[own])), color="#f2d977", alpha=0.6))
    is_seen = np.isin(np.arange(len(crowd.center)), seen[seen[:, 0] == person, 1])
    for at, is_one in zip(crowd.center, is_seen):
        plane.add_patch(patches.Circle(at, RADIUS, color="#d9534f" if is_one else "#b6bcc8"))
    plane.add_patch(patches.Circle(crowd.center[person], RADIUS, color="#2f6fde"))
    x, y = crowd.center[person]
    plane.set(xlim=(x - 14, x + 14), ylim=(y - 14, y + 14), aspect="equal",
              title=f"person {person} sees {is_seen.sum()} others")
    figure.savefig(path, dpi=110)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=10_000, help="default: 10000")
    parser.add_argument("--looks", type=int, default=5, help="how often all look, to time it (default: 5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", default="crowd_sight.png", help="the plot (default: crowd_sight.png)")
    options = parser.parse_args()
    if options.people < 1 or options.looks < 1:
        parser.error("--people and --looks must be 1 or more")

    crowd = Crowd(options.people, options.seed)
    origin, direction, owner = crowd.rays()
    took = []
    for _ in range(options.looks + 1):  # the first call makes its memory
        began = time.perf_counter()
        kept = widephase.StaticScene(crowd.scene)
        hits = widephase.cast_rays(kept, origin, direction, max_t=REACH, owner=owner)
        took.append(time.perf_counter() - began)
    seconds = np.mean(took[1:])
    seen = who_sees_whom(crowd, hits)
    sees, is_seen = (np.bincount(column, minlength=options.people) for column in seen.T)
    mutual = len(set(map(tuple, seen.tolist())) & set(map(tuple, seen[:, ::-1].tolist()))) // 2
    print(f"{len(origin) / seconds / 1e6:.1f} million rays per second, the tree of all shapes included")
    print(f"{options.people} people with {RAYS} rays each among {len(crowd.low)} walls: {sees.mean():.2f} others seen by "
          f"each, {sees.max()} at most; {mutual} pairs see one another, {(is_seen == 0).sum()} people are seen by nobody")
    if draw(crowd, hits, seen, int(np.argmax(sees)), options.out):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
