#!/usr/bin/env bash
# The site is not built if a public name of any sort has no docstring, and all files that pages name exist:
#   docs_test.sh BUILD DOXYGEN DOXYFILE HEADERS SCRATCH SOURCE
set -euo pipefail

build=$1 doxygen=$2 doxyfile=$3 scratch=$5 source=$6
IFS=';' read -ra headers <<<"$4"
rm -rf "$scratch"
mkdir -p "$scratch"

# site HEADER: docs/site/build.sh over one header.
site() {
  { cat "$doxyfile"; printf 'INPUT = "%s"\nUSE_MDFILE_AS_MAINPAGE =\nOUTPUT_DIRECTORY = "%s"\n' "$1" "$scratch"; } \
    >"$scratch/Doxyfile"
  "$build" "$doxygen" "$scratch/Doxyfile" "$scratch" >"$scratch/output" 2>&1
}

cat >"$scratch/written.hpp" <<'CPP'
/// \file
/// A header.

/// A macro.
#define A_MACRO 1

/// A namespace.
namespace widephase {
/// A type.
struct Type {
  int member;  ///< a member
  /// A function of it.
  void method();
  /// \cond  The library's own.
  void hidden();
  /// \endcond
};
/// A template.
template <class T>
struct Table {
  using Real = T;  ///< a type
};
/// A constant.
inline constexpr int kConstant = 1;
/// Values.
enum class Values {
  first,  ///< the first
  second  ///< the second
};
/// Another name.
using Name = Type;
/// A function.
void function();
}  // namespace widephase

/// A name of C.
typedef int c_name;
/// A function of C.
void c_function(void);
CPP
if ! site "$scratch/written.hpp"; then
  echo "a header with all its docstrings is refused:" >&2
  cat "$scratch/output" >&2
  exit 1
fi

# Leaves out each docstring in turn: the message must contain its name.
failed=0
while IFS=$'\t' read -r docstring name; do
  grep -vxF "$docstring" "$scratch/written.hpp" | sed "s|  *///< ${docstring#///< }\$||" >"$scratch/silent.hpp"
  if site "$scratch/silent.hpp" || ! grep -qw "$name" "$scratch/output"; then
    echo "$name has no docstring, and the site is built or does not say so" >&2
    failed=1
  fi
done <<'NAMES'
/// A macro.	A_MACRO
/// A type.	Type
///< a member	member
  /// A function of it.	method
/// A template.	Table
///< a type	Real
/// A constant.	kConstant
/// Values.	Values
///< the first	first
///< the second	second
/// Another name.	Name
/// A function.	function
/// A name of C.	c_name
/// A function of C.	c_function
NAMES

# Doxygen sees names of C and macros only in a file that has a docstring itself.
for header in "${headers[@]}"; do
  if ! grep -q '^/// \\file$' "$header" && grep -qE '^(#define|typedef)|extern "C"' "$header"; then
    echo "$header has names outside of a namespace and no docstring that begins with \\file" >&2
    failed=1
  fi
done

cd "$source"
folders='soa|kernels|tests|bench|tools|scenes|examples|scripts|cmake|docs|packaging'
while IFS=: read -r page line name; do
  if ! compgen -G "${name//\`/}" >/dev/null; then
    echo "$page:$line: there is no $name" >&2
    failed=1
  fi
done < <(grep -onE "\`($folders)/[A-Za-z0-9_./*-]+\.[a-z]+\`" README.md CONTRIBUTING.md packaging/README.md docs/*.md)
exit $failed
