#!/usr/bin/python3
"""Thousands of small arenas at once, as reinforcement learning steps them.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/arena.py

Each world has an agent and a few balls between four walls and two posts. A step pushes the agents (at random
here), moves everything, asks for all contacts in one call, and lets what touches bounce. What an agent
observes comes from the same contact arrays: whether it touches anything, along which direction and how deep its
deepest contact is, and whether a contact is new. Worlds whose agent was hit too often begin anew, and the tracker
forgets them. Prints the steps of a world a second and the share of the time that widephase took.
"""

import argparse
import time

import numpy as np

import widephase

BALLS = 4  # per world, besides its agent
SIDE = 4.0
RADIUS = 0.25
POSTS = ((1.2, 1.2), (2.8, 2.8))  # the centre of each
STEP = 0.02  # seconds
RESTITUTION = 0.8
MOST_HITS = 20  # then the world starts again


class Arenas:
    """`count` worlds; of circle `i`, `i % (1 + BALLS) == 0` is the agent of its world."""

    def __init__(self, count, seed=1):
        self.count = count
        self.each = 1 + BALLS
        self.random = np.random.default_rng(seed)
        self.center = np.empty((count * self.each, 2), np.float32)
        self.velocity = np.empty_like(self.center)
        self.hits = np.zeros(count, np.int64)
        self.agents = np.arange(count) * self.each
        world = np.repeat(np.arange(count, dtype=np.int32), self.each)

        self.scene = widephase.Scene(dimension=2)
        self.scene.circles.set(center=self.center, radius=RADIUS, world=world)
        # Shapes of world -1 collide with every world, so one set of posts and walls is enough.
        self.scene.boxes.set(center=POSTS, angle=[0.0, np.pi / 4], half_extents=[0.2, 0.2], world=-1)
        self.scene.halfspaces.set(normal=[[1, 0], [-1, 0], [0, 1], [0, -1]],
                                  offset=[0, -SIDE, 0, -SIDE], world=-1)
        self.tracker = widephase.Tracker()
        self.workspace = widephase.Workspace()
        self.seconds_in_collide = 0.0
        self.reset(np.ones(count, bool))

    def reset(self, worlds):
        rows = np.repeat(worlds, self.each)
        places = np.array([(0.6, 3.2), (0.6, 0.6), (2, 0.6), (3.4, 0.6), (3.4, 2)], np.float32)
        self.center[rows] = np.tile(places, (int(worlds.sum()), 1))
        self.velocity[rows] = self.random.normal(0, 1, (int(rows.sum()), 2))
        self.hits[worlds] = 0
        self.tracker.forget(worlds)

    def step(self, actions):
        """Moves every world on. `actions` (count, 2): what is added to the agents' velocities.

        Observations (count, 4): the normal of the agent's deepest contact, pointing away from the agent, that
        contact's depth, and 1 where the agent has a contact that it had not in the last step.
        """
        self.velocity[self.agents] += actions
        self.center += STEP * self.velocity
        began = time.perf_counter()
        contacts = widephase.collide(self.scene, tracker=self.tracker, workspace=self.workspace)
        self.seconds_in_collide += time.perf_counter() - began
        is_new = self.tracker.last_contact < 0
        a, b = contacts.pair[:, 0], contacts.pair[:, 1]
        normal, depth = contacts.normal, contacts.depth
        self.bounce(a, b, normal, depth)
        return self.observe(a, b, normal, depth, is_new)

    def bounce(self, a, b, normal, depth):
        # Circles have the first ids, and only circles move.
        moves_a, moves_b = a < len(self.center), b < len(self.center)
        share = 1 / (moves_a.astype(np.float32) + moves_b)
        for of, moves, sign in ((a, moves_a, -1), (b, moves_b, 1)):
            np.add.at(self.center, of[moves],
                      sign * (share * depth)[moves, None] * normal[moves])
        zero = np.zeros((1, 2), np.float32)
        velocity = np.concatenate((self.velocity, zero))
        last = len(self.center)
        towards = np.einsum("ij,ij->i", velocity[np.minimum(b, last)] - velocity[np.minimum(a, last)],
                            normal)
        impulse = np.where(towards < 0, -(1 + RESTITUTION) * towards * share, 0)
        for of, moves, sign in ((a, moves_a, -1), (b, moves_b, 1)):
            np.add.at(self.velocity, of[moves], sign * impulse[moves, None] * normal[moves])

    def observe(self, a, b, normal, depth, is_new):
        observation = np.zeros((self.count, 4), np.float32)
        for of, sign in ((a, 1), (b, -1)):
            mine = np.flatnonzero((of < len(self.center)) & (of % self.each == 0))
            # Written last: the deepest contact of each agent.
            mine = mine[np.argsort(depth[mine], kind="stable")]
            worlds = of[mine] // self.each
            deeper = depth[mine] > observation[worlds, 2]
            observation[worlds[deeper], :2] = sign * normal[mine[deeper]]
            observation[worlds[deeper], 2] = depth[mine[deeper]]
            np.maximum.at(observation[:, 3], worlds, is_new[mine].astype(np.float32))
        self.hits += observation[:, 3].astype(np.int64)
        return observation


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="example: arena.py --worlds 4096 --steps 500")
    parser.add_argument("--worlds", type=int, default=4096, help="how many (default: 4096)")
    parser.add_argument("--steps", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of actions and places (default: 1)")
    options = parser.parse_args()
    if options.worlds < 1 or options.steps < 1:
        parser.error("--worlds and --steps must be 1 or more")

    arenas = Arenas(options.worlds, options.seed)
    random = np.random.default_rng(options.seed)
    hits = resets = 0
    began = time.perf_counter()
    for _ in range(options.steps):
        actions = random.normal(0, 0.3, (options.worlds, 2)).astype(np.float32)
        observation = arenas.step(actions)
        hits += int(observation[:, 3].sum())
        worn = arenas.hits > MOST_HITS
        resets += int(worn.sum())
        arenas.reset(worn)
    seconds = time.perf_counter() - began

    inside = np.abs(arenas.center - SIDE / 2).max() <= SIDE / 2
    print(f"{options.worlds} worlds, {options.steps} steps: "
          f"{options.worlds * options.steps / seconds:,.0f} steps of a world a second, "
          f"{arenas.seconds_in_collide / seconds:.0%} of the time in widephase")
    print(f"{hits} times an agent was touched, {resets} worlds began anew, "
          f"all balls are {'inside' if inside else 'NOT inside'} their walls")


if __name__ == "__main__":
    main()
