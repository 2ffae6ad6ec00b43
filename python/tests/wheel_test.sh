#!/usr/bin/env bash
# wheel_test.sh SOURCE BUILD PYTHON CMAKE: a wheel of what BUILD has, in a virtual environment with
# nothing but the system's packages, and an installation by CMake. Needs no network.
set -euo pipefail

scratch=$2/python/wheel_test
rm -rf "$scratch"
mkdir -p "$scratch/elsewhere"
"$3" -m venv --system-site-packages "$scratch/venv"
python=$scratch/venv/bin/python

cat >"$scratch/try.py" <<'PYTHON'
import sys
import numpy, widephase

assert widephase.__file__.startswith(sys.argv[1]), widephase.__file__
scene = widephase.Scene(dimension=3)
scene.spheres.set(center=numpy.array([[0, 0, 0], [1.5, 0, 0]], numpy.float32), radius=1)
assert widephase.collide(scene).depth.tolist() == [0.5]
PYTHON

cd "$scratch/elsewhere"
export WIDEPHASE_BUILD_FOLDER=$2 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
"$python" -m pip wheel --quiet --no-build-isolation --no-index --no-deps -w "$scratch" "$1"
"$python" -m zipfile -l "$scratch"/widephase-*.whl >"$scratch/list"
for file in __init__.py __init__.pyi py.typed _widephase; do
  grep -q "widephase/$file" "$scratch/list" || { echo "the wheel has no $file"; exit 1; }
done
"$python" -m pip install --quiet --no-index "$scratch"/widephase-*.whl
"$python" -I "$scratch/try.py" "$scratch/venv"

"$4" --install "$2" --component widephase_python --prefix "$scratch/prefix" >/dev/null
folder=$(dirname "$(find "$scratch/prefix" -type d -name widephase)")
PYTHONPATH=$folder "$3" "$scratch/try.py" "$scratch/prefix"
