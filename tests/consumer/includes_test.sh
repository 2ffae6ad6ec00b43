#!/usr/bin/env bash
# What a program gets that includes widephase.hpp: every public header, and nothing of xsimd or oneTBB.
#   includes_test.sh CXX FOLDER...      folders of public headers
set -euo pipefail
shopt -s nullglob

cxx=$1
shift
# included TEXT: the files that a source includes, in whatever depth.
included() {
  echo "$1" | "$cxx" -std=c++20 -x c++ "${@:2}" -E - | grep -oE '^# [0-9]+ "[^"]+"' | cut -d '"' -f 2 |
    sort -u
}
theirs='/(xsimd|tbb|oneapi)/'
folders=("${@/#/-I}")
# Read whole before it is searched: a pipe that grep leaves early fails.
of_tbb=$(included '#include <tbb/parallel_for.h>')
if ! grep -qE "$theirs" <<<"$of_tbb"; then
  echo "this test does not see oneTBB's headers where they are included" >&2
  exit 1
fi
if leaks=$(included $'#include <widephase/widephase.hpp>\n#include <widephase/widephase.h>' \
  "${folders[@]}" | grep -E "$theirs"); then
  printf 'public headers include:\n%s\n' "$leaks" >&2
  exit 1
fi
read=0
all=$(included '#include <widephase/widephase.hpp>' "${folders[@]}")
for folder in "$@"; do
  for header in "$folder"/widephase/*.hpp; do  # the C interface has none
    read=$((read + 1))
    if ! grep -qxF "$header" <<<"$all"; then
      echo "widephase.hpp does not include $header" >&2
      exit 1
    fi
  done
done
if [ "$read" -lt 20 ]; then
  echo "only $read headers were looked for" >&2
  exit 1
fi
