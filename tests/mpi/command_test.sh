#!/usr/bin/env bash
# command_test.sh MPIRUN WIDEPHASE_MPI WIDEPHASE SCRATCH SOURCE: the command on several ranks writes the same bytes from any
# number of them, says what is wrong in one sentence, and goes on after a rank has died.
set -euo pipefail
mpirun=$1
ranked=$2
single=$3
source=$5
rm -rf "$4"
mkdir -p "$4"
cd "$4"

fail() {
  echo "command_test: $*" >&2
  exit 1
}
on() {
  local count=$1
  shift
  "$mpirun" -n "$count" "$ranked" "$@"
}
field() { sed -nE "s/.*\"$1\": ?\"?([^\",}]+).*/\1/p" | head -n 1; }

# One file and one hash from any number of ranks, also of different instruction sets.
"$single" generate mixed --dimension 2 --count 1500 -o scene.npz >/dev/null
# A rank that fails where the others do not ends them, when it has waited for them in vain: meanwhile the rest is tried.
{
  code=0
  "$mpirun" -n 2 "$ranked" collide scene.npz : -n 1 "$ranked" collide scene.npz --nonsense >/dev/null 2>alone.txt || code=$?
  echo "$code" >alone_code.txt
} &
alone=$!
expected=$("$single" collide scene.npz --json | field content_hash)
[ -n "$expected" ] || fail "widephase tells no content_hash"
for count in 1 2 5; do
  found=$(on $count collide scene.npz -o "contacts$count.npz" --json | field content_hash)
  [ "$found" = "$expected" ] || fail "$count ranks have the hash $found, one machine $expected"
  cmp contacts1.npz "contacts$count.npz" || fail "$count ranks write another file"
done
"$mpirun" -n 1 env WIDEPHASE_ISA=scalar "$ranked" collide scene.npz -o sets.npz : \
  -n 2 "$ranked" collide scene.npz -o sets.npz >/dev/null
cmp contacts1.npz sets.npz || fail "ranks of different instruction sets write another file"

# Two machines with addresses of their own, as far as ranks can tell: network namespaces, which root may make. Else
# ranks speak by TCP on one.
wire=wp$$
remove_machines() {
  ip netns del "$wire-1" 2>/dev/null || true
  ip netns del "$wire-2" 2>/dev/null || true
}
make_machines() {
  unshare -u true && ip netns add "$wire-1" && ip netns add "$wire-2" &&
    ip link add "$wire-a" netns "$wire-1" type veth peer name "$wire-b" netns "$wire-2" &&
    for end in 1:a 2:b; do
      ip -n "$wire-${end%:*}" addr add "10.77.0.${end%:*}/24" dev "$wire-${end#*:}" &&
        ip -n "$wire-${end%:*}" link set "$wire-${end#*:}" up &&
        ip -n "$wire-${end%:*}" link set lo up || return 1
    done
}
PATH=$PATH:/usr/sbin:/sbin
trap remove_machines EXIT
if make_machines 2>/dev/null; then
  # What mpirun starts ranks on another machine by, instead of ssh: agent ADDRESS COMMAND.
  printf '#!/bin/sh\nmachine=${1##*.}\nshift\nexec ip netns exec "%s-$machine" unshare -u sh -c "hostname machine-$machine; $*"\n' \
    "$wire" >agent
  chmod +x agent
  timeout 60 ip netns exec "$wire-1" unshare -u sh -c 'hostname machine-1; exec "$@"' - "$mpirun" --mca plm_rsh_agent "$PWD/agent" \
    --mca btl self,tcp --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
    --host 10.77.0.1:2,10.77.0.2:1 -n 3 "$ranked" collide "$PWD/scene.npz" -o "$PWD/machines.npz" >/dev/null ||
    fail "ranks on two machines end with $?"
  sent=$(ip -n "$wire-2" -s link show "$wire-b" | awk '/TX:/ {getline; print $1}')
  [ "$sent" -gt 20000 ] || fail "the second machine sends $sent bytes"
else
  OMPI_MCA_btl=self,tcp on 3 collide scene.npz -o machines.npz >/dev/null
fi
remove_machines
trap - EXIT
cmp contacts1.npz machines.npz || fail "ranks on two machines write another file"

# Files of each rank, with a manifest.
on 3 collide scene.npz -o parts --per-rank >/dev/null
[ "$(ls parts | tr '\n' ' ')" = "contacts.rank_0000.npz contacts.rank_0001.npz contacts.rank_0002.npz manifest.json " ] ||
  fail "three ranks write: $(ls parts)"
grep -q "\"content_hash\": \"$expected\"" parts/manifest.json || fail "the manifest has another hash"

# One sentence from all ranks together: a number that is wrong on one of them, a disk without room, a missing file.
expect_sentence() {
  local code=0
  on 3 collide "$1" -o "$2" >said.txt 2>errors.txt || code=$?
  [ "$code" -eq 1 ] || fail "$1 to $2: exit code $code"
  [ "$(grep -c "$3" errors.txt)" -eq 1 ] || fail "$1 to $2 does not say once that $3: $(cat errors.txt)"
}
printf '{"circle.center": [[0, 0], [1, 0], [9, 9]], "circle.radius": [1, 1, -1]}' >wrong.json
expect_sentence wrong.json wrong.npz 'wrong.json: circle.radius\[2\] is -1'
[ ! -e wrong.npz ] || fail "a wrong scene has contacts"
# The disk of one rank alone is full, as far as its shell tells.
code=0
OMPI_MCA_btl=self,tcp "$mpirun" -n 2 "$ranked" collide scene.npz -o limited --per-rank : \
  -n 1 bash -c 'ulimit -f 1; exec "$@"' - "$ranked" collide scene.npz -o limited --per-rank \
  >said.txt 2>errors.txt || code=$?
[ "$code" -eq 1 ] && [ "$(grep -c 'contacts.rank_0002.npz: .*File too large (rank 2)' errors.txt)" -eq 1 ] ||
  fail "a full disk of rank 2: exit code $code: $(cat errors.txt)"
[ ! -e limited/manifest.json ] || fail "a manifest names a file that rank 2 could not write"

# A disk that is really full, where root may mount one.
if unshare -m true 2>/dev/null; then
  mkdir small
  code=0
  unshare -m sh -c 'mount -t tmpfs -o size=16k none small && code=0 && { "$@" || code=$?; } && ls -A small && exit $code' - \
    "$mpirun" -n 3 "$ranked" collide scene.npz -o small/contacts.npz >left.txt 2>errors.txt || code=$?
  [ "$code" -eq 1 ] && [ "$(grep -c 'small/contacts.npz: .*No space left on device' errors.txt)" -eq 1 ] ||
    fail "a small disk: exit code $code: $(cat errors.txt)"
  [ ! -s left.txt ] || fail "on a full disk are left: $(cat left.txt)"
fi
if [ -e /dev/full ]; then expect_sentence scene.npz /dev/full 'No space left on device'; fi
expect_sentence missing.npz missing_contacts.npz 'missing.npz: '

wait "$alone"
[ "$(cat alone_code.txt)" -ne 0 ] && [ "$(grep -c 'widephase-mpi: rank 2 fails alone, .*--nonsense' alone.txt)" -eq 1 ] ||
  fail "a rank that fails alone: exit code $(cat alone_code.txt): $(cat alone.txt)"

# A rank dies between steps: the run ends, what is there is whole, and a second run goes on to the same bytes. What
# started the ranks ignored the ends of its children, and that a terminal goes away.
"$single" generate worlds --dimension 2 --count 6000 --worlds 150 -o steps.npz >/dev/null
on 3 collide steps.npz --steps all -o whole >/dev/null
"$mpirun" -n 3 env --ignore-signal=CHLD --ignore-signal=HUP "$ranked" collide steps.npz --steps all \
  -o broken >said.txt 2>errors.txt &
job=$!
until [ -e broken/step_000002.npz ]; do
  kill -0 "$job" 2>/dev/null || fail "the run ended early: $(cat errors.txt)"
  sleep 0.01
done
watcher=$(pgrep -P "$job" | tail -n 1)
victim=$(pgrep -P "$watcher")
rank=$(tr '\0' '\n' <"/proc/$victim/environ" | sed -n 's/^OMPI_COMM_WORLD_RANK=//p')
kill -HUP "$watcher"
kill -9 "$victim"
code=0
wait "$job" || code=$?
[ "$code" -ne 0 ] || fail "a run with a dead rank succeeds"
[ "$(grep -cE "^widephase-mpi: rank $rank on .* was killed by signal 9 .* --resume " errors.txt)" -eq 1 ] ||
  fail "nobody says which rank died: $(cat errors.txt)"
if ls -A broken | grep -vE '^(step_[0-9]{6}\.npz|manifest\.json)$'; then fail "unfinished files are left"; fi
[ "$(ls broken | wc -l)" -lt "$(ls whole | wc -l)" ] || fail "the run had ended before the rank died"
on 2 collide steps.npz --steps all -o broken --resume >resumed.txt
grep -q 'step 149' resumed.txt || fail "the last step is not answered"
if grep -q 'step 0:' resumed.txt; then fail "the first step is answered again"; fi
diff -r whole broken || fail "a resumed run writes other files"

# A folder of other answers is not gone on with.
code=0
on 2 collide steps.npz --steps all -o broken --resume --margin 0.5 >said.txt 2>errors.txt || code=$?
[ "$code" -eq 1 ] && grep -q 'not of this scene and these options' errors.txt || fail "options are mixed: $(cat errors.txt)"

# Contacts are followed through the steps, from any number of ranks and after an end in between. Circles drift; at each
# step another ninth of them is not there, so ids shift and keys name them.
awk 'BEGIN {
  srand(3)
  for (i = 0; i < 300; ++i) { x[i] = rand() * 12; y[i] = rand() * 12; drift[i] = rand() * 0.1 }
  for (step = 0; step < 6; ++step) for (i = 0; i < 300; ++i) if ((i + step) % 9) {
    center = center comma sprintf("[%.6f,%.6f]", x[i] + step * drift[i], y[i])
    radius = radius comma 0.4; key = key comma i; world = world comma step; comma = ","
  }
  printf "{\"circle.center\":[%s],\"circle.radius\":[%s],\"circle.key\":[%s],\"circle.world\":[%s]}", center, radius, key, world
}' >drift.json
for count in 1 3 7; do
  on $count collide drift.json --steps all --track -o "tracked$count" --json >"tracked$count.txt"
  diff -r tracked1 "tracked$count" || fail "$count ranks tell of other events"
done
begun=$(tail -n 1 tracked1.txt | field begun)
ended=$(tail -n 1 tracked1.txt | field ended)
contacts=$(tail -n 1 tracked1.txt | field contacts)
[ "$begun" -gt 20 ] && [ "$ended" -gt 20 ] && [ "$contacts" -gt $((2 * begun)) ] ||
  fail "of $contacts contacts $begun begin, and $ended ended"
on 2 collide drift.json --steps 0:2 --track -o tracked >/dev/null
on 3 collide drift.json --steps all --track -o tracked --resume >resumed.txt
if grep -q 'step 2:' resumed.txt; then fail "a tracked step is answered again"; fi
diff -r tracked1 tracked || fail "a resumed run tells of other events"

# Slurm's script, with two ranks for its machines and a first try that fails.
mkdir slurm
printf '#!/bin/sh\necho "$3 $4" >asked
if [ ! -e tried ]; then touch tried; exit 1; fi\nshift 4\nexec "%s" -n 2 "$@"\n' \
  "$mpirun" >slurm/srun
ln -s "$ranked" slurm/widephase-mpi
chmod +x slurm/srun
"$single" generate worlds --dimension 2 --count 40 --worlds 2 -o few.npz >/dev/null
PATH=$PWD/slurm:$PATH "$source/examples/many_machines.sbatch" few.npz answers >said.txt 2>errors.txt ||
  fail "Slurm's script: $(cat errors.txt)"
[ "$(cat asked)" = "--cpus-per-task=1 --kill-on-bad-exit=1" ] || fail "Slurm's script asks srun for $(cat asked)"
[ "$(ls answers | tr '\n' ' ')" = "manifest.json step_000000.npz step_000001.npz " ] || fail "it writes: $(ls answers)"
