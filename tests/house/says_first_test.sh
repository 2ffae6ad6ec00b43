#!/usr/bin/env bash
# scripts/test, scripts/demo and scripts/setup say what they install, how much that takes and how long it lasts, before they do it;
# with --dry-run they do nothing else.
#   says_first_test.sh SOURCE SCRATCH
set -euo pipefail

unset CI  # there scripts/test leaves out what people want to know
source=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/copy/web"
cp -r "$source/scripts" "$scratch/copy"
cp "$source"/web/package*.json "$scratch/copy/web"
cd "$scratch/copy"

# All but one package are installed, apt knows sizes, and what would be done is noted.
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
stub dpkg-query 'for name in "$@"; do
  case $name in -* | lammps-examples) ;; *) echo "$name:amd64 installed" ;; esac
done'
stub dpkg 'if [ "$1" = --print-architecture ]; then echo amd64; fi'
stub apt-get "case \"\$*\" in
  *--print-uris*) echo 'Need to get 12 MB of archives.'; echo 'After this operation, 34 MB of additional disk space will be used.' ;;
  *) echo \"done: \$*\" >&2 ;;
esac"
stub sudo 'if [ "$1" = -n ]; then shift; fi; exec "$@"'
for name in npm cmake; do stub $name "echo done: $name >&2; exit 1"; done
export PATH=$scratch/bin:$PATH

fail() { printf '%s:\n' "$1" >&2; cat "$scratch/said" >&2; exit 1; }
# said_before FIRST THEN: lines of what was said, as patterns.
said_before() {
  awk -v first="$1" -v then="$2" '$0 ~ first && !a { a = NR } $0 ~ then && !b { b = NR } END { exit !(a && b && a < b) }' \
    "$scratch/said" || fail "\"$1\" is not said before \"$2\""
}

for command in test demo; do
  "scripts/$command" --dry-run >"$scratch/said" 2>&1 || fail "scripts/$command --dry-run fails"
  said_before '[0-9] GB .*to download' 'minutes? on two cores'
  if grep -q '^done:' "$scratch/said"; then fail "scripts/$command --dry-run does something"; fi
done
# The demo's data are a package that nothing but dpkg tells of.
said_before 'missing.*lammps-examples' 'Need to get 12 MB'
said_before 'Need to get 12 MB' 'After this operation, 34 MB'

"scripts/setup" --demo >"$scratch/said" 2>&1 || fail "scripts/setup fails"
said_before 'installing 1?.*lammps-examples' '^  After this operation, 34 MB'
said_before '^  After this operation, 34 MB' '^done: .*install'
