// Steps with moving boxes whose order is kept from step to step. The pairs are those of brute force
// whatever happened before, in the same sequence for any threads and instruction set.
// Labels: threads long own-sets

#include <gtest/gtest.h>

#include <widephase/pairs.hpp>

#include "reference/scaled.hpp"
#include "support/boxes.hpp"

namespace widephase::test {
namespace {

template <class Case>
class kept_order : public testing::Test {};
TYPED_TEST_SUITE(kept_order, BoxCases);

PairOptions keeping(Isa isa = Isa::widest, int threads = 1) {
  PairOptions options = with(isa, threads);
  options.keeps_order = true;
  return options;
}

template <int D, class T>
void move_box(Boxes<D, T>& boxes, std::size_t i,
              const std::type_identity_t<std::array<double, D>>& by) {
  for (int d = 0; d < D; ++d) {
    const auto distance = static_cast<T>(by[static_cast<std::size_t>(d)]);
    boxes.bounds.min(i, d) += distance;
    boxes.bounds.max(i, d) += distance;
  }
}

/// Moves every box by up to `distance` along each axis.
template <int D, class T>
void move_all(Boxes<D, T>& boxes, double distance, Random& random) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    move_box(boxes, i, anywhere<D>(random, -distance, distance));
  }
}

template <int D, class T>
void swap_boxes(Boxes<D, T>& boxes, std::size_t a, std::size_t b) {
  for (int d = 0; d < D; ++d) {
    std::swap(boxes.bounds.min(a, d), boxes.bounds.min(b, d));
    std::swap(boxes.bounds.max(a, d), boxes.bounds.max(b, d));
  }
}

/// A scene, step by step: some boxes move a little, a few change places, one grows over all others,
/// one becomes invalid and comes back, and at last all change places.
template <int D, class T>
class Steps {
 public:
  static constexpr int kCount = 9;

  Steps(Boxes<D, T> boxes, std::uint64_t seed) : boxes_(std::move(boxes)), random_(seed) {}
  const Boxes<D, T>& boxes() const { return boxes_; }

  void take() {
    const std::size_t count = boxes_.size();
    move_all(boxes_, 0.1, random_);
    if (step_ % 4 == 2) {
      for (std::size_t i = 0; i < count / 40; ++i) swap_boxes(boxes_, any_box(), any_box());
    }
    if (step_ == 3) boxes_.bounds.min(7, 0) = std::numeric_limits<T>::quiet_NaN();
    if (step_ == 4) boxes_.bounds.min(7, 0) = boxes_.bounds.max(7, 0);
    if (step_ == 5) {
      for (int d = 0; d < D; ++d) boxes_.bounds.max(count / 2, d) += static_cast<T>(3);
    }
    if (step_ == 7) {
      for (std::size_t i = 0; i < count; ++i) swap_boxes(boxes_, i, any_box());
    }
    ++step_;
  }

 private:
  std::size_t any_box() {
    return static_cast<std::size_t>(random_.integer(0, static_cast<int>(boxes_.size()) - 1));
  }

  Boxes<D, T> boxes_;
  Random random_;
  int step_ = 0;
};

template <int D, class T>
Pairs find(const Boxes<D, T>& boxes, PairWorkspace<D, T>& workspace, const PairOptions& options) {
  Column<Pair> pairs;
  find_pairs<D, T>(boxes.bounds, boxes.filters(), boxes.domain, pairs, workspace, options);
  return to_pairs(pairs);
}

template <int D, class T>
void expect_right_steps(Boxes<D, T> boxes, Pairs (*reference)(const Boxes<D, T>&)) {
  Steps<D, T> steps(std::move(boxes), 3);
  PairWorkspace<D, T> workspace;
  for (int step = 0; step < Steps<D, T>::kCount; ++step) {
    ASSERT_TRUE(sorted(find(steps.boxes(), workspace, keeping())) == reference(steps.boxes()))
        << "step " << step;
    steps.take();
  }
}

TYPED_TEST(kept_order, every_family_in_motion_equals_brute_force) {
  WIDEPHASE_CASE
  for (const auto& family : families<D, T>()) {
    SCOPED_TRACE(family.name);
    Random random(5);
    expect_right_steps(family.make(560, random), plain_pairs<D, T>);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(kept_order, filters_worlds_and_images_in_motion_equal_brute_force) {
  WIDEPHASE_CASE
  for (const unsigned filters : {0u, 511u}) {
    for (const bool is_periodic : {false, true}) {
      for (const int worlds : {0, 2}) {
        SCOPED_TRACE(std::to_string(filters) + " " + std::to_string(is_periodic) + " " +
                     std::to_string(worlds));
        Random random(6);
        constexpr int kBoxes = 1200;
        Boxes<D, T> boxes = uniform<D, T>(kBoxes, random);
        add_filters(boxes, filters, random);
        boxes.world_mask.clear();
        if (worlds != 0) boxes.world.clear();
        for (int i = 0; i < kBoxes && worlds != 0; ++i) {
          boxes.world.push_back(random.integer(0, worlds) - 1);
        }
        for (int d = 0; d < D && is_periodic; ++d) {
          boxes.domain.max[d] = static_cast<T>(side_of<D, T>(kBoxes));
          boxes.domain.periodic[d] = d != 1;
        }
        expect_right_steps(std::move(boxes), expected_pairs<D, T>);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(kept_order, a_workspace_serves_other_scenes_in_between) {
  WIDEPHASE_CASE
  PairWorkspace<D, T> workspace;
  Random random(7);
  Boxes<D, T> two_worlds = uniform<D, T>(2000, random);
  for (int i = 0; i < 2000; ++i) two_worlds.world.push_back(i % 2);
  Boxes<D, T> first_world = two_worlds, second_world = two_worlds;
  first_world.world_mask = {1, 0};
  second_world.world_mask = {0, 1};
  const std::vector<Boxes<D, T>> scenes{uniform<D, T>(1000, random),
                                        sticks<D, T>(1000, random),
                                        uniform<D, T>(600, random),
                                        first_world,
                                        second_world,
                                        two_worlds,
                                        uniform<D, T>(0, random),
                                        one_huge<D, T>(2000, random)};
  for (int turn = 0; turn < 30; ++turn) {
    const Boxes<D, T>& boxes =
        scenes[static_cast<std::size_t>(random.integer(0, static_cast<int>(scenes.size()) - 1))];
    ASSERT_TRUE(sorted(find(boxes, workspace, keeping())) == expected_pairs(boxes)) << turn;
    ASSERT_TRUE(find(boxes, workspace, with(Isa::widest, 1)) == found_pairs(boxes)) << turn;
  }
}

TYPED_TEST(kept_order, threads_and_instruction_sets_do_not_change_the_sequence) {
  WIDEPHASE_CASE
  const int count = scaled(40000, 18000);
  for (const auto make : {uniform<D, T>, sticks<D, T>, two_outliers<D, T>}) {
    Random random(8);
    Boxes<D, T> boxes = make(count, random);
    const auto size = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < size; ++i) boxes.world.push_back(i % 100 == 0 ? -1 : i % 3 == 0);
    Steps<D, T> steps(std::move(boxes), 4);
    std::vector<PairOptions> options{keeping()};
    for (const Isa isa : isas()) options.push_back(keeping(isa, 2));
    for (const int threads : {3, 8}) options.push_back(keeping(Isa::widest, threads));
    std::vector<PairWorkspace<D, T>> workspaces(options.size());
    for (int step = 0; step < 5; ++step) {
      const Pairs first = find(steps.boxes(), workspaces[0], options[0]);
      for (std::size_t i = 1; i < options.size(); ++i) {
        ASSERT_TRUE(find(steps.boxes(), workspaces[i], options[i]) == first)
            << "step " << step << ", option " << i;
      }
      steps.take();
    }
  }
}

TYPED_TEST(kept_order, is_kept_in_slow_motion_and_made_anew_when_it_pays) {
  WIDEPHASE_CASE
  Random random(9);
  Boxes<D, T> boxes = uniform<D, T>(3000, random);
  PairWorkspace<D, T> workspace;
  const auto is_new = [&] { return find(boxes, workspace, keeping()) == found_pairs(boxes); };
  EXPECT_TRUE(is_new());
  for (int step = 0; step < 3; ++step) {
    move_all(boxes, 0.05, random);
    EXPECT_FALSE(is_new()) << step;
  }
  // The boxes move ever farther from where they were sorted, but too little to be strays.
  int sorted_steps = 0;
  for (int step = 0; step < 100; ++step) {
    move_all(boxes, 0.5, random);
    sorted_steps += is_new() ? 1 : 0;
  }
  EXPECT_GE(sorted_steps, 2);
  EXPECT_LE(sorted_steps, 50);
  // All boxes jump at once: they are sorted in the same step, without searching a useless tree
  // first.
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    swap_boxes(boxes, i, static_cast<std::size_t>(random.integer(0, 2999)));
  }
  EXPECT_TRUE(is_new());
}

}  // namespace
}  // namespace widephase::test
