#!/usr/bin/env bash
# packaging_test.sh SOURCE PYTHON VERSION: recipes are readable, and name this version and its options.
set -euo pipefail
cd "$1"

"$2" - "$3" <<'PYTHON'
import ast, json, pathlib, re, sys

port = json.loads(pathlib.Path("packaging/vcpkg/vcpkg.json").read_text())
assert port["version"] == sys.argv[1], f"vcpkg.json is of version {port['version']}"
for recipe in pathlib.Path("packaging/conan").rglob("*.py"):
    ast.parse(recipe.read_text(), str(recipe))
options = set(re.findall(r"option\((WIDEPHASE_\w+)", pathlib.Path("CMakeLists.txt").read_text()))
named = set(re.findall(r"-D(WIDEPHASE_\w+)=", pathlib.Path("packaging/vcpkg/portfile.cmake").read_text()))
conan = pathlib.Path("packaging/conan/conanfile.py").read_text()
named |= set(re.findall(r'"(WIDEPHASE_\w+[A-Z])"', conan))
named |= {"WIDEPHASE_" + n for n in re.findall(r'"([A-Z]+)"', re.search(r"for name in \((.*)\)", conan)[1])}
assert len(named) >= 4 and named <= options, f"recipes name {sorted(named - options)}"
for folder in re.findall(r'"([^"]+)"', re.search(r"for pattern in \((.*)\)", conan)[1]):
    assert pathlib.Path(folder.removesuffix("/*")).exists(), f"conanfile.py exports {folder}"
PYTHON
