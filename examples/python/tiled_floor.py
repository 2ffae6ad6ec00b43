#!/usr/bin/python3
"""Crates and balls slide over a floor of tiles of one owner: with `flush_tolerance` no joint is felt.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/tiled_floor.py

Prints how far the floor's normals lean at most, in degrees, without the tolerance and with it.
"""

import numpy as np

import widephase

SIDE, CRATES, STEPS = 40, 200, 50


def floor_of(side):
    """A static floor of side x side tiles of 1 m, its top at z = 0, as one solid or tile by tile."""
    x, y = np.meshgrid(np.arange(side) + 0.5, np.arange(side) + 0.5)
    tiles = widephase.Scene(dimension=3)
    center = np.stack([x.ravel(), y.ravel(), np.full(side * side, -0.25)], axis=1)
    tiles.boxes.set(center=center, orientation=np.tile([0.0, 0, 0, 1], (side * side, 1)),
                  half_extents=np.tile([0.5, 0.5, 0.25], (side * side, 1)), owner=np.zeros(side * side, np.int32))
    return [widephase.StaticScene(tiles, flush_tolerance=tolerance) for tolerance in (0, 1e-4)]


def main():
    random = np.random.default_rng(7)
    apart, flush = floor_of(SIDE)
    at = random.uniform(2, SIDE - 2, (2 * CRATES, 2))
    speed = random.uniform(-1, 1, (2 * CRATES, 2)) / STEPS
    turn = random.uniform(0, np.pi, CRATES)
    zero = np.zeros(CRATES)
    most = {"tile by tile": 0.0, "flush": 0.0}
    for step in range(STEPS):
        center = np.column_stack([at + step * speed, np.full(2 * CRATES, 0.199)])
        moving = widephase.Scene(dimension=3)
        moving.boxes.set(center=center[:CRATES], half_extents=np.full((CRATES, 3), 0.2),
                       orientation=np.column_stack([zero, zero, np.sin(turn / 2), np.cos(turn / 2)]))
        moving.spheres.set(center=center[CRATES:], radius=np.full(CRATES, 0.2))
        for name, floor in (("tile by tile", apart), ("flush", flush)):
            contacts = widephase.collide(moving, kept=floor, moving_pairs=False)
            lean = np.degrees(np.arccos(np.clip(np.abs(contacts.normal[:, 2]), 0, 1)))
            most[name] = max(most[name], float(lean.max()))
    for name, lean in most.items():
        print(f"{name}: the normals lean up to {lean:.2f} degrees")


if __name__ == "__main__":
    main()
