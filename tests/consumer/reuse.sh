#!/usr/bin/env bash
# Compiler launcher of a build that packs a shared library: takes the object that the build in
# $BUILD has under the same path, since objects are the same for a static and a shared library.
# $REUSED, if set, is a pattern of the paths for which it does. Of those that match $READ the source is
# read before, as it stands alone.
set -euo pipefail

object=''
depfile=''
previous=''
for argument in "$@"; do
  if [ "$previous" = -o ]; then object=$argument; fi
  if [ "$previous" = -MF ]; then depfile=$argument; fi
  previous=$argument
done
path=$(realpath -m "$object")
made=$BUILD/${path#"$REUSING"/}
if [ -z "$object" ] || [ "${path#"$REUSING"/}" = "$path" ] || [ ! -f "$made" ]; then exec "$@"; fi
# shellcheck disable=SC2053 # patterns
if [[ $path == ${READ:-} ]]; then
  "$@" -fsyntax-only
elif [[ $path != ${REUSED:-*} ]]; then
  exec "$@"
fi
cp "$made" "$object"
if [ -n "$depfile" ]; then echo "$object:" >"$depfile"; fi
