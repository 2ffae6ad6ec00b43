#pragma once

// Finds errors in the contacts of one convex shape with one height field, by the reference for
// surfaces.

#include <memory>
#include <string>
#include <vector>

#include "support/height_fields.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// A patch, copied out of the arrays. The shape is A, the field B.
template <class T>
struct PatchAnswer : Contact<3, T> {
  std::vector<std::int32_t> parts;  ///< of the points: triangles of the field
};

/// The patches of one pair of the list.
template <class T>
std::vector<PatchAnswer<T>> patches_of(const ContactBuffer<3, T>& contacts, std::int64_t source);

template <class T>
std::string describe(const PatchAnswer<T>& patch);

struct SurfaceRules {
  double margin = 0;
  /// Whether patches may have merged places whose normals differ by `patch_angle`; otherwise it was
  /// 0, and every triangle is cleared by one of the contacts.
  bool merges = false;
};

/// What is wrong with the contacts of a shape and a field, both as stored in `T`; empty if nothing.
/// Judges of the same shape and field by several rules may share what they search.
template <class T>
std::string surface_problem(const PlacedField& field, const Solid<3>& solid,
                            const SurfaceRules& rules, const std::vector<PatchAnswer<T>>& patches,
                            std::shared_ptr<KnownWays> known = std::make_shared<KnownWays>());

/// A scene with pairs of a convex shape and a field.
template <class T>
struct SurfaceScene {
  SceneColumns<3, T> scene;
  std::vector<Pair> pairs;

  /// Appends the field and returns its row.
  std::int32_t add(const PlacedField& field);
  /// Appends the shape, and its pair with the field of that row.
  void add_pair(const Solid<3>& solid, std::int32_t field_row);
  /// Fills `pairs` with the ids, once all are there.
  void name_pairs();

 private:
  struct Rows {
    Kind kind;
    std::int32_t row, field_row;
  };
  std::vector<Rows> rows_;
};

}  // namespace widephase::test
