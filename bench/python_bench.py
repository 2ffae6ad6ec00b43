#!/usr/bin/python3
"""Times a call from Python beside the same call from C++, and SciPy's cKDTree.

    PYTHONPATH=build/bench/python bench/python_bench.py build/bench/tools/widephase [COUNT] [ROUNDS]

COUNT uniform spheres (10^6) in one scene file, which both read; each row is the best of ROUNDS (6)
turns of 5 calls, taken in turn so that a change of the machine's clock meets all. cKDTree has no radii a
point: it is asked for all pairs of centres within twice the largest radius, and NumPy takes those that
touch.
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
        for threads in (1, 0):
            def in_python(scene):
                return lambda: widephase.collide(scene, threads=threads, workspace=workspaces[scene])

            contacts = in_python(planes)()
            hashes, turns = {contacts.hash()}, {"C++": [], "Python": [], "Python, (n, 3)": []}
            for _ in range(rounds):
                told = json.loads(subprocess.run(
                    [program, "collide", path, "--json", "--repeat", str(CALLS + 1), "--threads",
                     str(threads)], check=True, capture_output=True).stdout)
                hashes.add(told["hash"])
                turns["C++"].append(told["seconds"]["total"] - told["seconds"]["load"])
                turns["Python"].append(best(in_python(planes)))
                turns["Python, (n, 3)"].append(best(in_python(rows)))
            assert len(hashes) == 1, hashes
            print(f"{count} spheres, {told['threads']} thread(s), {len(contacts)} contacts, "
                  f"hash {told['hash']}")
            least = min(turns["C++"])
            for name, times in turns.items():
                print(f"  {name:15} {min(times) * 1e3:9.2f} ms  {min(times) / least:6.3f} of C++")
    gc.collect()
    began = time.perf_counter()
    pairs = tree_pairs(center, radius)
    taken = time.perf_counter() - began
    print(f"  {'cKDTree':15} {taken * 1e3:9.2f} ms  {taken / least:6.3f} of C++  "
          f"({len(pairs)} pairs, without normals and points, one thread)")


main()
