"""rooms_test.py SOURCE: no room includes one above it, and no folders of the kernels or the pipeline include in a circle; few
files are long, and no test program lies outside of the folders of its subject.

The order of the rooms is that of docs/architecture.md. rooms_test.py --self-test breaks each rule once.
"""

import pathlib
import re
import sys
import tempfile

# Each room, with the others that it may include.
ROOMS = {
    "soa": [],
    "geometry": ["soa"],
    "kernels": ["soa"],
    "pipeline": ["soa", "geometry", "kernels"],
    "c": ["soa", "geometry", "kernels", "pipeline"],
    "mpi": ["soa", "geometry", "kernels", "pipeline"],
}
# Sources of more than LONG lines, in all folders, and test programs flat in tests/.
LONG = 600
MOST_LONG = 6
MOST_FLAT = 15
INCLUDE = re.compile(r'^\s*#include ([<"])([^>"]+)[>"]', re.M)


def folder_of(path):
    """A folder of the kernels or the pipeline; elsewhere the room."""
    parts = path.split("/")[:-1]
    if parts[:2] == ["kernels", "core"]:
        return "/".join(parts[:3])
    if parts[0] in ("kernels", "pipeline"):
        return "/".join(parts[:2])
    return parts[0]


def faults_of(source):
    files = [p for room in ROOMS for p in sorted((source / room).rglob("*")) if p.suffix in (".hpp", ".cpp", ".h")]
    names = {p.relative_to(source).as_posix(): p for p in files}
    public = {n.split("/include/")[1]: n for n in names if "/include/" in n}
    arrows = {}
    for name, path in names.items():
        for quote, included in INCLUDE.findall(path.read_text()):
            if quote == '"' and included not in names:
                yield f'{name} includes "{included}", which is no path from the top folder'
                continue
            target = included if quote == '"' else public.get(included)
            if target is None:
                continue
            room, other = name.split("/")[0], target.split("/")[0]
            if other != room and other not in ROOMS[room]:
                yield f"{name} includes {target}: {room} lies below {other}"
            own, theirs = folder_of(name), folder_of(target)
            if own != theirs:
                arrows.setdefault(own, {}).setdefault(theirs, f"{name} includes {target}")
    done = set()

    def walk(folder, way):
        if folder in way:
            circle = way[way.index(folder):] + [folder]
            steps = "; ".join(arrows[a][b] for a, b in zip(circle, circle[1:]))
            yield "a circle of folders: " + steps
            return
        if folder in done:
            return
        for other in sorted(arrows.get(folder, {})):
            yield from walk(other, way + [folder])
        done.add(folder)

    for folder in sorted(arrows):
        yield from walk(folder, [])
    sources = [p for p in source.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".c") and "build" not in p.parts]
    long = sorted(p.relative_to(source).as_posix() for p in sources if p.read_bytes().count(b"\n") > LONG)
    if len(long) > MOST_LONG:
        yield f"{len(long)} sources have more than {LONG} lines, {MOST_LONG} may: " + ", ".join(long)
    flat = sorted(p.name for p in (source / "tests").glob("*_test.cpp"))
    if len(flat) > MOST_FLAT:
        yield f"{len(flat)} test programs lie flat in tests/, {MOST_FLAT} may: " + ", ".join(flat)
    if len(names) < 20:
        yield f"only {len(names)} files are read"


def self_test():
    broken = {
        "lies below": {"soa/a.hpp": '#include "kernels/b.hpp"\n', "kernels/b.hpp": ""},
        "lies below pipeline": {"geometry/a.hpp": "#include <widephase/b.hpp>\n", "pipeline/include/widephase/b.hpp": ""},
        "no path from the top": {"soa/a.hpp": '#include "b.hpp"\n', "soa/b.hpp": ""},
        "a circle of folders": {
            "kernels/core/box/a.hpp": '#include "kernels/core/hull/b.hpp"\n',
            "kernels/core/hull/b.hpp": '#include "kernels/core/box/c.hpp"\n',
            "kernels/core/box/c.hpp": "",
        },
        "have more than 600 lines": {f"c/long{n}.cpp": "\n" * 601 for n in range(7)},
        "lie flat in tests/": {f"tests/a{n}_test.cpp": "" for n in range(16)},
        "files are read": {},
    }
    for fault, files in broken.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = list(faults_of(pathlib.Path(folder)))
            assert any(fault in line for line in found), (fault, found)


if sys.argv[1] == "--self-test":
    self_test()
else:
    faults = list(faults_of(pathlib.Path(sys.argv[1])))
    sys.exit("\n".join(faults) or 0)
