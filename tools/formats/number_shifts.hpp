#pragma once

// Numbers of several scenes, made different by numbering those of later scenes on.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "tools/formats/file_error.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// Numbers of one meaning (owners, keys) in several scenes: each scene's are moved up by the least
/// number that puts them above those of the scenes before.
template <class T>
class Shifts {
 public:
  explicit Shifts(const char* what) : what_(what) {}

  /// The shift of the next scene, from its least and largest number.
  T add(const SceneFile& scene, T least, T most) {
    T shift = 0;
    if (has_any_ && least <= most_) {
      constexpr T kMost = std::numeric_limits<T>::max();
      const bool is_beyond = __builtin_sub_overflow(most_, least, &shift) || shift == kMost ||
                             most > kMost - (shift + 1);
      if (is_beyond) {
        throw FileError(scene.path(), fmt::format("has {} from {} to {}, which cannot be numbered "
                                                  "on from {}: they would exceed {}",
                                                  what_, least, most, most_, kMost));
      }
      ++shift;
    }
    const T top = static_cast<T>(most + shift);
    most_ = has_any_ ? std::max(most_, top) : top;
    has_any_ = true;
    return shift;
  }

 private:
  const char* what_;
  bool has_any_ = false;
  T most_ = 0;
};

/// All numbers of a field such as ".owner", and those of the array of pairs `excluded`; not -1.
std::set<std::int32_t> numbers_of(const SceneFile& scene, std::string_view field,
                                  std::string_view excluded);

/// What is added to the owners of `kept`, so that none is an owner of the scene; `merged` adds the
/// same. An owner of two files is not one object, and shapes of one owner never meet.
std::int32_t owner_shift(const SceneFile& scene, const SceneFile& kept);

/// Whether a scene names a world; what is in all worlds, such as a planning scene, names none.
bool names_worlds(const SceneFile& scene);

/// What is said of a scene that names none, beside one with so many.
std::string all_worlds_note(const SceneFile& scene, std::int64_t worlds);

}  // namespace widephase::tools
