#pragma once

// Rows of bodies that rest on one another, and counts over their contacts, for the tests in
// tests/resting.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "support/compare.hpp"
#include "support/generate_resting.hpp"
#include "support/methods.hpp"
#include "support/resting_points.hpp"

namespace widephase::test {

inline constexpr double kMargin = 0.02;  // relative to the size

struct Row {
  std::string lower, upper;
  std::string name() const { return lower + "/" + upper; }
};

template <class T>
const char* name_of_real() {
  if (std::is_same_v<T, Mixed>) return "mixed";
  return sizeof(PositionOf<T>) == 4 ? "float" : "double";
}

template <class Check>
void in_each_precision(Check&& check) {
  check.template operator()<float>();
  check.template operator()<double>();
  check.template operator()<Mixed>();
}

inline CollideOptions options_for(double size, Method method = Method::automatic) {
  CollideOptions options;
  options.order = Order::source;
  options.method = method;
  options.margin = kMargin * size;
  options.threads.count = 1;
  return options;
}

inline const std::vector<Row>& faces_on_faces() {
  static const std::vector<Row> kRows{
      {"aabb", "box"},          {"box", "box"},       {"box", "hull"},     {"hull", "hull"},
      {"box", "cylinder"},      {"box", "prism8"},    {"box", "prism32"},  {"prism6", "prism8"},
      {"cylinder", "cylinder"}, {"box", "rounded"},   {"rounded", "cone"}, {"aabb", "cone"},
      {"hull", "cone"},         {"upturned", "cone"},
  };
  return kRows;
}

/// `gjk_epa` too, where `auto` uses separating axes.
inline std::vector<Method> methods_of(const Row& row) {
  if (row.name() == "box/box" || row.name() == "hull/hull") {
    return {Method::automatic, Method::gjk_epa};
  }
  return {Method::automatic};
}

/// How far points of a rounded body may lie inside if its face leans by `tilt`
/// (docs/conventions.md, Points): by the rounding times 1 - cos(tilt).
inline double inside_if_leaning(const SolidPair<3>& pair, double tilt) {
  return std::max(pair.a.rounding, pair.b.rounding) * tilt * tilt / 2;
}

/// Counts errors in a list of contacts by text, with the first pair of each.
struct Flaws {
  std::size_t contacts = 0, wrong = 0;
  std::string text;

  void add(const std::string& flaw, const SolidPair<3>& pair, const std::string& contact) {
    ++contacts;
    if (flaw.empty() || ++wrong > 2) return;
    text +=
        "\n" + flaw + "\n  A " + describe(pair.a) + "\n  B " + describe(pair.b) + "\n  " + contact;
  }
};

/// Counts face contacts whose points do not enclose the centre or cover too small a part.
struct Shares {
  std::size_t faces = 0, aside = 0, small = 0;
  double least_area = 1;
  std::string text;

  template <class T>
  void add(const SolidPair<3>& pair, const Contact<3, T>& contact) {
    const FaceShare share = face_share(pair.a, pair.b, contact.normal, contact.points);
    if (!share.is_face) return;
    ++faces;
    // The circle of a cap is a polygon for this test, and a different one for the kernels.
    const bool is_round = has_round(pair.a, pair.b);
    const double allowed = is_round ? 1e-3 : sizeof(SizeOf<T>) == 4 ? 1e-5 : 1e-9;
    const bool is_aside = share.center_above > allowed;
    const bool is_small = share.area < (share.is_quad ? 0.9 : 0.7);
    least_area = std::min(least_area, share.area);
    aside += is_aside ? 1 : 0;
    small += is_small ? 1 : 0;
    if (!(is_aside || is_small) || aside + small > 2) return;
    std::ostringstream out;
    out << "\n  area " << share.area << ", the middle is " << share.center_above << " outside\n  A "
        << describe(pair.a) << "\n  B " << describe(pair.b) << "\n  " << describe(contact);
    text += out.str();
  }
  void expect_good(const std::string& what) const {
    EXPECT_GT(faces, 0u) << what;
    EXPECT_EQ(aside, 0u) << what << ": of " << faces << " the middle is outside" << text;
    EXPECT_EQ(small, 0u) << what << ": of " << faces << " as small as " << least_area << text;
  }
};

}  // namespace widephase::test
