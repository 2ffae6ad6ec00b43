#!/usr/bin/env bash
# A program that includes widephase.hpp under C++17 gets one error, which says what to do; one in C++11 may include the C header.
#   old_standard_test.sh CXX FOLDER...      folders of public headers
set -euo pipefail

cxx=$1
shift
folders=("${@/#/-I}")
# compile STANDARD HEADER
compile() { echo "#include <widephase/$2>" | "$cxx" "-std=$1" -x c++ "${folders[@]}" -fsyntax-only - 2>&1; }

if said=$(compile c++17 widephase.hpp); then
  echo "widephase.hpp compiles as C++17, and does not say that it needs C++20" >&2
  exit 1
fi
if [ "$(grep -c 'error:' <<<"$said")" -ne 1 ] || ! grep -q 'error:.*widephase needs C++20' <<<"$said"; then
  printf 'one error was expected, "widephase needs C++20 ...":\n%s\n' "$said" >&2
  exit 1
fi
compile c++20 widephase.hpp
compile c++11 widephase.h
