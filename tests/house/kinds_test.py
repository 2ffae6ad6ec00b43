"""kinds_test.py SOURCE: nothing takes a kind of shape that is added for another one without being told.

No `switch` over kinds, or over forms of their cores, has a `default:`: without it the compiler names each place
(-Werror=switch). No kind is compared by its order, and no ids are split where a kind's begin: kinds are appended, bounded
ones behind the halfspace. In the library kinds are told apart by switches and traits, not by `== Kind::box`, but for
those of a table at compile time. kinds_test.py --self-test breaks each rule once.
"""

import pathlib
import re
import sys

FOLDERS = ["soa", "geometry", "kernels", "pipeline", "c", "mpi", "scenes", "reference", "tools", "python/src", "tests", "bench", "fuzz"]
KINDS = re.compile(r"\bcase (Kind|CoreForm)::")
ORDER = re.compile(r" [<>]=? (test::)?Kind::\w|\bKind::\w+ [<>]=? |\bfirst\[static_cast<[\w:]+>\(Kind::")
EQUAL = re.compile(r"(?<!::kind) [=!]= Kind::")
LIBRARY = ("soa/", "geometry/", "kernels/", "pipeline/", "c/", "mpi/", "python/")
# Files with as many comparisons as they may have.
EQUAL_IN = {
    "soa/include/widephase/types.hpp": 1,  # the circle's word
    "kernels/core/run/support2.hpp": 2,  # corners of boxes
}


def block_after(text, start):
    """Where the braces that open after `start` begin and end."""
    begin = text.index("{", start)
    depth, end = 1, begin + 1
    while depth > 0 and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return begin, end


def line_of(text, found):
    return text.count("\n", 0, found.start()) + 1


def switches_of(text):
    """The line and the body of each `switch`, with those of switches within it taken out."""
    for start in re.finditer(r"\bswitch \(", text):
        begin, end = block_after(text, start.end())
        body = text[begin + 1 : end]
        while (inner := body.find("switch (")) >= 0:
            body = body[:inner] + body[block_after(body, inner)[1] :]
        yield text.count("\n", 0, start.start()) + 1, body


def faults_of(name, text):
    for line, body in switches_of(text):
        if KINDS.search(body) and re.search(r"\bdefault:", body):
            yield f"{name}:{line}: a switch over kinds has a default"
    for found in ORDER.finditer(text):
        yield f"{name}:{line_of(text, found)}: kinds have no order to go by; ask soa/kind_traits.hpp"
    equal = list(EQUAL.finditer(text)) if name.startswith(LIBRARY) else []
    if len(equal) > EQUAL_IN.get(name, 0):
        yield f"{name}:{line_of(text, equal[-1])}: a kind by name; ask soa/kind_traits.hpp or switch over all"


def faults_in(source):
    read = 0
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp"):
                text = path.read_text()
                read += len(KINDS.findall(text))
                yield from faults_of(path.relative_to(source).as_posix(), text)
    if read < 50:
        yield f"only {read} cases of kinds are read"


def self_test():
    good = "switch (kind) {\n  case Kind::box: {\n    switch (n) {\n      default: break;\n    }\n  }\n}\n"
    bad = "\nswitch (shape.form) {\n  case CoreForm::box:\n    break;\n  default:\n    break;\n}\n"
    assert list(faults_of("a", good)) == []
    assert list(faults_of("b", good + bad)) == ["b:9: a switch over kinds has a default"], list(faults_of("b", good + bad))

    def count(name, line):
        return len(list(faults_of(name, line)))

    for order in ["if (kind >= Kind::box) {", "Kind::hull < kind", "id < layout.first[static_cast<int>(Kind::halfspace)]"]:
        assert count("tests/a.cpp", order) == 1, order
    assert count("soa/a.hpp", "Instances<Storage, Kind::polygon> polygons;  x.first[static_cast<int>(Table::kind)]") == 0
    assert count("pipeline/a.cpp", "if (a.kind == Kind::cylinder) {") == 1
    assert count("pipeline/a.cpp", "if constexpr (Table::kind == Kind::aabb) {") == 0
    assert count("tools/a.cpp", "if (a.kind == Kind::cylinder) {") == 0


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
