#!/usr/bin/env bash
# Builds and runs another project's program against widephase:
#   consumer_test.sh install|find_package|find_package_mpi|pkg_config|add_subdirectory|library|packages
# The build tells by environment where it is: SOURCE, BUILD, SCRATCH, CMAKE, CPACK, GENERATOR, CC,
# CXX, CONFIG, ISAS, VERSION, for find_package_mpi also MPIRUN and ARCHIVE, the component's library.
set -euo pipefail

prefix=$SCRATCH/prefix
here=$SOURCE/tests/consumer
out=$SCRATCH/$1

run_by=()
build_and_run() {
  "$CMAKE" -S "$here/$1" -B "$out" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" "${@:2}"
  "$CMAKE" --build "$out" --parallel 2
  "${run_by[@]}" "$out/consumer"
}

# find_package_of PREFIX, pkg_config_of PREFIX: programs in C++ and C against what lies there.
find_package_of() {
  build_and_run find_package -DCMAKE_PREFIX_PATH="$1" -DWANTED_PREFIX="$1" \
    -DWANTED_VERSION="$VERSION"
  "$out/consumer_c"
}
pkg_config_of() {
  mkdir -p "$out"
  PKG_CONFIG_PATH=$(dirname "$(find "$1" -name widephase.pc)")
  export PKG_CONFIG_PATH
  pkg-config --exists --print-errors "widephase = $VERSION"
  read -ra flags <<<"$(pkg-config --cflags --libs widephase)"
  "$CXX" -std=c++20 "$here/main.cpp" -o "$out/consumer" "${flags[@]}"
  "$CC" -std=c99 "$here/main.c" -o "$out/consumer_c" "${flags[@]}"
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir widephase)
  export LD_LIBRARY_PATH
  "$out/consumer"
  "$out/consumer_c"
}

# The library alone by the three lines of the README, and a program of a project in C that links it.
# Objects are those of $BUILD.
library() {
  local options
  read -ra options <<<"$(sed -nE 's/^cmake -B build\/library ([^#]*).*/\1/p' "$SOURCE/README.md")"
  REUSING=$out/build "$CMAKE" -S "$SOURCE" -B "$out/build" -G "$GENERATOR" "${options[@]}" \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_COMPILER_LAUNCHER="$SOURCE/cmake/reuse.sh" \
    -DCMAKE_BUILD_TYPE="$CONFIG" -DWIDEPHASE_ISAS="$ISAS"
  REUSING=$out/build "$CMAKE" --build "$out/build" --parallel 2
  "$CMAKE" --install "$out/build" --prefix "$out/prefix"
  "$CMAKE" -S "$here/find_package_c" -B "$out/program" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_PREFIX_PATH="$out/prefix" -DWANTED_VERSION="$VERSION"
  "$CMAKE" --build "$out/program"
  "$out/program/consumer"
}

# expect_field PACKAGE FIELD PATTERN
expect_field() {
  local value
  value=$(dpkg-deb -f "$1" "$2")
  if ! grep -qE "$3" <<<"$value"; then
    echo "$(basename "$1"): $2 is '$value'; expected $3" >&2
    exit 1
  fi
}

# Packs what a build with BUILD_SHARED_LIBS=ON makes, and uses what is in the packages.
packages() {
  local root=$out/root packs=$out/packs name minor file
  minor=${VERSION%.*}
  REUSING=$out/build "$CMAKE" -S "$SOURCE" -B "$out/build" --preset deb -G "$GENERATOR" \
    -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_COMPILER_LAUNCHER="$SOURCE/cmake/reuse.sh" \
    -DCMAKE_BUILD_TYPE="$CONFIG" -DWIDEPHASE_ISAS="$ISAS"
  REUSING=$out/build "$CMAKE" --build "$out/build" --parallel 2
  "$here/exports_test.sh" "$out/build/libwidephase.so" \
    "$SOURCE/c/include/widephase/widephase.h"
  "$CPACK" --config "$out/build/CPackConfig.cmake" -G DEB -B "$packs"

  for name in "libwidephase$minor" libwidephase-dev widephase; do
    file=$(echo "$packs/${name}_${VERSION}"_*.deb)
    expect_field "$file" Version "^$VERSION\$"
    dpkg-deb -x "$file" "$root"
    for file in copyright changelog.gz; do
      [ -s "$root/usr/share/doc/$name/$file" ] || { echo "$name has no $file" >&2; exit 1; }
    done
  done
  expect_field "$packs/libwidephase$minor"_*.deb Depends 'libc6 .*libstdc\+\+6 .*libtbb12'
  expect_field "$packs"/libwidephase-dev_*.deb Depends "^libwidephase$minor \\(= $VERSION\\)\$"
  expect_field "$packs"/widephase_*.deb Depends "libwidephase$minor \\(= $VERSION\\)"
  expect_field "$packs"/widephase_*.deb Depends 'libzip4 '
  find_package_of "$root/usr"
  pkg_config_of "$root/usr"
  "$root/usr/bin/widephase" info >/dev/null
}

rm -rf "$out"
unset DESTDIR CMAKE_BUILD_TYPE CXXFLAGS
case $1 in
  install)
    rm -rf "$prefix"
    for component in widephase_runtime widephase_development; do
      "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$prefix" --component $component
    done
    ;;
  find_package) find_package_of "$prefix" ;;
  find_package_mpi)
    run_by=("$MPIRUN" -n 2)
    build_and_run find_package_mpi -DCMAKE_PREFIX_PATH="$prefix" -DWANTED_PREFIX="$prefix" \
      -DWANTED_VERSION="$VERSION"
    # What is not marked WIDEPHASE_API is hidden, for a shared library.
    symbols=$(readelf -sW "$ARCHIVE" | c++filt)
    # As a name, not in a parameter's type.
    shown=$(grep -E ' (GLOBAL|WEAK) +DEFAULT +[0-9]+ [^(]*widephase::(Communicator|PointSets|run_together)' \
      <<<"$symbols" || true)
    [ -z "$shown" ] || { echo "$ARCHIVE shows what is its own: $shown" >&2; exit 1; }
    ;;
  pkg_config) pkg_config_of "$prefix" ;;
  packages) packages ;;
  library) library ;;
  add_subdirectory)
    # One instruction set is enough here. The C interface is compiled by the project's options; all else is that of
    # $BUILD, if it has it.
    export REUSING=$out/widephase REUSED='*/widephase_@(soa|geometry|pipeline|scalar_*).dir/*.o'
    build_and_run add_subdirectory -DWIDEPHASE_SOURCE="$SOURCE" -DWIDEPHASE_ISAS=scalar \
      -DCMAKE_CXX_COMPILER_LAUNCHER="$SOURCE/cmake/reuse.sh"
    ;;
  *)
    echo "unknown way to use widephase: $1" >&2
    exit 2
    ;;
esac
