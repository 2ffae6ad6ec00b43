#pragma once

// Calls with one convex shape and one height field, and comparisons of their patches.

#include <algorithm>
#include <string>
#include <vector>

#include "support/manifold3.hpp"
#include "support/surface_judge.hpp"

namespace widephase::test {

/// A field along the world's axes, sample (0, 0) at the origin.
inline PlacedField level_field(HeightSamples samples) {
  PlacedField field;
  field.samples = std::move(samples);
  return field;
}

/// The patches of every shape with the field, list by list.
template <class T>
std::vector<std::vector<PatchAnswer<T>>> ask_all(const PlacedField& field,
                                                 const std::vector<Solid<3>>& solids,
                                                 const CollideOptions& options = {}) {
  SurfaceScene<T> input;
  const std::int32_t row = input.add(field);
  for (const Solid<3>& solid : solids) input.add_pair(solid, row);
  input.name_pairs();
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  std::vector<std::vector<PatchAnswer<T>>> answers;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    answers.push_back(patches_of(contacts, static_cast<std::int64_t>(i)));
  }
  return answers;
}

template <class T>
std::string describe(const std::vector<PatchAnswer<T>>& patches) {
  std::string text;
  for (const PatchAnswer<T>& patch : patches) text += "\n  " + describe(patch);
  return text.empty() ? " none" : text;
}

template <class T>
std::vector<PatchAnswer<T>> ask_field(const PlacedField& field, const Solid<3>& solid,
                                      double margin = 0, double patch_angle = 5) {
  CollideOptions options;
  options.margin = margin;
  options.patch_angle = patch_angle;
  const Solid<3> own = stored<T>(solid);
  const auto patches = ask_all<T>(field, {own}, options)[0];
  const std::string problem =
      surface_problem<T>(stored<T>(field), own, {margin, patch_angle > 0}, patches);
  EXPECT_EQ(problem, "") << describe(solid) << describe(patches);
  return patches;
}

/// Whether each patch of `left` that is deeper than `least` has one of `right` with its normal and
/// depth, and vice versa.
template <class T>
::testing::AssertionResult same_patches(const std::vector<PatchAnswer<T>>& left,
                                        const std::vector<PatchAnswer<T>>& right, Real least,
                                        Real length_tolerance, Real turn_tolerance) {
  const auto has = [&](const std::vector<PatchAnswer<T>>& list, const PatchAnswer<T>& patch) {
    return std::ranges::any_of(list, [&](const PatchAnswer<T>& other) {
      return std::abs(other.depth - patch.depth) <= length_tolerance &&
             length(minus(other.normal, patch.normal)) <= turn_tolerance;
    });
  };
  for (const auto* list : {&left, &right}) {
    for (const PatchAnswer<T>& patch : *list) {
      if (patch.depth <= least || has(list == &left ? right : left, patch)) continue;
      return ::testing::AssertionFailure()
             << (list == &left ? "left" : "right") << " alone has " << describe(patch) << "\nleft"
             << describe(left) << "\nright" << describe(right);
    }
  }
  return ::testing::AssertionSuccess();
}

/// The area of the convex hull of a patch's points, seen along its normal.
template <class T>
double area_of_points(const Contact<3, T>& patch) {
  std::vector<Point<2>> flat;
  const auto tangents = across(patch.normal);
  for (const Vec<3>& point : patch.points) {
    const Vec<3> at = minus(point, patch.points[0]);
    flat.push_back(
        {static_cast<double>(dot(at, tangents[0])), static_cast<double>(dot(at, tangents[1]))});
  }
  const std::vector<Point<2>> corners = strictly_convex(flat);
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point<2>&u = corners[i], &v = corners[(i + 1) % corners.size()];
    area += (u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return area;
}

}  // namespace widephase::test
