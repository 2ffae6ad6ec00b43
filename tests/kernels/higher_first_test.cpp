// A kernel whose A has the higher id (`HigherFirst`) gives the same answers as the kernel that it
// is made from, called with the pair in the other order. Only one lane.

#define WIDEPHASE_ISA_scalar 1
#include "kernels/core/run/run.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/pairs/sphere_halfspace.hpp"
#include "reference/random.hpp"

namespace widephase::test {
namespace {

struct Contacts {
  Column<Pair> pair;
  Column<std::int64_t> source, offset;
  Column<float, 3> normal, point;
  Column<float> depth, point_depth;
  Column<std::uint8_t> status, point_counts;
  Column<std::uint32_t> feature;
  std::int64_t count = 0;
};

/// Ten planes and a hundred spheres. `Kernel` takes a sphere first.
class Shapes {
 public:
  Shapes() {
    Random random(5);
    for (int i = 0; i < kSpheres; ++i) {
      for (int k = 0; k < 3; ++k) spheres_.push_back({static_cast<float>(random.uniform(-2, 2))});
      spheres_.push_back({static_cast<float>(random.uniform(0.1, 1))});
    }
    for (int i = 0; i < kPlanes; ++i) {
      float row[8] = {};
      const Point<3> normal = random.direction<3>();
      for (int k = 0; k < 3; ++k) row[k] = static_cast<float>(normal[k]);
      row[3] = static_cast<float>(random.uniform(-1, 1));
      for (const float number : row) planes_.push_back({number});
    }
    for (int i = 0; i < kSpheres + kPlanes; ++i) {
      margins_.push_back({static_cast<float>(random.uniform(0, 0.1))});
    }
  }

  /// Every sphere against every plane, with ids that begin at `first_sphere` and `first_plane`.
  template <class Kernel>
  Contacts find(std::int32_t first_sphere, std::int32_t first_plane, bool is_sphere_first) const {
    std::vector<Pair> pairs;
    std::vector<float> margins(kSpheres + kPlanes);
    for (std::int32_t s = 0; s < kSpheres; ++s) {
      margins[static_cast<std::size_t>(first_sphere + s)] = margins_[static_cast<std::size_t>(s)];
      for (std::int32_t p = 0; p < kPlanes; ++p) {
        const Pair pair{first_sphere + s, first_plane + p};
        pairs.push_back(is_sphere_first ? pair : Pair{pair.b, pair.a});
      }
    }
    for (std::int32_t p = 0; p < kPlanes; ++p) {
      margins[static_cast<std::size_t>(first_plane + p)] =
          margins_[static_cast<std::size_t>(kSpheres + p)];
    }
    const PairKernel<3, float> kernel = make_pair_kernel<Kernel, 3, float>();
    EXPECT_EQ(kernel.takes_higher_first, first_plane < first_sphere);
    PairRun<3, float> run{};
    run.kind_a = Kind::sphere;
    run.kind_b = Kind::halfspace;
    run.rows_a = spheres_.plane() - std::ptrdiff_t{first_sphere} * 4;
    run.rows_b = planes_.plane() - std::ptrdiff_t{first_plane} * 8;
    run.pairs = pairs.data();
    run.count = static_cast<std::int64_t>(pairs.size());
    run.is_ascending = is_sphere_first && first_sphere < first_plane;
    run.margin = 0.25f;
    run.margins = margins.data();
    run.is_far = true;
    Contacts found;
    const std::size_t room = pairs.size() + 64;
    found.pair.resize(room);
    found.source.resize(room);
    found.offset.resize(room);
    found.normal.resize(room);
    found.point.resize(room);
    found.depth.resize(room);
    found.point_depth.resize(room);
    found.status.resize(room);
    found.point_counts.resize(room);
    found.feature.resize(room);
    ContactCursor<3, float> cursor{};
    cursor.pair = found.pair.plane();
    cursor.source = found.source.plane();
    cursor.normal = found.normal.plane();
    cursor.normal_stride = found.normal.plane(1) - found.normal.plane();
    cursor.depth = found.depth.plane();
    cursor.status = found.status.plane();
    cursor.offset = found.offset.plane();
    cursor.point = found.point.plane();
    cursor.point_stride = found.point.plane(1) - found.point.plane();
    cursor.point_depth = found.point_depth.plane();
    cursor.feature = found.feature.plane();
    cursor.point_counts = found.point_counts.plane();
    kernel.find_contacts(run, cursor);
    found.count = cursor.contact_count;
    return found;
  }

 private:
  static constexpr int kSpheres = 100, kPlanes = 10;
  Column<float> spheres_, planes_, margins_;
};

TEST(higher_first, answers_as_the_kernel_that_it_is_made_of) {
  using Plain = SphereHalfspace<Batch<float>, 3>;
  const Shapes shapes;
  for (const bool is_sphere_first : {true, false}) {
    SCOPED_TRACE(is_sphere_first ? "sphere first" : "plane first");
    // Spheres are ids 0 to 99 and planes 100 to 109; then planes 0 to 9 and spheres 10 to 109.
    const Contacts expected = shapes.find<Plain>(0, 100, is_sphere_first);
    const Contacts found = shapes.find<HigherFirst<Plain>>(10, 0, is_sphere_first);
    ASSERT_GT(expected.count, 200);
    ASSERT_EQ(found.count, expected.count);
    const auto renamed = [](std::int32_t id) { return id < 100 ? id + 10 : id - 100; };
    for (std::size_t i = 0; i < static_cast<std::size_t>(found.count); ++i) {
      EXPECT_EQ(found.pair[i], (Pair{renamed(expected.pair[i].a), renamed(expected.pair[i].b)}));
      EXPECT_EQ(found.source[i], expected.source[i]);
      EXPECT_EQ(found.normal.row(i), expected.normal.row(i));
      EXPECT_EQ(found.depth[i], expected.depth[i]);
      EXPECT_EQ(found.point.row(i), expected.point.row(i));
      EXPECT_EQ(found.point_depth[i], expected.point_depth[i]);
      EXPECT_EQ(found.feature[i], expected.feature[i]);
    }
  }
}

}  // namespace
}  // namespace widephase::test
