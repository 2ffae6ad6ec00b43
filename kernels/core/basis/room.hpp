#pragma once

#include <new>

#include "kernels/lanes/inline.hpp"

namespace widephase {
namespace {

/// Memory for one object that is too large for a thread's stack. Each call of `make` constructs it
/// anew.
template <class Object>
struct RoomFor {
  alignas(Object) unsigned char bytes[sizeof(Object)];

  template <class... Arguments>
  WIDEPHASE_INLINE Object& make(const Arguments&... arguments) {
    return *new (bytes) Object(arguments...);
  }
};

}  // namespace
}  // namespace widephase
