#!/usr/bin/env bash
# Builds and runs another project's program against widephase:
#   consumer_test.sh install|find_package|pkg_config|add_subdirectory
# The build tells by environment where it is: SOURCE, BUILD, SCRATCH, CMAKE, CXX, CONFIG, VERSION.
set -euo pipefail

prefix=$SCRATCH/prefix
here=$SOURCE/tests/consumer
out=$SCRATCH/$1

build_and_run() {
  "$CMAKE" -S "$here/$1" -B "$out" -DCMAKE_CXX_COMPILER="$CXX" "${@:2}"
  "$CMAKE" --build "$out" --parallel 2
  "$out/consumer"
}

rm -rf "$out"
unset DESTDIR CMAKE_BUILD_TYPE CXXFLAGS
case $1 in
  install)
    rm -rf "$prefix"
    "$CMAKE" --install "$BUILD" --config "$CONFIG" --prefix "$prefix" --component widephase_library
    ;;
  find_package)
    build_and_run find_package -DCMAKE_PREFIX_PATH="$prefix" -DWANTED_PREFIX="$prefix" \
      -DWANTED_VERSION="$VERSION"
    ;;
  pkg_config)
    mkdir -p "$out"
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name widephase.pc)")
    export PKG_CONFIG_PATH
    pkg-config --exists --print-errors "widephase = $VERSION"
    read -ra flags <<<"$(pkg-config --cflags --libs widephase)"
    "$CXX" -std=c++20 "$here/main.cpp" -o "$out/consumer" "${flags[@]}"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir widephase) "$out/consumer"
    ;;
  add_subdirectory)
    # One instruction set is enough here, and a quarter of the work.
    build_and_run add_subdirectory -DWIDEPHASE_SOURCE="$SOURCE" -DWIDEPHASE_ISAS=scalar
    ;;
  *)
    echo "unknown way to use widephase: $1" >&2
    exit 2
    ;;
esac
