#!/usr/bin/env bash
# Reads the symbols of objects that are compiled for one instruction set, and fails on everything
# that could carry that set's code into the rest of a program:
#   - a weak or unique symbol: the linker keeps one of several copies, perhaps the AVX-512 one,
#     and a CPU without it then dies in what looks like plain std:: code. Allowed are functions of the
#     vector library whose mangled name has the object's own set, since they differ in each set;
#   - an external symbol besides the object's table;
#   - a global initializer: it runs at start, before any choice by CPU;
#   - a call to anything but memory copies and assertions: libm's answers differ between machines;
#   - in an AVX2 object, an instruction of AVX-512.
#
#   isa_objects_test.sh OBJECT...      paths hold widephase_SET_DIMENSION_REAL
#   isa_objects_test.sh --self-test    makes an object for each rule that breaks it
set -euo pipefail

nm=${NM:-nm}
objdump=${OBJDUMP:-objdump}
allowed_calls='^(_GLOBAL_OFFSET_TABLE_|mem(cpy|move|set|cmp)|abort|__stack_chk_fail|__assert_fail|.*assert.*)$'

# The word for a set in the vector library's mangled names; no word matches the scalar set.
set_word() {
  case $1 in
    sse2) echo '4sse2' ;;
    avx2) echo '4avx2' ;;
    avx512) echo '(6avx512|[0-9]+avx512[a-z]+)' ;;
    neon64) echo '6neon64' ;;
    *) echo '^$' ;;
  esac
}

# Prints one line per broken rule.
check_object() {
  local object=$1 isa
  isa=$(sed -nE 's/.*widephase_([a-z0-9]+)_[23]_(float|double).*/\1/p' <<<"$object")
  "$nm" --format=posix "$object" | awk -v own="$(set_word "$isa")" -v allowed="$allowed_calls" '
    $2 ~ /^[WVui]$/ && !($1 ~ /5xsimd/ && $1 ~ own) { print "weak symbol " $1 }
    $2 ~ /^[TDBRCGS]$/ && $1 !~ /kernel_table/ { print "external symbol " $1 }
    $2 ~ /^[TDBRCGS]$/ && $1 ~ /kernel_table/ { ++tables }
    $2 == "U" && $1 !~ allowed { print "call of " $1 }
    END { if (tables != 1) print tables + 0 " tables, not 1" }'
  "$objdump" -h "$object" | awk '
    $2 ~ /^\.(preinit_array|init_array|ctors)/ { print "global initializer in " $2 }'
  if [ "$isa" = avx2 ]; then
    # Only they begin with the byte 62, whatever registers they name. Bytes without a word go on a line.
    "$objdump" -d "$object" | awk '/^ *[0-9a-f]+:[ \t]+62 [0-9a-f ]+\t/ { sub(/^[^\t]*\t([0-9a-f ]+\t)?/, "");
      print "instruction of AVX-512: " $0 }'
  fi
}

check_all() {
  local object lines failed=0
  for object in "$@"; do
    lines=$(check_object "$object")
    if [ -n "$lines" ]; then
      failed=1
      # A thousand leaked helpers have one cause: the first ten show it.
      awk -v object="$object" 'NR <= 10 { print object ": " $0 }' <<<"$lines"
      echo "$object: $(wc -l <<<"$lines") in all"
    fi
  done
  return $failed
}

# expect WORDS SOURCE: checking an object made from SOURCE prints WORDS; "accepted" means it prints nothing.
expect() {
  local lines
  printf '%s\n' "$2" >"$scratch/widephase_avx2_2_float.cpp"
  "${CXX:-c++}" -std=c++20 -O0 -c "$scratch/widephase_avx2_2_float.cpp" \
    -o "$scratch/widephase_avx2_2_float.o"
  lines=$(check_object "$scratch/widephase_avx2_2_float.o")
  if ! grep -q "$1" <<<"${lines:-accepted}"; then
    echo "expected '$1', got '${lines:-accepted}' for: $2"
    failed=1
  fi
}

self_test() {
  failed=0
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  local table='extern const int kernel_table_x; const int kernel_table_x = 1;'
  expect '^accepted$' "$table static int local(int x) { return x; } [[gnu::used]] static int (*volatile use)(int) = local;"
  expect '^accepted$' "$table namespace xsimd { struct avx2; template <class A> int add(int x) { return x; } }
    static int call(int x) { return xsimd::add<xsimd::avx2>(x); } [[gnu::used]] static int (*volatile use)(int) = call;"
  expect 'weak symbol .*3add' "$table namespace xsimd { struct sse2; template <class A> int add(int x) { return x; } }
    static int call(int x) { return xsimd::add<xsimd::sse2>(x); } [[gnu::used]] static int (*volatile use)(int) = call;"
  expect 'weak symbol .*6shared' "$table inline int shared(int x) { return x; }
    [[gnu::used]] static int (*volatile use)(int) = shared;"
  expect 'weak symbol .*5value' "$table template <class T> struct Cache { static int value; };
    template <class T> int Cache<T>::value = 0; [[gnu::used]] static int* volatile use = &Cache<int>::value;"
  expect 'external symbol .*5other' "$table int other(int x) { return x; }"
  expect 'external symbol counter' "$table int counter = 0;"
  expect 'global initializer' "$table static volatile int seed = 1; static int first = seed;
    [[gnu::used]] static int* volatile use = &first;"
  expect 'call of sinf' "$table extern \"C\" float sinf(float);
    static float call(float x) { return sinf(x); } [[gnu::used]] static float (*volatile use)(float) = call;"
  if [ "$(uname -m)" = x86_64 ]; then
    expect 'instruction of AVX-512: .*zmm' "$table typedef float Wide __attribute__((vector_size(64)));
      [[gnu::target(\"avx512f\")]] static void twice(Wide* x) { *x += *x; }
      [[gnu::used]] static void (*volatile use)(Wide*) = twice;"
    expect 'instruction of AVX-512: .*ymm' "$table typedef long long Wide __attribute__((vector_size(32)));
      [[gnu::target(\"avx512f,avx512vl,avx512dq\")]] static void square(Wide* x) { *x = *x * *x; }
      [[gnu::used]] static void (*volatile use)(Wide*) = square;"
  fi
  expect '0 tables' 'static int nothing = 0; [[gnu::used]] static int* volatile use = &nothing;'
  return $failed
}

if [ "${1:-}" = --self-test ]; then
  self_test
else
  [ $# -gt 0 ] || { echo "no objects given" >&2; exit 2; }
  check_all "$@"
fi
