#!/usr/bin/env bash
# A shared library shows names of widephase and no others, all that widephase.h declares among them:
#   exports_test.sh libwidephase.so widephase.h
set -euo pipefail

shown=$(nm --dynamic --defined-only --demangle "$1" | cut -d ' ' -f 3-)
others=$(grep -vE '(^| |\*|&)widephase(::|_)' <<<"$shown" || true)
if [ -n "$others" ]; then
  printf '%s shows names that are not of widephase:\n%s\n' "$1" "$others" >&2
  exit 1
fi
# Headers outside of the include folders are nobody's interface.
if internal=$(grep -E 'widephase::(NarrowPhase|TileTree|PairFilter|ContactRows|c_)' <<<"$shown"); then
  printf '%s shows internal names:\n%s\n' "$1" "$internal" >&2
  exit 1
fi
declared=$(grep -oE 'widephase_[a-z_0-9]+\(' "$2" | tr -d '(' | sort -u | grep -vE '^widephase_(rows|pair_side)$')
missing=$(comm -23 <(echo "$declared") <(sort -u <<<"$shown"))
if [ -n "$missing" ]; then
  printf '%s lacks functions that %s declares:\n%s\n' "$1" "$2" "$missing" >&2
  exit 1
fi
