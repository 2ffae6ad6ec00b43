#!/usr/bin/env bash
# readme_test.sh README SOURCE: the README's first C++ block is the source, letter for letter, and the
# tests that it names exist.
set -euo pipefail

awk '/^```cpp$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$1" | diff -u - "$2" || {
  echo "$1: its first C++ block differs from $2 (shown above); copy one into the other"
  exit 1
}

missing=0
for name in $(grep -oE '\b[a-z0-9_]+_test\b' "$1" | sort -u); do
  if ! find "$(dirname "$0")/.." -name "$name.*" | grep -q .; then
    echo "$1 names $name, which is not a test" >&2
    missing=1
  fi
done
exit $missing
