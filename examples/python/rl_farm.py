#!/usr/bin/python3
"""Thousands of quadrupeds on rough ground at once, as reinforcement learning steps them.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/rl_farm.py

A robot is a trunk and four legs of two links each, all capsules; every world has one. The ground is boxes, which all
worlds share. A step of the simulation:

 1. the policy (at random here) turns the hips and knees;
 2. the poses of all links are written into two float64 arrays, as MuJoCo has them (`xpos`, `xquat` with w first);
 3. one call finds all contacts, with the ground and of a robot with itself;
 4. penalty forces push the links apart; their sums move the trunks;
 5. what a robot observes is made of the same arrays: contacts and impulses by link.

Worlds whose trunk meets the ground begin anew. Prints the steps of a world per second, and what happened.
"""

import argparse
import time

import numpy as np

import widephase

# Links by number: the trunk, then thigh and shank of each leg.
LEGS = 4
LINKS = 1 + 2 * LEGS
THIGHS, SHANKS = np.arange(1, LINKS, 2), np.arange(2, LINKS, 2)
HIPS = np.array([(0.2, 0.12, 0), (0.2, -0.12, 0), (-0.2, 0.12, 0), (-0.2, -0.12, 0)])  # in the trunk's frame
LENGTH = 0.2  # of a thigh and of a shank
STANCE = np.array([0.6, -1.2])  # hip and knee: the feet below the hips

MASS, INERTIA = 10.0, 0.4  # of the trunk; the legs weigh nothing
STIFFNESS, DAMPING, FRICTION = 4000.0, 120.0, 0.8  # N/m, N s/m, 1
GRAVITY = np.array([0.0, 0.0, -9.81])
STEP = 0.004  # seconds


def turned(quaternion, vector):
    """Vectors turned by unit quaternions, w first."""
    w, xyz = quaternion[..., :1], quaternion[..., 1:]
    twice = 2 * np.cross(xyz, vector)
    return vector + w * twice + np.cross(xyz, twice)


def product(p, q):
    """Quaternions, w first: q, then p."""
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    xyz = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate((w, xyz), axis=-1)


def about_y(angle):
    """Quaternions, w first, of turns about y."""
    zero = np.zeros_like(angle)
    return np.stack((np.cos(angle / 2), zero, np.sin(angle / 2), zero), axis=-1)


def robot():
    """One quadruped: shapes in the frames of the bodies that carry them."""
    template = widephase.Scene(3, precision="mixed")  # float64 positions, float32 sizes: fast, and far apart exact
    begin, end = np.zeros((LINKS, 3)), np.zeros((LINKS, 3))
    begin[0], end[0] = (-0.2, 0, 0), (0.2, 0, 0)
    end[1:] = (0, 0, -LENGTH)
    radius = np.full(LINKS, 0.04)
    radius[0] = 0.1
    template.capsules.set(a=begin, b=end, radius=radius, body=np.arange(LINKS))
    template.bodies.set(position=np.zeros((LINKS, 3)), orientation=[0, 0, 0, 1])
    # Links that a joint connects overlap there and never meet. All other links of a robot may.
    template.excluded_bodies = [pair for thigh, shank in zip(THIGHS, SHANKS)
                                for pair in ((0, thigh), (thigh, shank))]
    return template


def ground(random, tiles=12, side=1.0):
    """Boxes of different heights, some of them tilted. World -1: every world meets them."""
    x, y = np.meshgrid(np.arange(tiles) - tiles / 2, np.arange(tiles) - tiles / 2)
    top = random.uniform(-0.05, 0.05, tiles * tiles)
    tilt = np.where(random.random(tiles * tiles) < 0.3, random.normal(0, 0.1, tiles * tiles), 0)
    level = widephase.Scene(3, precision="mixed")
    level.boxes.set(center=np.column_stack((side * x.ravel(), side * y.ravel(), top - 0.5)),
                    half_extents=[0.55 * side, 0.55 * side, 0.5], world=-1,
                    orientation=widephase.wxyz(about_y(tilt)))
    return widephase.StaticScene(level)


class Farm:
    """`count` worlds with a robot each. Body `LINKS * w + l` is link l of world w."""

    def __init__(self, count, seed=1):
        self.count = count
        self.random = np.random.default_rng(seed)
        self.ground = ground(self.random)
        # Arrays of the simulator, one row per body. The scene reads them in every call.
        self.xpos = np.zeros((count * LINKS, 3))
        self.xquat = np.zeros((count * LINKS, 4))
        self.scene = widephase.replicate(robot(), count)
        self.scene.bodies.set(position=self.xpos, orientation=widephase.wxyz(self.xquat))
        self.tracker = widephase.Tracker()
        self.workspace = widephase.Workspace()
        # The trunks, and the joints (hip, knee) of the legs.
        self.position, self.turn = np.zeros((count, 3)), np.zeros((count, 4))
        self.velocity, self.spin = np.zeros((count, 3)), np.zeros((count, 3))
        self.joints = np.zeros((count, LEGS, 2))
        self.local = np.zeros((count, LINKS, 3))  # where links are in the frame of their trunk
        self.seconds_in_collide = 0.0
        self.reset(np.ones(count, bool))

    def reset(self, worlds):
        some = int(worlds.sum())
        self.position[worlds] = np.column_stack((self.random.uniform(-4, 4, (some, 2)), np.full(some, 0.5)))
        self.turn[worlds] = (1, 0, 0, 0)
        self.velocity[worlds] = self.spin[worlds] = 0
        self.joints[worlds] = STANCE
        self.tracker.forget(worlds)  # contacts of a world that begins anew are new
        self.place()

    def place(self):
        """Writes the poses of all links in place."""
        last = self.local.copy()
        hip, knee = self.joints[..., 0], self.joints[..., 1]
        thigh = about_y(hip)
        self.local[:, THIGHS] = HIPS
        self.local[:, SHANKS] = HIPS + turned(thigh, np.array([0, 0, -LENGTH]))
        turns = np.zeros((self.count, LINKS, 4))
        turns[:, 0, 0] = 1
        turns[:, THIGHS], turns[:, SHANKS] = thigh, about_y(hip + knee)
        trunk = self.turn[:, None]
        # In place: `self.xpos = ...` would make another array, of which the scene knows nothing.
        self.xpos.reshape(self.count, LINKS, 3)[:] = self.position[:, None] + turned(trunk, self.local)
        self.xquat.reshape(self.count, LINKS, 4)[:] = product(np.broadcast_to(trunk, turns.shape), turns)
        return turned(trunk, self.local - last) / STEP

    def step(self, actions):
        """`actions` (count, LEGS, 2): how hips and knees turn, in radians per second. Observations of each world."""
        self.joints += STEP * np.clip(actions, -5, 5)
        np.clip(self.joints, STANCE - 0.5, STANCE + 0.5, out=self.joints)
        joint_velocity = self.place().reshape(-1, 3)
        began = time.perf_counter()
        contacts = widephase.collide(self.scene, kept=self.ground, tracker=self.tracker, workspace=self.workspace)
        # The bodies of A and B; -1 is the ground.
        body = widephase.contact_bodies(self.scene, contacts, self.ground)
        self.seconds_in_collide += time.perf_counter() - began
        is_new = self.tracker.last_contact < 0
        impulse, spin_impulse = self.push(contacts, body, joint_velocity)
        self.move(impulse, spin_impulse)
        return self.observe(body, is_new, impulse)

    def point_velocity(self, body, point, joint_velocity):
        """Of points on bodies; the ground stands still."""
        world = body // LINKS
        moving = self.velocity[world] + np.cross(self.spin[world], point - self.position[world]) + joint_velocity[body]
        return np.where((body >= 0)[:, None], moving, 0)

    def push(self, contacts, body, joint_velocity):
        """Impulses (bodies, 3), and about the centres of the trunks, of penalty forces at every point of contact."""
        # Points of contact i lie from offset[i] to offset[i + 1]: `of` has the contact of each.
        of = np.repeat(np.arange(len(contacts)), np.diff(contacts.offset))
        normal, point = contacts.normal[of].astype(float), contacts.point
        a, b = body[of, 0], body[of, 1]
        # How fast B leaves A, along the normal from A to B and across it.
        leaving = self.point_velocity(b, point, joint_velocity) - self.point_velocity(a, point, joint_velocity)
        along = np.einsum("ij,ij->i", leaving, normal)
        across = leaving - along[:, None] * normal
        pressure = np.maximum(0, STIFFNESS * contacts.point_depth - DAMPING * along)
        speed = np.linalg.norm(across, axis=1)
        grip = np.minimum(DAMPING, FRICTION * pressure / np.maximum(speed, 1e-9))
        on_b = STEP * (pressure[:, None] * normal - grip[:, None] * across)
        impulse, spin_impulse = np.zeros((self.count * LINKS, 3)), np.zeros((self.count * LINKS, 3))
        for side, sign in ((a, -1), (b, 1)):
            moves = side >= 0
            here = sign * on_b[moves]
            arm = point[moves] - self.position[side[moves] // LINKS]
            np.add.at(impulse, side[moves], here)
            np.add.at(spin_impulse, side[moves], np.cross(arm, here))
        return impulse, spin_impulse

    def move(self, impulse, spin_impulse):
        """The trunks feel what their links feel."""
        self.velocity += STEP * GRAVITY + impulse.reshape(self.count, LINKS, 3).sum(axis=1) / MASS
        self.spin += spin_impulse.reshape(self.count, LINKS, 3).sum(axis=1) / INERTIA
        self.position += STEP * self.velocity
        change = np.concatenate((np.zeros((self.count, 1)), self.spin), axis=1)
        self.turn += STEP / 2 * product(change, self.turn)
        self.turn /= np.linalg.norm(self.turn, axis=1, keepdims=True)

    def observe(self, body, is_new, impulse):
        """By link: contacts (count, LINKS), new ones, and impulses (count, LINKS, 3) in newton seconds."""
        touches = np.bincount(body[body >= 0], minlength=self.count * LINKS)
        begins = np.bincount(body[is_new][body[is_new] >= 0], minlength=self.count * LINKS)
        return {"contacts": touches.reshape(self.count, LINKS), "new": begins.reshape(self.count, LINKS),
                "impulse": impulse.reshape(self.count, LINKS, 3),
                "height": self.position[:, 2].copy(), "up": turned(self.turn, np.array([0.0, 0, 1]))[:, 2]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0],
                                     epilog="example: rl_farm.py --worlds 4096 --steps 250")
    parser.add_argument("--worlds", type=int, default=2048, help="how many (default: 2048)")
    parser.add_argument("--steps", type=int, default=250, help="of 4 ms (default: 250)")
    parser.add_argument("--seed", type=int, default=1, help="of ground, places and actions (default: 1)")
    options = parser.parse_args()
    if options.worlds < 1 or options.steps < 1:
        parser.error("--worlds and --steps must be 1 or more")

    farm = Farm(options.worlds, options.seed)
    random = np.random.default_rng(options.seed)
    falls = steps_of_feet = 0
    weight = []
    began = time.perf_counter()
    for step in range(options.steps):
        seen = farm.step(random.normal(0, 3, (options.worlds, LEGS, 2)))
        steps_of_feet += int(seen["new"][:, SHANKS].sum())
        weight.append(seen["impulse"][..., 2].sum() / (options.worlds * STEP * MASS * -GRAVITY[2]))
        fallen = seen["contacts"][:, 0] > 0
        falls += int(fallen.sum())
        if fallen.any():
            farm.reset(fallen)
    seconds = time.perf_counter() - began

    print(f"{options.worlds} worlds, {options.steps} steps: "
          f"{options.worlds * options.steps / seconds:,.0f} steps of a world per second, "
          f"{farm.seconds_in_collide / seconds:.0%} of the time in widephase")
    print(f"{steps_of_feet} times a shank touched down, {falls} trunks fell; in the last quarter the ground carried "
          f"{np.mean(weight[-(len(weight) + 3) // 4:]):.2f} of the robots' weight")


if __name__ == "__main__":
    main()
