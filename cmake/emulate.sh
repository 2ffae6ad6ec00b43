#!/bin/sh
# Runs a program, under the emulator that WIDEPHASE_EMULATOR names when it is set:
#   WIDEPHASE_EMULATOR="qemu-x86_64 -cpu qemu64" ctest ...
# shellcheck disable=SC2086  # the variable holds a command and its arguments
exec ${WIDEPHASE_EMULATOR:-} "$@"
