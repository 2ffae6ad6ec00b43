#!/usr/bin/env bash
# readme_test.sh README SOURCE: the README's first C++ block is the source, letter for letter.
set -euo pipefail

awk '/^```cpp$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$1" | diff -u - "$2" || {
  echo "$1: its first C++ block differs from $2 (shown above); copy one into the other"
  exit 1
}
