"""readme_test.py SOURCE: the first page is short, and what it and docs/ promise of files and tests is there.

README.md has at most 140 lines of at most 120 characters, without tables and pictures, and names both commands near its top.
The first program of docs/quick_start.md is examples/quick_start.cpp. Tests that docs/tested.md names exist.
Every page of docs/ is in docs/guide.md. readme_test.py --self-test breaks each rule once.
"""

import pathlib
import re
import sys

MOST_LINES = 140
MOST_CHARACTERS = 120
FIRST_SCREEN = 30


def faults_of_readme(text):
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield f"README.md has {len(lines)} lines, more than {MOST_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_CHARACTERS and not line.startswith(("|", "![")):
            yield f"README.md:{number} has {len(line)} characters, more than {MOST_CHARACTERS}"
    for command in ("scripts/demo", "scripts/test"):
        if not any(line.startswith(command) for line in lines[:FIRST_SCREEN]):
            yield f"README.md: {command} is not a command of the first {FIRST_SCREEN} lines"


def faults_of_program(page, source):
    found = re.search(r"^```cpp\n(.*?)^```$", page, re.S | re.M)
    if not found or found[1] != source:
        yield "docs/quick_start.md: its first C++ block is not examples/quick_start.cpp, letter for letter"


def faults_of_tests(page, names):
    for name in sorted(set(re.findall(r"\b[a-z0-9_]+_test\b", page)) - names):
        yield f"docs/tested.md names {name}, which is not a test"


def faults_of_guide(guide, pages):
    for name in sorted(pages - {"guide.md"}):
        if f"({name})" not in guide:
            yield f"docs/guide.md does not name {name}"


def faults_in(source):
    docs = source / "docs"
    yield from faults_of_readme((source / "README.md").read_text())
    yield from faults_of_program((docs / "quick_start.md").read_text(),
                                 (source / "examples/quick_start.cpp").read_text())
    yield from faults_of_tests((docs / "tested.md").read_text(),
                               {path.stem for path in (source / "tests").rglob("*_test.*")})
    yield from faults_of_guide((docs / "guide.md").read_text(), {path.name for path in docs.glob("*.md")})


def self_test():
    commands = "scripts/demo\nscripts/test\n"
    assert list(faults_of_readme(commands + "\n" * (MOST_LINES - 2))) == []
    assert list(faults_of_readme(commands + "\n" * (MOST_LINES - 1))) != []
    assert list(faults_of_readme(commands + "a" * MOST_CHARACTERS)) == []
    assert list(faults_of_readme(commands + "a" * (MOST_CHARACTERS + 1))) != []
    assert list(faults_of_readme("scripts/demo\n")) != []
    assert list(faults_of_readme("\n" * FIRST_SCREEN + commands)) != []

    page = "text\n```cpp\nint main() {}\n```\n```cpp\nint x;\n```\n"
    assert list(faults_of_program(page, "int main() {}\n")) == []
    assert list(faults_of_program(page, "int main() { }\n")) != []
    assert list(faults_of_program("text\n", "int main() {}\n")) != []

    assert list(faults_of_tests("`one_test`, `outside_`", {"one_test"})) == []
    assert list(faults_of_tests("`one_test`, `two_test`", {"one_test"})) != []
    assert list(faults_of_guide("[A](a.md)", {"a.md", "guide.md"})) == []
    assert list(faults_of_guide("[A](a.md)", {"a.md", "b.md"})) != []


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
