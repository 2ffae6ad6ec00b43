"""Calls from several Python threads at once, and the interpreter's lock."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import widephase
from conftest import same_contacts


def test_one_scene_many_threads(balls):
    expected = widephase.collide(balls, order="id")
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: widephase.collide(balls, order="id", threads=1), range(30)))
    assert all(same_contacts(answer, expected) for answer in answers)


def test_a_column_may_be_replaced_while_others_collide(balls):
    """A call holds the arrays that it began with."""
    centers = [balls.spheres.center.copy(), balls.spheres.center + np.float32(0.25)]
    expected = []
    for center in centers:
        balls.spheres.center = center
        expected.append(widephase.collide(balls).hash())
    stop = threading.Event()

    def replace():
        while not stop.is_set():
            for center in centers:
                balls.spheres.center = center.copy()

    writer = threading.Thread(target=replace)
    writer.start()
    try:
        with ThreadPoolExecutor(3) as pool:
            hashes = set(pool.map(lambda _: widephase.collide(balls, threads=1).hash(), range(40)))
    finally:
        stop.set()
        writer.join()
    assert hashes <= set(expected)


def test_the_lock_is_released():
    """Another thread counts while a call runs: with the lock it could not until the end."""
    random = np.random.default_rng(1)
    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=random.uniform(0, 40, (200_000, 3)).astype(np.float32), radius=0.5)
    widephase.collide(scene, threads=1)
    ticks, stop = [], threading.Event()

    def count():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    counter = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)  # a thread that has the lock keeps it until it waits
    try:
        counter.start()
        began = time.perf_counter()
        for _ in range(5):
            widephase.collide(scene, threads=1)
        ended = time.perf_counter()
    finally:
        stop.set()
        counter.join()
        sys.setswitchinterval(interval)
    assert sum(began < tick < ended for tick in ticks) >= 10


def test_what_belongs_to_one_call_is_refused_to_two(balls):
    workspace, tracker = widephase.Workspace(), widephase.Tracker()
    said = []

    def collide(_):
        try:
            widephase.collide(balls, workspace=workspace, tracker=tracker, threads=1)
        except widephase.Error as error:
            said.append(str(error))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(collide, range(60)))
    assert said and all("is in use by another thread's call" in words for words in said)
    # Refused calls are no steps, and leave both usable.
    contacts = widephase.collide(balls, workspace=workspace, tracker=tracker)
    assert tracker.last_contact.shape == (len(contacts),)


@pytest.mark.parametrize("dimension", [2, 3])
def test_static_scenes_are_shared(dimension):
    random = np.random.default_rng(2)
    kept = widephase.Scene(dimension)
    table = kept.circles if dimension == 2 else kept.spheres
    center = random.uniform(0, 10, (500, dimension)).astype(np.float32)
    table.set(center=center, radius=0.5)
    static = widephase.StaticScene(kept)
    assert len(static) == 500
    del kept, table

    def step(seed):
        moving = widephase.Scene(dimension)
        table = moving.circles if dimension == 2 else moving.spheres
        points = np.random.default_rng(seed).uniform(0, 10, (50, dimension)).astype(np.float32)
        table.set(center=points, radius=0.5)
        contacts = widephase.collide(moving, kept=static, threads=1, order="id", moving_pairs=False)
        both = widephase.Scene(dimension)
        table = both.circles if dimension == 2 else both.spheres
        table.set(center=np.vstack([points, center]), radius=0.5,
                  owner=[7] * 50 + [-1] * 500, fixed=[0] * 50 + [1] * 500)
        expected = widephase.collide(both, order="id", threads=1)
        # All but the place in the list of pairs, which comes in another order.
        return same_contacts(contacts, expected, without=("source",)), len(contacts)

    with ThreadPoolExecutor(4) as pool:
        for is_same, count in pool.map(step, range(12)):
            assert is_same and count > 0
