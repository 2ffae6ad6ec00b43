#!/usr/bin/python3
"""A lidar of 64 x 1,024 rays on a robot that drives among 100,000 shapes, some of which walk.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/lidar.py

Everything is one scene: what stands, what walks, and the robot itself. Its shapes and its rays have the same `owner`,
so no ray hits it. A step moves a few hundred rows, tells the StaticScene which, and casts all rays from one origin.
Prints the rays per second and writes the last scan as a depth image.
"""

import argparse
import struct
import time
import zlib

import numpy as np

import widephase

RINGS, AZIMUTHS = 64, 1024
LOWEST, HIGHEST = np.radians(-25), np.radians(15)
REACH = 60.0  # metres
ROBOT = 1  # the owner of its shapes and rays
STEP, SPEED, WALK = 0.1, 5.0, 1.4  # seconds; metres per second


def pattern():
    """Unit directions (65536, 3) in the frame of the sensor: ring by ring from the highest, x forward in the middle."""
    elevation = np.linspace(HIGHEST, LOWEST, RINGS)[:, None]
    azimuth = np.linspace(np.pi, -np.pi, AZIMUTHS, endpoint=False)[None]
    parts = (np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth),
             np.sin(elevation) * np.ones_like(azimuth))
    return np.stack(parts, axis=-1).reshape(-1, 3).astype(np.float32)


class Town:
    """Shapes on a floor; the road along x through the middle is free."""

    def __init__(self, count, seed):
        random = np.random.default_rng(seed)
        self.side = 2.0 * np.sqrt(count) + 20
        walkers = count // 100
        balls, boxes = count // 3, count // 3
        cylinders = count - balls - boxes - walkers

        def places(rows, height):
            at = random.uniform(-self.side / 2, self.side / 2, (rows, 2))
            at[:, 1] += np.where(at[:, 1] < 0, -3, 3)
            return np.column_stack((at, height)).astype(np.float32)

        def upright(rows):
            angle = random.uniform(-np.pi, np.pi, rows) / 2
            zero = np.zeros(rows)
            return np.column_stack((zero, zero, np.sin(angle), np.cos(angle))).astype(np.float32)

        self.scene = widephase.Scene(3, precision="float32")
        radius = random.uniform(0.2, 0.8, balls).astype(np.float32)
        self.scene.spheres.set(center=places(balls, radius), radius=radius)
        # Row 0 is the robot's chassis.
        half = random.uniform(0.2, 1.0, (boxes + 1, 3)).astype(np.float32)
        half[0] = (0.5, 0.3, 0.2)
        owner = np.full(boxes + 1, -1, np.int32)
        owner[0] = ROBOT
        self.boxes = places(boxes + 1, half[:, 2])
        turn = upright(boxes + 1)
        turn[0] = (0, 0, 0, 1)
        self.scene.boxes.set(center=self.boxes, orientation=turn, half_extents=half, owner=owner)
        height = random.uniform(0.5, 2.0, cylinders).astype(np.float32)
        self.scene.cylinders.set(center=places(cylinders, height), orientation=upright(cylinders), half_height=height,
                                 radius=random.uniform(0.1, 0.4, cylinders).astype(np.float32))
        # Capsule 0 is the robot's mast, the others walk.
        owner = np.full(walkers + 1, -1, np.int32)
        owner[0] = ROBOT
        self.feet = places(walkers + 1, np.full(walkers + 1, 0.3))
        self.heads = self.feet + np.float32((0, 0, 1.2))
        self.way = random.uniform(-np.pi, np.pi, walkers + 1)
        radius = np.full(walkers + 1, 0.3, np.float32)
        radius[0] = 0.1
        self.scene.capsules.set(a=self.feet, b=self.heads, radius=radius, owner=owner)
        self.scene.halfspaces.set(normal=[[0, 0, 1]], offset=[0])
        # The ids of what moves.
        self.moved = np.append(self.scene.capsules.first_id + np.arange(walkers + 1), self.scene.boxes.first_id)
        self.drive(0)
        self.kept = widephase.StaticScene(self.scene)

    def drive(self, seconds):
        """Writes the poses of what moves, into the arrays that the scene reads."""
        self.position = np.array((SPEED * seconds - self.side / 4, 0, 0.4), np.float32)
        self.boxes[0] = self.position
        ways = np.column_stack((np.cos(self.way), np.sin(self.way), 0 * self.way)) * (WALK * STEP)
        for ends in (self.feet, self.heads):
            ends += ways.astype(np.float32)
        self.feet[0] = self.position + np.float32((0, 0, 0.3))
        self.heads[0] = self.position + np.float32((0, 0, 0.7))

    def scan(self, directions):
        sensor = self.position + np.float32((0, 0, 0.8))
        return widephase.cast_rays(self.kept, sensor, directions, max_t=REACH, owner=ROBOT)


def write_png(path, grey):
    """An array of bytes as a PNG (ISO/IEC 15948)."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = np.zeros((grey.shape[0], grey.shape[1] + 1), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = grey
    head = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) +
                   chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="example: lidar.py --shapes 1000")
    parser.add_argument("--shapes", type=int, default=100_000, help="besides floor and robot (default: 100000)")
    parser.add_argument("--scans", type=int, default=20, help="ten per second (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", default="lidar.png", help="the depth image (default: lidar.png)")
    options = parser.parse_args()
    if options.shapes < 100 or options.scans < 1:
        parser.error("--shapes must be 100 or more, --scans 1 or more")

    town = Town(options.shapes, options.seed)
    directions = pattern()
    updating = casting = 0.0
    hits = town.scan(directions)  # the first call makes its memory
    found = 0
    for scan in range(1, options.scans + 1):
        town.drive(scan * STEP)
        began = time.perf_counter()
        town.kept.update(town.scene, town.moved)
        updated = time.perf_counter()
        hits = town.scan(directions)
        casting += time.perf_counter() - updated
        updating += updated - began
        found += int(hits.found.sum())

    rays = options.scans * len(directions)
    print(f"{rays / casting / 1e6:.1f} million rays per second, {casting / options.scans * 1e3:.2f} ms per scan, "
          f"{updating / options.scans * 1e3:.2f} ms to move {len(town.moved):,} shapes")
    print(f"{options.scans} scans of {RINGS} x {AZIMUTHS:,} rays among {len(town.scene):,} shapes: "
          f"{found / rays:.1%} hit, the nearest {hits.t.min():.2f} m away in the last")
    # Near is bright; what nothing is hit along is black.
    depth = np.where(hits.found, 255 * (1 - np.sqrt(hits.t / REACH)) + 0.5, 0).astype(np.uint8)
    write_png(options.out, np.repeat(depth.reshape(RINGS, AZIMUTHS), 4, axis=0))
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
