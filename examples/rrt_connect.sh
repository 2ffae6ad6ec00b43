#!/bin/sh
# Plans motions of the Panda arm in the scenes of the data folder: unpacks them and runs rrt_connect.
#
# usage: rrt_connect.sh RRT_CONNECT DATA [--hulls] [--scenes N]     (WIDEPHASE_DATA is used before DATA)
set -e
program=$1
data=${WIDEPHASE_DATA:-$2}/robots
shift 2
[ -f "$data/panda-problems.tar.bz2" ] || { echo "no data folder; set WIDEPHASE_DATA"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar xjf "$data/panda-problems.tar.bz2" -C "$folder" || { echo "no tar with bzip2"; exit 77; }
"$program" "$data/panda_spherized.urdf" "$data/panda.srdf" "$folder/problems" "$@"
