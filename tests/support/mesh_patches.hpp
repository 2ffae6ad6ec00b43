#pragma once

// The patches of shapes with a surface, and whether those of two surfaces are alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/mesh_shapes.hpp"

namespace widephase::test {

struct PatchPoint {
  Point3d at;
  std::int32_t part;  ///< the surface's triangle; -1 none
  bool is_face;       ///< within that triangle
};
struct Patch {
  Point3d normal;
  double depth;
  std::vector<PatchPoint> points;

  std::set<std::int32_t> parts() const {
    std::set<std::int32_t> all;
    for (const PatchPoint& point : points) all.insert(point.part);
    return all;
  }
};

/// A contact of a shape with the surface.
template <class T>
Patch patch_of(const ContactBuffer<3, T>& contacts, std::size_t contact) {
  Patch patch{{}, static_cast<double>(contacts.depth[contact]), {}};
  for (int k = 0; k < 3; ++k) patch.normal[k] = static_cast<double>(contacts.normal(contact, k));
  for (auto n = contacts.offset[contact]; n < contacts.offset[contact + 1]; ++n) {
    const auto row = static_cast<std::size_t>(n);
    PatchPoint point{{},
                     contacts.part.empty() ? -1 : contacts.part(row, 1),
                     (contacts.feature[row] & 0xffffu) == feature_half(Feature::face, 0)};
    for (int k = 0; k < 3; ++k) point.at[k] = static_cast<double>(contacts.point(row, k));
    patch.points.push_back(point);
  }
  return patch;
}

/// The patches of each shape with the surface, which is the last shape, in the order of normals.
template <class T>
std::vector<std::vector<Patch>> patches_of(const SceneColumns<3, T>& scene,
                                           const CollideOptions& options = {}) {
  const std::int32_t shapes = layout_of(scene).shape_count() - 1;
  std::vector<Pair> pairs;
  for (std::int32_t id = 0; id < shapes; ++id) pairs.push_back({id, shapes});
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(scene, pairs, contacts, workspace, options);
  std::vector<std::vector<Patch>> all(static_cast<std::size_t>(shapes));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    all[static_cast<std::size_t>(contacts.source[i])].push_back(patch_of(contacts, i));
  }
  for (auto& patches : all) {
    std::sort(patches.begin(), patches.end(),
              [](const Patch& a, const Patch& b) { return a.normal < b.normal; });
  }
  return all;
}

inline std::string text_of(const std::vector<Patch>& patches) {
  std::string text;
  for (const Patch& patch : patches) {
    text += "\n  normal";
    for (const double x : patch.normal) text += " " + std::to_string(x);
    text += " depth " + std::to_string(patch.depth) + " points";
    for (const PatchPoint& point : patch.points) {
      text += " " + std::to_string(point.part) + (point.is_face ? "f" : "");
    }
  }
  return text.empty() ? " none" : text;
}

/// The first patch of one answer that has none of the other within lengths and turns; null if there
/// is none. Grazing ones may miss.
inline const Patch* unlike(const std::vector<Patch>& a, const std::vector<Patch>& b, double length,
                           double turn, double margin, bool with_points) {
  const auto has = [&](const std::vector<Patch>& in, const Patch& wanted) {
    return std::any_of(in.begin(), in.end(), [&](const Patch& patch) {
      const Point3d off = minus(patch.normal, wanted.normal);
      return std::sqrt(product(off, off)) <= turn &&
             std::abs(patch.depth - wanted.depth) <= length &&
             (!with_points || patch.points.size() == wanted.points.size());
    });
  };
  for (const auto& [from, in] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (const Patch& patch : *from) {
      if (patch.depth > length - margin && !has(*in, patch)) return &patch;
    }
  }
  return nullptr;
}
inline void expect_alike(const std::vector<Patch>& a, const std::vector<Patch>& b, double length,
                         double turn, double margin, bool with_points, const std::string& what) {
  EXPECT_EQ(unlike(a, b, length, turn, margin, with_points), nullptr)
      << what << text_of(a) << "\nand" << text_of(b);
}

template <class T>
inline constexpr double kLength = sizeof(SizeOf<T>) == 4 ? 2e-5 : 1e-9;

/// Shapes of every kind have the same patches on two meshes of one surface.
template <class T>
void expect_same_patches(Random& random, const MeshShape& one, const MeshShape& other,
                         bool with_points, std::size_t shapes = 160, double height = 0.1) {
  Ground<T> first;
  add_shapes<T>(
      random, static_cast<int>(shapes), 8, [&](double, double) { return height; }, first);
  Ground<T> second = first;
  first.place_mesh(first.add_mesh_of(one.vertices, one.triangles), {0.5, 0.25, 0});
  second.place_mesh(second.add_mesh_of(other.vertices, other.triangles), {0.5, 0.25, 0});
  const auto a = patches_of(first.scene), b = patches_of(second.scene);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += a[i].size();
    expect_alike(a[i], b[i], kLength<T>, 1e-3, 0, with_points, "shape " + std::to_string(i));
  }
  EXPECT_GT(count, 40u);
}

}  // namespace widephase::test
