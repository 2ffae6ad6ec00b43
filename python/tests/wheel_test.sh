#!/usr/bin/env bash
# wheel_test.sh SOURCE BUILD PYTHON CMAKE: `pip install .` of what BUILD has, in a virtual environment without any
# package, and an installation by CMake. Needs no network.
set -euo pipefail

scratch=$2/python/wheel_test
rm -rf "$scratch"
mkdir -p "$scratch/elsewhere"
cd "$scratch/elsewhere"
export WIDEPHASE_BUILD_FOLDER=$2 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
fail() { echo "$1"; exit 1; }

cat >"$scratch/try.py" <<'PYTHON'
import sys
import numpy, widephase

assert widephase.__file__.startswith(sys.argv[1]), widephase.__file__
scene = widephase.Scene(dimension=3)
scene.spheres.set(center=numpy.array([[0, 0, 0], [1.5, 0, 0]], numpy.float32), radius=1)
assert widephase.collide(scene).depth.tolist() == [0.5]
PYTHON

# Without NumPy: the import says what is missing, in one line, and the command works.
"$3" -m venv "$scratch/bare"
bare=$scratch/bare/bin
"$bare/python" -m pip install --quiet --no-index "$1"
said=$("$bare/python" -I -c "import widephase" 2>&1) && fail "the import found a NumPy"
[ "$(tail -n 1 <<<"$said")" = "ImportError: widephase needs NumPy: python -m pip install numpy" ] ||
  fail "without NumPy the import says: $said"
"$bare/widephase" generate uniform --count 100 -o scene.npz >/dev/null
"$bare/widephase" --version | grep -q "[0-9]\.[0-9]" || fail "the command does not run"
text=$("$bare/python" -m pip show -v widephase)
for line in "^Summary: Collides shapes" "^License: MIT" "Documentation, .*docs/python.md" "Source, "; do
  grep -q "$line" <<<"$text" || fail "the package's text lacks $line"
done
"$bare/python" -m pip uninstall --quiet --yes widephase
[ ! -e "$bare/widephase" ] || fail "the command is left behind"

# With the system's: a wheel, its files, python -m widephase.
"$3" -m venv --system-site-packages "$scratch/venv"
python=$scratch/venv/bin/python
"$python" -m pip wheel --quiet --no-index --no-deps -w "$scratch" "$1"
"$python" -m zipfile -l "$scratch"/widephase-*.whl >"$scratch/list"
for file in widephase/__init__.py widephase/__init__.pyi widephase/__main__.py widephase/py.typed widephase/_widephase \
  scripts/widephase; do
  grep -q "$file" "$scratch/list" || fail "the wheel has no $file"
done
"$python" -m pip install --quiet --no-index "$scratch"/widephase-*.whl
"$python" -I "$scratch/try.py" "$scratch/venv"
[ "$("$python" -I -m widephase --version)" = "$("$scratch/venv/bin/widephase" --version)" ] ||
  fail "python -m widephase is another command"

"$4" --install "$2" --component widephase_python --prefix "$scratch/prefix" >/dev/null
folder=$(dirname "$(find "$scratch/prefix" -type d -name widephase)")
PYTHONPATH=$folder "$3" "$scratch/try.py" "$scratch/prefix"
