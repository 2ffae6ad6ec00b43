#pragma once

#include "kernels/surface_table.hpp"

namespace widephase {
namespace {

/// Memory that is handed out in pieces; beyond its end it only counts.
class Arena {
 public:
  explicit Arena(const SurfaceRoom& room) : memory_(room.memory), bytes_(room.bytes) {}
  template <class Object>
  Object* take(std::size_t count) {
    const std::size_t begin = (used_ + 63) / 64 * 64;
    used_ = begin + count * sizeof(Object);
    if (used_ > bytes_) return nullptr;
    return reinterpret_cast<Object*>(memory_ + begin);
  }
  /// Gives back what `take` took last, but for the first ones.
  template <class Object>
  void keep(const Object* taken, std::size_t count) {
    used_ = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(taken + count) - memory_);
  }
  std::size_t used() const { return used_; }
  std::size_t left() const { return used_ < bytes_ ? bytes_ - used_ : 0; }

 private:
  std::byte* memory_;
  std::size_t bytes_;
  std::size_t used_ = 0;
};

}  // namespace
}  // namespace widephase
