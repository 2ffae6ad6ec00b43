"""kinds_test.py SOURCE: no `switch` over kinds of shape, or over forms of their cores, has a `default:`.

With one, a new kind would silently be treated as another one. Without it the compiler names each place
(-Werror=switch). kinds_test.py --self-test breaks the rule once.
"""

import pathlib
import re
import sys

FOLDERS = ["soa", "geometry", "kernels", "pipeline", "c", "scenes", "reference", "tools", "python/src", "tests", "bench"]
KINDS = re.compile(r"\bcase (Kind|CoreForm)::")


def block_after(text, start):
    """Where the braces that open after `start` begin and end."""
    begin = text.index("{", start)
    depth, end = 1, begin + 1
    while depth > 0 and end < len(text):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return begin, end


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


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
