#!/usr/bin/env bash
# What CMake says where oneTBB or xsimd is missing: one sentence with their names and Debian's packages.
#   missing_test.sh CMAKE SOURCE SCRATCH GENERATOR CXX
set -euo pipefail

cmake=$1 source=$2 scratch=$3 generator=$4 cxx=$5
# expect SENTENCE PACKAGE...: configures as the README does, as if the packages were not there.
expect() {
  local said sentence=$1 hidden=()
  shift
  for package in "$@"; do hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
  rm -rf "$scratch"
  if said=$("$cmake" -S "$source" -B "$scratch" -G "$generator" -DCMAKE_CXX_COMPILER="$cxx" -DWIDEPHASE_TOOLS=OFF \
    -DWIDEPHASE_TESTS=OFF -DWIDEPHASE_EXAMPLES=OFF "${hidden[@]}" 2>&1); then
    echo "it is configured without $*" >&2
    exit 1
  fi
  # CMake breaks lines as it likes.
  if ! tr -s ' \n' ' ' <<<"$said" | grep -qF "$sentence"; then
    printf 'expected: %s\nbut without %s it said:\n%s\n' "$sentence" "$*" "$said" >&2
    exit 1
  fi
}
expect "widephase needs oneTBB (Debian: libtbb-dev) and xsimd 8.1 or newer (Debian: libxsimd-dev). Install" TBB xsimd
expect "widephase needs xsimd 8.1 or newer (Debian: libxsimd-dev). Install what is missing, or tell CMake" xsimd
expect "widephase needs oneTBB (Debian: libtbb-dev). Install" TBB
