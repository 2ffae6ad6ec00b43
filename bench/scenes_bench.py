#!/usr/bin/python3
"""Times `widephase collide` on the scenes of `widephase generate`.

    bench/scenes_bench.py build/bench/tools/widephase OUT.json [COUNT]

COUNT bodies a scene (10^6). Each is collided by one thread, by two, and by one with its positions in
double, a process each; of each stage the best of REPEATS calls, the first of which allocates. Rows are
written as Google Benchmark writes its own, for bench/report.py.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SCENES = [
    (name, 3)
    for name in ("uniform", "power_law", "outliers", "clustered", "packed", "plates", "sticks", "stack",
                 "pyramid", "mixed", "worlds", "pile")
] + [("uniform", 2), ("corridor", 2), ("mixed", 2), ("pile", 2)]
WAYS = {"one": ["--threads", "1"], "two": ["--threads", "2"],
        "wide": ["--threads", "1", "--precision", "mixed"]}
REPEATS = "6"


def row_of(name, told, count):
    seconds = told["seconds"]
    return {
        "name": name,
        "pairs": told["pairs"] / count,
        "contacts": told["contacts"] / count,
        "broad_ns": 1e9 * seconds["broad"] / count,
        "narrow_ns": 1e9 * seconds["narrow"] / count,
        "isa": told["isa"],
        "hash": told["hash"],
    }


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, out = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/scene.npz"
        for scene, dimension in SCENES:
            subprocess.run([program, "generate", scene, "--dimension", str(dimension), "--count",
                            str(count), "-o", path], check=True, stdout=subprocess.DEVNULL)
            for way, options in WAYS.items():
                run = subprocess.run([program, "collide", path, "--json", "--repeat", REPEATS] + options,
                                     check=True, stdout=subprocess.PIPE)
                name = f"scene/{scene}{dimension}/{count}/{way}"
                rows.append(row_of(name, json.loads(run.stdout), count))
            one, two, _ = rows[-3:]
            if one["hash"] != two["hash"]:
                sys.exit(f"{scene} in {dimension}D: two threads have other contacts than one: {one}, {two}")
            print(f"{scene} ({dimension}D): {one['broad_ns']:.1f} and {one['narrow_ns']:.1f} ns a body, "
                  f"hash {one['hash']}", flush=True)
    pathlib.Path(out).write_text(json.dumps({"benchmarks": rows}, indent=1) + "\n")


main()
