#pragma once

// Calls whose n-th allocation fails, for every n. A program of several files includes this once.

#include <gtest/gtest.h>

#include <widephase/widephase.hpp>

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {

/// Collects the bits of an answer.
class Answer {
 public:
  /// Adds the bytes of a column or a span.
  template <class C>
  Answer& add(const C& column)
    requires requires { C::width; }
  {
    mix(column.size());
    for (int w = 0; w < C::width; ++w) {
      for (std::size_t i = 0; i < column.size(); ++i) mix(bits_of(column(i, w)));
    }
    return *this;
  }
  template <int D, class T>
  Answer& add(const ContactBuffer<D, T>& contacts) {
    mix(hash(contacts));
    return *this;
  }
  template <int D, class T>
  Answer& add(const DistanceBuffer<D, T>& distances) {
    return add(distances.distance).add(distances.point_a).add(distances.point_b);
  }
  friend bool operator==(const Answer&, const Answer&) = default;

 private:
  void mix(std::uint64_t bits) { value_ = (value_ ^ bits) * 0x9e3779b97f4a7c15u + (value_ >> 29); }
  std::uint64_t value_ = 0;
};

/// Checks objects that `prepare` made ready. `call` is the call that fails, and `answer` reads what
/// it left. `is_valid` must hold for that.
template <class Objects, class Prepare, class Call, class Read, class IsValid>
void expect_survival(const Prepare& prepare, const Call& call, const Read& answer,
                     const IsValid& is_valid) {
  Objects untroubled;
  prepare(untroubled);
  call(untroubled);
  const Answer expected = answer(untroubled);
  for (long failing = 1;; ++failing) {
    SCOPED_TRACE(testing::Message() << "allocation " << failing);
    Objects objects;
    prepare(objects);
    bool is_done = false;
    const bool has_failed = fail_allocation(failing, [&] {
      call(objects);
      is_done = true;
    });
    if (!is_done) {
      ASSERT_TRUE(is_valid(objects));
      call(objects);
    }
    ASSERT_TRUE(answer(objects) == expected);
    if (!has_failed) {
      EXPECT_GT(failing, 1);
      return;
    }
  }
}
template <class Objects, class Prepare, class Call, class Read>
void expect_survival(const Prepare& prepare, const Call& call, const Read& answer) {
  expect_survival<Objects>(prepare, call, answer, [](const Objects&) { return true; });
}

/// Replaces all polygons or hulls of a scene by boxes, because building larger ones takes most of
/// the time of a small call.
template <int D, class T>
void use_boxes(SceneColumns<D, T>& scene) {
  scene.geometries = {};
  if constexpr (D == 2) {
    add_box_polygon(scene.geometries, SizeOf<T>(0.25), SizeOf<T>(0.5));
  } else {
    add_box_hull(scene.geometries, SizeOf<T>(0.25), SizeOf<T>(0.5), SizeOf<T>(0.5));
  }
  with_table(scene, D == 2 ? Kind::polygon : Kind::hull, [&](auto& instances) {
    if constexpr (requires { instances.geometry; }) {
      for (std::size_t i = 0; i < instances.geometry.size(); ++i) instances.geometry[i] = 0;
    }
  });
}

}  // namespace widephase::test
