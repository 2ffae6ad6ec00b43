#!/usr/bin/env bash
# Counts instructions a pair of NEON's kernels beside AVX2's, each in QEMU's emulator, and prints a table in Markdown:
#   scripts/setup --bench --arm64 && bench/count_neon.sh [KIND...]
# KIND is a name of `roofline list` (default: all kernels of pairs, and distances of two alike). Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/environment

options=(-DWIDEPHASE_BENCH=ON -DWIDEPHASE_TESTS=OFF -DWIDEPHASE_TOOLS=OFF -DWIDEPHASE_PYTHON=OFF
  -DWIDEPHASE_EXAMPLES=OFF)
cmake --preset arm64 -B build/count-neon64 "${options[@]}" '-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG' >&2
cmake --preset bench -B build/count-avx2 "${configure_options[@]}" "${options[@]}" '-DWIDEPHASE_ISAS=scalar;avx2' >&2
for build in build/count-neon64 build/count-avx2; do cmake --build $build --target roofline >&2; done
plugin=build/count-avx2/libcount_instructions.so
"${CC:-cc}" -O2 -shared -fPIC -o $plugin bench/count_instructions.c

# count BUILD KIND: instructions of all pairs.
count() {
  local emulator=(qemu-x86_64 -cpu max)
  if [ "$1" = build/count-neon64 ]; then emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu); fi
  "${emulator[@]}" -plugin $plugin -d plugin "$1/bench/roofline" "$2" --once 2>&1 >/dev/null |
    sed -n 's/.*Collected : //p'
}

kinds=("$@")
if [ ${#kinds[@]} -eq 0 ]; then
  mapfile -t kinds < <(build/count-avx2/bench/roofline list |
    grep -E '^[^/]*$|^(capsule_capsule|box_box|hull_hull|cylinder_cylinder|polygon_polygon)2?/distance')
fi
echo '| kernel | AVX2 | NEON | ratio |'
echo '|---|---|---|---|'
for kind in "${kinds[@]}"; do
  pairs=$(build/count-avx2/bench/roofline "$kind" --once | cut -d' ' -f4)
  avx2=$(WIDEPHASE_ISA=avx2 count build/count-avx2 "$kind")
  neon=$(WIDEPHASE_ISA=neon64 count build/count-neon64 "$kind")
  awk -v kind="$kind" -v pairs="$pairs" -v avx2="$avx2" -v neon="$neon" 'BEGIN {
    printf "| %s | %.0f | %.0f | %.2f |\n", kind, avx2 / pairs, neon / pairs, neon / avx2
  }'
done
