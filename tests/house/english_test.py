"""english_test.py SOURCE: what can be checked of plain English.

No comment begins with "Of", and no message to a user says that something "is no" something.
No sentence of a public docstring has more than 30 words. README.md and the pages of docs/ together have at most 31,600.
english_test.py --self-test breaks each rule once.
"""

import ast
import pathlib
import re
import sys

COMMENTED = ["soa", "geometry", "kernels", "pipeline", "c", "mpi", "scenes", "reference", "tools", "python", "tests", "bench",
             "fuzz", "web", "examples", "cmake", "docs/site"]
SPEAKING = ["soa", "geometry", "kernels", "pipeline", "c", "mpi", "tools", "python/src", "python/widephase"]
ENDINGS = {".hpp", ".cpp", ".h", ".c", ".py", ".pyi", ".js", ".cjs", ".sh", ".cmake"}
COMMENT = re.compile(r"^\s*(?:///?<?|#|\*) Of ", re.M)
MESSAGE = re.compile(r'"[^"\n]*\b(?:is|are) no (?!(?:more|longer|less)\b)[^"\n]*"')

# What a user reads of the code: headers, and the strings and files of the Python module.
DOCSTRINGS = ["*/include/widephase/*.hpp", "*/include/widephase/*.h", "python/src/*.cpp", "python/widephase/*.py",
              "python/widephase/*.pyi"]
MOST_WORDS_OF_A_SENTENCE = 30
MOST_WORDS_OF_PAGES = 31600
# A comment on a line of its own, or behind code; a string that may go on in the next line.
COMMENT_LINE = re.compile(r"^\s*///?<?(?:\s(.*))?$")
COMMENT_BEHIND = re.compile(r'^(?:[^"\n]|"(?:[^"\\]|\\.)*")*?\S\s+///?<?\s(.*)$')
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def faults_of(name, text, speaks):
    for found in COMMENT.finditer(text):
        yield f'{name}:{line_of(text, found.end())}: a comment begins with "Of": say who or what first'
    if speaks:
        without_comments = re.sub(r"//[^\n]*", "", text)
        for found in MESSAGE.finditer(without_comments):
            yield f'{name}: {found[0]}: say "is not a"'


def comments_of_header(text):
    """Line and text of each comment: lines that follow one another, or what stands behind code with its rest below."""
    first, lines, stands_behind = 0, [], False
    for number, line in enumerate(text.split("\n") + [""], 1):
        whole = COMMENT_LINE.match(line)
        behind = None if whole else COMMENT_BEHIND.match(line)
        if not whole or not lines or stands_behind != ("///<" in line):
            if lines:
                yield first, "\n".join(lines)
            first, lines, stands_behind = number, [], behind is not None
        if whole or behind:
            lines.append((whole or behind)[1] or "")


def comments_of_python(text):
    """The docstrings, and the comments on lines of their own."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield getattr(node, "lineno", 1), ast.get_docstring(node)
    for found in re.finditer(r"(?:^\s*# .*\n)+", text, re.M):
        yield line_of(text, found.start()), re.sub(r"^\s*# ", "", found[0], flags=re.M)


def docstrings_of_bindings(text):
    """Strings of whole sentences: what the Python module's `help` says."""
    for found in STRINGS.finditer(text):
        said = re.sub(r'"\s*"', "", found[0])[1:-1].replace("\\n", "\n").replace('\\"', '"')
        if said.endswith(".") and " " in said:
            yield line_of(text, found.start()), said


def sentences_of(comment):
    """The sentences, without code that stands apart, signatures and commands of doxygen's; a list's items end one."""
    paragraph = ""
    for line in comment.split("\n") + [""]:
        is_apart = line.startswith(("  ", "\\")) or re.match(r"^\w+\(.*[,)]", line)
        if not line.strip() or is_apart or re.match(r"^[-*] ", line):
            yield from re.split(r"(?<!\.)[.!?](?=\s|$)", re.sub(r"`[^`]*`", "code", paragraph))
            paragraph = ""
        if not is_apart:
            paragraph += " " + line


def long_sentences_of(name, comments):
    for line, comment in comments:
        for sentence in sentences_of(comment):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if len(words) > MOST_WORDS_OF_A_SENTENCE:
                yield f"{name}:{line}: a sentence of {len(words)} words: \"{' '.join(words[:6])} ...\""


def faults_of_docstrings(name, text):
    if name.endswith((".py", ".pyi")):
        yield from long_sentences_of(name, comments_of_python(text))
    elif name.endswith(".cpp"):
        yield from long_sentences_of(name, docstrings_of_bindings(text))
    else:
        yield from long_sentences_of(name, comments_of_header(text))


def faults_of_pages(pages):
    words = sum(len(page.split()) for page in pages)
    if words > MOST_WORDS_OF_PAGES:
        yield f"README.md and docs/ have {words} words, more than {MOST_WORDS_OF_PAGES}: say once what is said twice"


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
    public = [path for pattern in DOCSTRINGS for path in sorted(source.glob(pattern))]
    for path in public:
        yield from faults_of_docstrings(path.relative_to(source).as_posix(), path.read_text())
    if len(public) < 40:
        yield f"only {len(public)} public files are read"
    pages = [path.read_text() for path in [source / "README.md", *sorted((source / "docs").rglob("*.md"))]]
    yield from faults_of_pages(pages)
    if len(pages) < 15:
        yield f"only {len(pages)} pages are read"


def self_test():
    assert list(faults_of("a", "// Of a box the corners.\n", False)) != []
    assert list(faults_of("a", "int x;  // Offsets.\n/// The corners. Of a box.\n", False)) == []
    assert list(faults_of("a", 'fail("x is no count");\n', True)) != []
    assert list(faults_of("a", 'fail("x is no longer there");  // "is no count"\n', True)) == []

    thirty = "word " * 29 + "word"
    halves = "word " * 14 + "word\n/// " + "word " * 14 + "word"
    assert list(faults_of_docstrings("a.hpp", f"/// {halves}.\nint x;\n")) == []
    assert list(faults_of_docstrings("a.hpp", f"/// {halves} more.\nint x;\n")) != []
    assert list(faults_of_docstrings("a.hpp", f"/// {halves}. More of `code that is one word`.\nint x;\n")) == []
    assert list(faults_of_docstrings("a.hpp", f"/// These:\n/// - {halves}\n/// - more.\n")) == []
    assert list(faults_of_docstrings("a.hpp", f"int x;  ///< {thirty}\nint y;  ///< more\n")) == []
    assert list(faults_of_docstrings("a.hpp", f"int x;  ///< {thirty}\n        ///< more\n")) != []
    assert list(faults_of_docstrings("a.h", f'f("//");  // {thirty} more\n')) != []
    assert list(faults_of_docstrings("a.py", f'def f():\n    """{thirty} more."""\n')) != []
    assert list(faults_of_docstrings("a.py", f'def f():\n    """{thirty}."""\n')) == []
    assert list(faults_of_docstrings("a.pyi", f"# {thirty}\n# more\n")) != []
    assert list(faults_of_docstrings("a.cpp", f'def("f", "f(a, b)\\n\\n"\n  "{thirty} "\n  "more.");\n')) != []
    assert list(faults_of_docstrings("a.cpp", f'def("f", "f(a, b)\\n\\n"\n  "{thirty}.");\n')) == []

    assert list(faults_of_pages(["word " * 600, "word " * 31000])) == []
    assert list(faults_of_pages(["word " * 600, "word " * 31001])) != []


if sys.argv[1] == "--self-test":
    self_test()
else:
    sys.exit("\n".join(faults_in(pathlib.Path(sys.argv[1]))) or 0)
