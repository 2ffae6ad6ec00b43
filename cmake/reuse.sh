#!/usr/bin/env bash
# Compiler launcher of a build in $REUSING: takes the object that the build in $BUILD has under the same path, made of
# the same source by options that give the same object. $REUSED, if set, is a pattern of the paths for which it does.
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
# shellcheck disable=SC2053 # a pattern
if [ -z "$object" ] || [ "${path#"$REUSING"/}" = "$path" ] || [ ! -f "$made" ] || [[ $path != ${REUSED:-*} ]]; then
  exec "$@"
fi
cp "$made" "$object"
# It is as old as what it was taken from.
if [ -n "$depfile" ]; then echo "$object: $made" >"$depfile"; fi
