#!/usr/bin/python3
"""Times a call from Python beside the same call from C++, and SciPy's cKDTree.

    PYTHONPATH=build/bench/python bench/python_bench.py build/bench/tools/widephase [COUNT] [ROUNDS]

COUNT uniform spheres (10^6) in one scene file, and as many rays, which both read; each row is the best
of ROUNDS (6) turns of 5 calls, taken in turn so that a change of the machine's clock meets all. cKDTree
has no radii a point: it is asked for all pairs of centres within twice the largest radius, and NumPy
takes those that touch.
"""

import gc
import json
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.spatial import cKDTree

import widephase

CALLS = 5


def best(call):
    times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - began)
        del answer
    return min(times)


def tree_pairs(center, radius):
    tree = cKDTree(center)
    pairs = tree.query_pairs(2 * float(radius.max()), output_type="ndarray")
    a, b = pairs[:, 0], pairs[:, 1]
    between = center[a] - center[b]
    reach = radius[a] + radius[b]
    return pairs[np.einsum("ij,ij->i", between, between) <= reach * reach]


def compare(title, told_of, calls, mark_of, rounds):
    """Times calls of Python beside the program's; answers its least time.

    `told_of()` runs the program: what it says of its run, a mark of its answer, and seconds.
    """
    turns = {"C++": [], **{name: [] for name in calls}}
    marks = {mark_of(call()) for call in calls.values()}
    for _ in range(rounds):
        told, mark, seconds = told_of()
        marks.add(mark)
        turns["C++"].append(seconds)
        for name, call in calls.items():
            turns[name].append(best(call))
    assert len(marks) == 1, marks
    print(f"{title}, {told['threads']} thread(s), hash {told['hash']}")
    least = min(turns["C++"])
    for name, times in turns.items():
        print(f"  {name:15} {min(times) * 1e3:9.2f} ms  {min(times) / least:6.3f} of C++")
    return least


def random_rays(center, count):
    """Short rays of any direction from anywhere in the box of the centres."""
    random = np.random.default_rng(5)
    low, high = center.min(axis=0), center.max(axis=0)
    origin = (low + (high - low) * random.random((count, 3))).astype(np.float32)
    return {"origin": origin, "direction": random.normal(size=(count, 3)).astype(np.float32),
            "max_t": np.ones(1, np.float32)}


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/spheres.npz"
        subprocess.run([program, "generate", "uniform", "-o", path, "--count", str(count)],
                       check=True, stdout=subprocess.DEVNULL)
        planes = widephase.load(path)
        rows = widephase.Scene(dimension=3)
        center = np.ascontiguousarray(planes.spheres.center)
        radius = planes.spheres.radius
        rows.spheres.set(center=center, radius=radius)
        workspaces = {scene: widephase.Workspace() for scene in (planes, rows)}
        rays = random_rays(center, count)
        np.savez(f"{folder}/rays.npz", **rays)
        kept = widephase.StaticScene(planes)

        def run(threads, *words):
            told = subprocess.run(
                [program, *words, "--json", "--repeat", str(CALLS + 1), "--threads", str(threads)],
                check=True, capture_output=True).stdout
            return json.loads(told)

        def collide_told(threads):
            told = run(threads, "collide", path)
            return told, told["hash"], told["seconds"]["total"] - told["seconds"]["load"]

        def cast_told(threads):
            told = run(threads, "cast", path, "--rays", f"{folder}/rays.npz")
            return told, told["hits"], told["seconds"]["cast"]

        for threads in (1, 0):
            def colliding(scene):
                return lambda: widephase.collide(scene, threads=threads, workspace=workspaces[scene])

            least = compare(f"collide, {count} spheres", lambda: collide_told(threads),
                            {"Python": colliding(planes), "Python, (n, 3)": colliding(rows)},
                            lambda contacts: contacts.hash(), rounds)
            casting = widephase.Workspace()
            compare(f"cast_rays, {count} rays", lambda: cast_told(threads),
                    {"Python": lambda: widephase.cast_rays(kept, **rays, threads=threads,
                                                           workspace=casting)},
                    lambda hits: int(hits.found.sum()), rounds)
    gc.collect()
    began = time.perf_counter()
    pairs = tree_pairs(center, radius)
    taken = time.perf_counter() - began
    print(f"  {'cKDTree':15} {taken * 1e3:9.2f} ms  {taken / least:6.3f} of C++  "
          f"({len(pairs)} pairs, without normals and points, one thread)")


main()
