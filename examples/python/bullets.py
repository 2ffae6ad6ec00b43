#!/usr/bin/python3
"""Bullets that do not tunnel: thin plates spin in the way of fast bullets.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/bullets.py [--bullets 2000] [--steps 20]

A bullet of a centimetre flies 13 m in a step of a sixtieth of a second; the plates are 2 mm thick. Where contacts are
asked at the ends of steps, nearly all bullets pass through. `first_impacts` tells for each bullet the time within the
step at which it meets its first plate, where both are then, and the normal there. Each bullet stops where it hits.
Prints how many bullets each way would have stopped, and checks every hit by a distance at its time.
"""

import argparse

import numpy as np

import widephase

STEP = 1 / 60
TOLERANCE = 1e-4


def turned(axis, angle):
    """Quaternions x y z w of turns about unit axes."""
    half = np.asarray(angle)[:, None] / 2
    return np.hstack((np.sin(half) * axis, np.cos(half)))


class Range:
    """Bullets on the left, plates that spin before them."""

    def __init__(self, bullets, plates=200, seed=1):
        random = np.random.default_rng(seed)
        self.bullets, self.plates = bullets, plates
        self.axis = random.normal(size=(plates, 3))
        self.axis /= np.linalg.norm(self.axis, axis=1)[:, None]
        self.spin = random.uniform(-60, 60, plates)  # radians per second: up to a radian per step
        self.velocity = np.zeros((bullets + plates, 3))
        self.velocity[:bullets] = random.normal((800, 0, 0), (20, 10, 10), (bullets, 3))
        self.position = np.zeros((bullets + plates, 3))
        self.position[:bullets] = random.uniform((-20, -10, -10), (0, 10, 10), (bullets, 3))
        self.position[bullets:] = random.uniform((10, -10, -10), (150, 10, 10), (plates, 3))
        self.orientation = np.tile([0.0, 0, 0, 1], (bullets + plates, 1))
        self.scene = widephase.Scene(3, "float64")
        self.scene.spheres.set(center=np.zeros((bullets, 3)), radius=0.005, body=np.arange(bullets), owner=0)
        self.scene.boxes.set(center=np.zeros((plates, 3)), orientation=[[0, 0, 0, 1]],
                             half_extents=[[0.001, 1, 1]], body=bullets + np.arange(plates), owner=1)
        self.scene.bodies.set(position=self.position, orientation=self.orientation)

    def end_of_step(self, time):
        turn = self.orientation.copy()
        turn[self.bullets:] = turned(self.axis, self.spin * (time + STEP))
        return self.position + STEP * self.velocity, turn

    def set_bodies(self, position, orientation):
        self.position[:], self.orientation[:] = position, orientation


def between(start, end, t):
    """Orientations as they are at t: linear on the shorter way, and normalized."""
    sign = np.where((start * end).sum(axis=1) < 0, -1, 1)[:, None]
    line = (1 - t)[:, None] * start + t[:, None] * sign * end
    return line / np.linalg.norm(line, axis=1)[:, None]


def worst_gap(field, hits, position, orientation, step_end):
    """The largest distance between a bullet and its plate at their time, asked of a scene with only those pairs."""
    rows = np.flatnonzero(hits.found[:field.bullets])
    if len(rows) == 0:
        return 0.0
    plate = hits.pair[rows, 0]  # a body has one shape, and ids are those of bodies
    t = hits.t[rows]
    scene = widephase.Scene(3, "float64")
    scene.spheres.set(center=position[rows] + t[:, None] * (step_end[0][rows] - position[rows]), radius=0.005)
    scene.boxes.set(center=position[plate], half_extents=[[0.001, 1, 1]],
                    orientation=between(orientation[plate], step_end[1][plate], t))
    ids = np.arange(len(rows), dtype=np.int32)
    return np.abs(widephase.distance(scene, np.column_stack((ids, ids + len(rows)))).distance).max()


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--bullets", type=int, default=2000)
    words.add_argument("--steps", type=int, default=20)
    given = words.parse_args()
    field = Range(given.bullets)
    flying = np.ones(given.bullets, bool)
    ends = np.zeros(given.bullets, bool)
    gap = 0.0
    for step in range(given.steps):
        position, orientation = field.position.copy(), field.orientation.copy()
        step_end = field.end_of_step(step * STEP)
        hits = widephase.first_impacts(field.scene, position_end=step_end[0], orientation_end=step_end[1],
                                       tolerance=TOLERANCE, start_overlap="leave_apart")
        stops = hits.found[:given.bullets] & flying
        gap = max(gap, worst_gap(field, hits, position, orientation, step_end))
        field.set_bodies(*step_end)
        contacts = widephase.collide(field.scene)
        ends[contacts.pair[contacts.pair < given.bullets]] = True
        # A bullet that hits stays where it does, out of the way of the others.
        rows = np.flatnonzero(stops)
        field.position[rows] = position[rows] + hits.t[rows, None] * (step_end[0][rows] - position[rows])
        field.position[rows, 0] -= 1000
        field.velocity[rows] = 0
        flying &= ~stops
    print(f"{given.bullets} bullets, {field.plates} plates, {given.steps} steps")
    print(f"{(~flying).sum()} bullets hit a plate; {ends.sum()} touch one at the end of a step")
    print(f"at their times, bullets and plates are up to {gap:.1e} apart (tolerance {TOLERANCE:.0e})")


if __name__ == "__main__":
    main()
