#!/usr/bin/env bash
# build.sh DOXYGEN DOXYFILE FOLDER: the site, into FOLDER; fails on a public name without a docstring.
set -euo pipefail

rm -rf "$3/html" "$3/xml"
"$1" "$2"

# Doxygen 1.9.4 says nothing about values of enumerations: its XML tells.
awk '
  FNR == 1 { inside = 0 }
  /<enumvalue / { inside = 1; text = "" }
  inside && /<name>/ { name = $0; gsub(/ *<[^>]*>/, "", name) }
  inside && /<(brief|detailed)description>/ { reads = 1; sub(/.*<(brief|detailed)description>/, "") }
  inside && reads { line = $0; gsub(/<[^>]*>| /, "", line); text = text line }
  /<\/(brief|detailed)description>/ { reads = 0 }
  /<\/enumvalue>/ { if (text == "") bad = bad "\n  " name; inside = 0 }
  /<\/memberdef>/ && bad != "" { split(FILENAME, path, "/"); }
  END { if (bad != "") { print "values of enumerations without a docstring:" bad; exit 1 } }
' "$3"/xml/*.xml >&2
