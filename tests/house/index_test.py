"""index_test.py SOURCE: the pair's word is the index.

A search of kernels/pairs for the word of a pair, such as box_cylinder, finds it in the head of one file per dimension:
that of its kernel. The words stand before the first colon, followed by "in 2D" or "in 3D" if the file serves only that
dimension. A pair with a surface of triangles, such as box_mesh, is in the head of one file of kernels/core/surface, one
with a chain in that of one of kernels/core/chain, two surfaces in that of one of kernels/core/concave.
index_test.py --self-test breaks each rule once.
"""

import itertools
import pathlib
import re
import sys

WORD = re.compile(r"\b[a-z]+_[a-z]+\b")


def kinds_in(types, traits):
    """The words of kinds by dimension, in their order, from `kind_name` in types.hpp and `traits_of` in kind_traits.hpp."""
    block = re.search(r"string_view kind_name\(.*?names\{(.*?)\};", types, re.S)[1]
    names = re.findall(r'"(\w+)"', block)
    is_in = {2: set(), 3: set()}
    for cases, *dimensions in re.findall(r"((?:case Kind::\w+:\s+)+)return \{(\w+), (\w+), \w+\};", traits):
        for dimension, there in zip((2, 3), dimensions):
            is_in[dimension] |= set(re.findall(r"Kind::(\w+)", cases)) if there == "true" else set()
    flat = ["circle" if name == "sphere" else name for name in names if name in is_in[2]]
    return {2: flat, 3: [name for name in names if name in is_in[3]]}


def surfaces_in(types, traits, dimension):
    """The words of kinds in a dimension that have a fourth trait, is_surface."""
    names = re.findall(r'"(\w+)"', re.search(r"string_view kind_name\(.*?names\{(.*?)\};", types, re.S)[1])
    place = r"true, \w+" if dimension == 2 else r"\w+, true"
    return [n for n in names if re.search(rf"case Kind::{n}:\s+return \{{{place}, \w+, true\b", traits)]


def surface_faults_of(pairs, files):
    """`files`: name to text, of kernels/core/surface, chain or concave."""
    if not pairs:
        yield "no surfaces are read"
    words = {name: set(WORD.findall(head_of(text))) for name, text in files.items()}
    for pair in pairs:
        found = [name for name in files if pair in words[name]]
        if len(found) != 1:
            yield f"{pair} is in the head of {' and '.join(found) or 'no file'}"


def pairs_of(kinds):
    """Two halfspaces never meet."""
    words = [f"{a}_{b}" for a, b in itertools.combinations_with_replacement(kinds, 2)]
    return [word for word in words if word != "halfspace_halfspace"]


def head_of(text):
    """The first block of comments, up to its first colon."""
    lines = itertools.dropwhile(lambda line: not line.startswith("//"), text.split("\n"))
    head = "\n".join(itertools.takewhile(lambda line: line.startswith("//"), lines))
    return head.split(":")[0]


def faults_of(kinds, files, table):
    """`files`: name to text, of kernels/pairs."""
    if sum(len(names) for names in kinds.values()) < 5:
        yield f"only the kinds {kinds} are read"
    heads = {name: head_of(text) for name, text in files.items()}
    words = {name: set(WORD.findall(head)) - {"gjk_epa"} for name, head in heads.items()}
    for dimension, names in kinds.items():
        for pair in pairs_of(names):
            found = [n for n in files if pair in words[n] and f"in {5 - dimension}D" not in heads[n]]
            if len(found) != 1:
                yield f"{pair} in {dimension}D is in the head of {' and '.join(found) or 'no file'}"
    known = {pair for names in kinds.values() for pair in pairs_of(names)}
    for name in files:
        for word in sorted(words[name] - known):
            yield f"the head of {name} names {word}, which is not a pair"
        if not words[name] and "gjk_epa" not in heads[name]:
            yield f"the head of {name} names no pair"
        if f'#include "kernels/pairs/{name}"' not in table:
            yield f"kernels/isa/table.cpp does not include {name}"


def faults_in(source):
    types = (source / "soa/include/widephase/types.hpp").read_text()
    traits = (source / "soa/kind_traits.hpp").read_text()
    files = {path.name: path.read_text() for path in sorted((source / "kernels/pairs").iterdir())}
    kinds = kinds_in(types, traits)
    found = list(faults_of(kinds, files, (source / "kernels/isa/table.cpp").read_text()))

    def heads_in(folder):
        return {path.name: path.read_text() for path in sorted((source / "kernels/core" / folder).iterdir())}

    for dimension, folder in ((2, "chain"), (3, "surface")):
        surfaces = surfaces_in(types, traits, dimension)
        pairs = [f"{shape}_{surface}" for surface in surfaces for shape in kinds[dimension]]
        found += surface_faults_of(pairs, heads_in(folder))
        two = [f"{a}_{b}" for a, b in itertools.combinations_with_replacement(surfaces, 2)]
        found += surface_faults_of(two, heads_in("concave"))
    return found


def self_test():
    kinds = {2: ["circle", "box", "halfspace"], 3: ["sphere", "box", "halfspace"]}
    files = {
        "sphere.hpp": "#pragma once\n\n// sphere_sphere, circle_circle: x\n// box_box: y\nint x;\n",
        "flat.hpp": "// circle_box, box_box in 2D: x\n",
        "box.hpp": "// sphere_box, box_box in 3D: x\n",
        "plane.hpp": "// circle_halfspace, sphere_halfspace,\n// box_halfspace: x\n",
        "any.hpp": "// Any two by gjk_epa: x\n",
    }

    def found(**changes):
        changed = {**files, **{name + ".hpp": text for name, text in changes.items()}}
        return list(faults_of(kinds, changed, "".join(f'#include "kernels/pairs/{n}"\n' for n in files)))

    assert found() == [], found()
    assert found(flat="// circle_box in 2D: x\n") == ["box_box in 2D is in the head of no file"]
    assert found(flat="// circle_box, box_box: x\n") == ["box_box in 3D is in the head of flat.hpp and box.hpp"]
    assert found(any="// Any two: x\n") == ["the head of any.hpp names no pair"]
    assert "the head of any.hpp names box_hull, which is not a pair" in found(any="// box_hull: x\n")
    assert "kernels/isa/table.cpp does not include new.hpp" in found(new="// By gjk_epa: x\n")
    assert list(faults_of({2: [], 3: []}, {}, "")) != []
    heads = {"a.hpp": "// box_mesh, box_field: x\n", "b.hpp": "// box_mesh: x\n"}
    assert list(surface_faults_of(["box_mesh", "box_field"], heads)) == [
        "box_mesh is in the head of a.hpp and b.hpp"
    ]
    assert list(surface_faults_of([], {})) != []


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
