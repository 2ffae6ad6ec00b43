"""Calls from several Python threads at once, and the interpreter's lock."""

import os
import subprocess
import sys
import threading
import time
import weakref
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


@pytest.fixture
def large():
    """A scene that takes a thread tens of milliseconds."""
    random = np.random.default_rng(1)
    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=random.uniform(0, 40, (200_000, 3)).astype(np.float32), radius=0.5)
    return scene


def is_refused(**options):
    try:
        widephase.collide(widephase.Scene(dimension=3), **options)
    except widephase.Error as error:
        assert "is in use by another thread's call; give each its own" in str(error)
        return True
    return False


def test_a_call_holds_the_arrays_that_it_began_with(large):
    workspace, answers = widephase.Workspace(), []
    center = large.spheres.center
    expected = widephase.collide(large, workspace=workspace).hash()
    was_held = None

    def collide():
        try:
            answers.append(widephase.collide(large, workspace=workspace, threads=1))
        except widephase.Error:
            pass  # the workspace was just being asked about

    for _ in range(50):
        mine = center.copy()
        seen = weakref.ref(mine)
        large.spheres.center = mine
        del mine
        call = threading.Thread(target=collide)
        call.start()
        while call.is_alive() and not is_refused(workspace=workspace):
            pass
        large.spheres.center = center + np.float32(1)
        is_held = seen() is not None
        if is_refused(workspace=workspace):  # the call is under way still
            was_held = is_held
        call.join()
        assert seen() is None
        if was_held is not None:
            break
    assert was_held, "no call was seen under way" if was_held is None else "the array was gone"
    assert answers[-1].hash() == expected


def test_the_lock_is_released(large):
    """Another thread counts while a call runs: with the lock it could not until the end."""
    widephase.collide(large, threads=1)
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
            widephase.collide(large, threads=1)
        ended = time.perf_counter()
    finally:
        stop.set()
        counter.join()
        sys.setswitchinterval(interval)
    assert sum(began < tick < ended for tick in ticks) >= 10


@pytest.mark.parametrize("name", ["workspace", "tracker"])
def test_what_belongs_to_one_call_is_refused_to_two(large, name):
    options = {name: widephase.Workspace() if name == "workspace" else widephase.Tracker()}
    done = threading.Event()

    def collide():
        while not done.is_set():
            try:
                widephase.collide(large, threads=1, **options)
            except widephase.Error:
                pass

    caller = threading.Thread(target=collide)
    caller.start()
    until = time.monotonic() + 60
    was_refused = False
    while not was_refused and time.monotonic() < until:
        was_refused = is_refused(**options)
    done.set()
    caller.join()
    assert was_refused
    # Refused calls leave it usable.
    assert len(widephase.collide(large, **options)) > 0


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


def test_hulls_on_a_thread_with_a_small_stack():
    # In an interpreter of its own, which a stack that overflows would end. A sanitizer's frames are larger.
    size = 256 * 1024 if "LD_PRELOAD" not in os.environ else 16 * 1024 * 1024
    program = """
import sys
import threading
import numpy as np
import widephase

random = np.random.default_rng(3)
scene = widephase.Scene(dimension=3)
scene.geometries.add_icosphere(subdivisions=1, radius=1)
scene.geometries.add_box([1, 1, 1])
count = 400
scene.hulls.set(center=random.uniform(0, 12, (count, 3)).astype(np.float32), orientation=[0, 0, 0, 1],
                geometry=np.arange(count, dtype=np.int32) % 2)
expected = widephase.collide(scene, threads=1)
assert len(expected) > 100
answers = []

def collide():
    for method in "auto", "gjk_epa":
        answers.append(widephase.collide(scene, threads=1, method=method))

threading.stack_size(int(sys.argv[1]))
thread = threading.Thread(target=collide)
thread.start()
thread.join()
assert answers[0].hash() == expected.hash() and len(answers) == 2
"""
    done = subprocess.run([sys.executable, "-c", program, str(size)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
