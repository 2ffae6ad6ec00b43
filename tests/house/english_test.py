"""english_test.py SOURCE: what can be checked of plain English.

No comment begins with "Of", and no message to a user says that something "is no" something.
english_test.py --self-test breaks each rule once.
"""

import pathlib
import re
import sys

COMMENTED = ["soa", "geometry", "kernels", "pipeline", "c", "scenes", "reference", "tools", "python", "tests", "bench",
             "fuzz", "web", "examples", "cmake", "docs/site"]
SPEAKING = ["soa", "geometry", "kernels", "pipeline", "c", "tools", "python/src", "python/widephase"]
ENDINGS = {".hpp", ".cpp", ".h", ".c", ".py", ".pyi", ".js", ".cjs", ".sh", ".cmake"}
COMMENT = re.compile(r"^\s*(?:///?<?|#|\*) Of ", re.M)
MESSAGE = re.compile(r'"[^"\n]*\b(?:is|are) no (?!(?:more|longer|less)\b)[^"\n]*"')


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def faults_of(name, text, speaks):
    for found in COMMENT.finditer(text):
        yield f'{name}:{line_of(text, found.end())}: a comment begins with "Of": say who or what first'
    if speaks:
        without_comments = re.sub(r"//[^\n]*", "", text)
        for found in MESSAGE.finditer(without_comments):
            yield f'{name}: {found[0]}: say "is not a"'


def files_in(source, folders):
    for folder in folders:
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in ENDINGS and "node_modules" not in path.parts:
                yield path


def faults_in(source):
    speaking = set(files_in(source, SPEAKING))
    read = 0
    for path in files_in(source, COMMENTED):
        read += 1
        yield from faults_of(path.relative_to(source).as_posix(), path.read_text(), path in speaking)
    if read < 300:
        yield f"only {read} files are read"


def self_test():
    assert list(faults_of("a", "// Of a box the corners.\n", False)) != []
    assert list(faults_of("a", "int x;  // Offsets.\n/// The corners. Of a box.\n", False)) == []
    assert list(faults_of("a", 'fail("x is no count");\n', True)) != []
    assert list(faults_of("a", 'fail("x is no longer there");  // "is no count"\n', True)) == []


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
