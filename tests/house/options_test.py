"""options_test.py SOURCE: every language has the options of calls and the columns of answers.

They are described in options.hpp, answers.hpp and robot_answers.hpp. Each member of CollideOptions has its line there, and each line its
member; C's structure has a field for each, whose comment has the line's text, and no others but those that an array or
a thread pool needs. Each column of an answer has its line, and its name is in C's header and in docs/conventions.md.
Python, the command line, files and their help are made from the descriptions (python/tests/test_stubs.py compares the
annotations), so that this test has no look at them. options_test.py --self-test breaks each rule once.
"""

import pathlib
import re
import sys

DESCRIBED = re.compile(r'visit\(\s*Option\{\s*"(\w+)",\s*((?:"[^"]*"\s*)+),', re.S)
FIELD = re.compile(r"((?:^ *///.*\n)*)^  [\w:<>,\* ]+[ \*&](\w+)(?: = [^;]*)?;(?: *///< (.*))?$", re.M)

COLUMN = re.compile(r"^  Column<.*> (\w+);", re.M)
# The answers by the function of C that shows their columns.
ANSWERS = {
    "ContactBuffer": "contacts", "DistanceBuffer": "distances", "WorldDistanceBuffer": "distances",
    "SupportBuffer": "support", "EndedContacts": "tracker", "Tracker": "tracker", "RayHits": "hits", "CastHits": "hits",
    "ImpactHits": "impacts", "RobotPairs": "robot_contacts", "RobotContacts": "robot_contacts",
}

# What C has beside the options, and why.
ONLY_IN_C = {
    "struct_size": "a program may know fewer fields than the library",
    "inside": "CastOptions::inside", "start_overlap": "ShapeCastOptions::start_overlap",
    "tolerance": "ShapeCastOptions::tolerance",
    "for_each_self": "Threads::executor", "for_each_threads": "Threads::executor",
    "world_mask_count": "length of an array", "world_status_count": "length of an array",
    "warm_start_count": "length of an array",
}


def described_in(options):
    """name: text, of options.hpp."""
    return {name: "".join(re.findall(r'"([^"]*)"', text)) for name, text in DESCRIBED.findall(options)}


def fields_of(text, begin):
    """name: comment, of the structure that begins so."""
    body = text[text.index(begin):]
    body = body[:body.index("\n}")]
    body = re.sub(r"^  void \(\*for_each\)[^;]*;", "", body, flags=re.M)  # Threads::executor
    found = {}
    for before, name, after in FIELD.findall(body):
        found[name] = re.sub(r"\s+", " ", re.sub(r"^ *///", "", before, flags=re.M) + after).strip()
    return found


def faults_of(options, collide, c):
    described = described_in(options)
    members = fields_of(collide, "struct CollideOptions {")
    fields = fields_of(c, "typedef struct widephase_options {")
    for name in members:
        if name not in described:
            yield f"CollideOptions::{name} has no line in options.hpp"
    for name in fields:
        if name not in described and name not in ONLY_IN_C:
            yield f"widephase_options::{name} is not an option of options.hpp"
    for name, text in described.items():
        if name not in members:
            yield f"options.hpp has {name}, which CollideOptions has not"
        if name not in fields:
            yield f"options.hpp has {name}, which widephase_options has not"
        elif text.lower() not in fields[name].lower():
            yield f'widephase_options::{name} says "{fields[name]}", and options.hpp "{text}"'
    for name in ONLY_IN_C:
        if name not in fields:
            yield f"widephase_options has no {name}: take it off the list"
    if len(described) < 10:
        yield f"only {len(described)} options are read"


def columns_in(answers):
    """The structure, and the names of its columns, of each function of answers.hpp."""
    for answer, body in re.findall(r"for_each_answer\([^{;]*?const (?!Visit)(\w+)[^{;]*\{(.*?)^}", answers, re.S | re.M):
        yield answer, re.findall(r'AnswerField\{\s*"(\w+)"', body)


def faults_of_columns(answers, structures, c, page):
    described = dict(columns_in(answers))
    for answer, function in ANSWERS.items():
        if answer not in described:
            yield f"answers.hpp does not describe {answer}"
            continue
        begin = re.search(rf"struct (?:WIDEPHASE_API )?{answer}\b[^;]*?\{{", structures)
        members = COLUMN.findall(structures[begin.end():structures.index("\n}", begin.end())]) if begin else []
        for name in set(members) - set(described[answer]):
            yield f"{answer}::{name} has no line in answers.hpp"
        for name in set(described[answer]) - set(members) if begin else ():
            yield f"answers.hpp has {name}, which {answer} has not"
        comment = re.search(rf"((?:^///.*\n)*).*widephase_{function}_get\(", c, re.M)[1]
        prefix = "ended." if answer == "EndedContacts" else ""
        for name in described[answer]:
            if f'"{prefix}{name}"' not in comment:
                yield f'widephase_{function}_get does not say "{prefix}{name}"'
            if name not in re.findall(r"\w+", page):
                yield f"docs/conventions.md does not say {name}"
        if not described[answer]:
            yield f"no column of {answer} is read"


def faults_in(source):
    headers = source / "pipeline/include/widephase"
    c = (source / "c/include/widephase/widephase.h").read_text()
    yield from faults_of((headers / "options.hpp").read_text(), (headers / "collide.hpp").read_text(), c)
    structures = [source / "soa/include/widephase/contacts.hpp"]
    structures += [headers / f"{name}.hpp" for name in ("distance", "worlds", "support", "tracker", "rays", "robot")]
    answers = "".join((headers / f"{name}.hpp").read_text() for name in ("answers", "robot_answers"))
    yield from faults_of_columns(answers, "".join(p.read_text() for p in structures), c,
                                 (source / "docs/conventions.md").read_text())


def self_test():
    names = [f"option{i}" for i in range(10)]
    c_only = "".join(f"  int32_t {name};\n" for name in ONLY_IN_C)

    def found(described=names, members=names, fields=names, text="what it says"):
        options = "".join(f'  visit(\n      Option{{"{n}",\n "what it "\n "says", calls}}, x);\n' for n in described)
        collide = "struct CollideOptions {\n" + "".join(f"  std::span<int> {n} = 1;\n" for n in members) + "};\n"
        c = "typedef struct widephase_options {\n" + c_only + "".join(
            f"  /// NULL, or {text}\n  /// or not.\n  const int32_t* {n};\n" for n in fields) + "} widephase_options;\n"
        return list(faults_of(options, collide, c))

    assert found() == [], found()
    assert found(members=names + ["more"]) == ["CollideOptions::more has no line in options.hpp"]
    assert found(fields=names + ["more"]) == ["widephase_options::more is not an option of options.hpp"]
    assert found(members=names[1:]) == ["options.hpp has option0, which CollideOptions has not"]
    assert found(fields=names[1:]) == ["options.hpp has option0, which widephase_options has not"]
    assert len(found(text="something else")) == 10
    assert found(text="What\n  /// it says") == []
    assert "only 9 options are read" in found(names[1:], names[1:], names[1:])

    def columns(described="depth", members="depth", c="depth", page="depth"):
        answers = "".join(f'void for_each_answer(const Visit& v, const {a}& x) {{\n  v(AnswerField{{"{described}"}});\n}}\n'
                          for a in ANSWERS)
        structures = "".join(f"struct {a} {{\n  Column<int, D> {members};\n}};\n" for a in ANSWERS)
        text = "".join(f'/// "{c}" and "ended.{c}".\nint widephase_{f}_get(int);\n' for f in set(ANSWERS.values()))
        return list(faults_of_columns(answers, structures, text, f"| `{page}` |"))

    assert columns() == [], columns()
    assert "ContactBuffer::more has no line in answers.hpp" in columns(members="more")
    assert "answers.hpp has depth, which ContactBuffer has not" in columns(members="more")
    assert len(columns(c="more")) == len(columns(page="more")) == len(ANSWERS)
    assert "answers.hpp does not describe Tracker" in list(faults_of_columns("", "", "", ""))


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
