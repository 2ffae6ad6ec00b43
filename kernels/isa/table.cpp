// One object per instruction set, dimension and precision. Its only external symbol is its table.
// The build defines WIDEPHASE_ISA, WIDEPHASE_D and WIDEPHASE_REAL.

#include "kernels/broad/broad.hpp"
#include "kernels/core/run/check_pairs.hpp"
#include "kernels/core/run/closest.hpp"
#include "kernels/core/run/run.hpp"
#include "kernels/core/run/support2.hpp"
#include "kernels/core/run/support3.hpp"
#include "kernels/core/run/turns.hpp"
#include "kernels/pairs/aabb_aabb.hpp"
#include "kernels/pairs/aabb_halfspace.hpp"
#include "kernels/pairs/box_box.hpp"
#include "kernels/pairs/box_box3.hpp"
#include "kernels/pairs/box_halfspace.hpp"
#include "kernels/pairs/box_halfspace3.hpp"
#include "kernels/pairs/box_polygon.hpp"
#include "kernels/pairs/capsule_aabb3.hpp"
#include "kernels/pairs/capsule_box.hpp"
#include "kernels/pairs/capsule_box3.hpp"
#include "kernels/pairs/capsule_capsule2.hpp"
#include "kernels/pairs/capsule_capsule3.hpp"
#include "kernels/pairs/capsule_cone.hpp"
#include "kernels/pairs/capsule_halfspace.hpp"
#include "kernels/pairs/capsule_polygon.hpp"
#include "kernels/pairs/cone_cone.hpp"
#include "kernels/pairs/cone_convex.hpp"
#include "kernels/pairs/convex_convex.hpp"
#include "kernels/pairs/convex_ellipsoid.hpp"
#include "kernels/pairs/convex_halfspace.hpp"
#include "kernels/pairs/cylinder_cone.hpp"
#include "kernels/pairs/cylinder_convex.hpp"
#include "kernels/pairs/cylinder_cylinder.hpp"
#include "kernels/pairs/ellipsoid_cone.hpp"
#include "kernels/pairs/ellipsoid_ellipsoid.hpp"
#include "kernels/pairs/hull_hull.hpp"
#include "kernels/pairs/outline_outline.hpp"
#include "kernels/pairs/polygon_halfspace.hpp"
#include "kernels/pairs/polygon_polygon.hpp"
#include "kernels/pairs/sphere_aabb.hpp"
#include "kernels/pairs/sphere_box.hpp"
#include "kernels/pairs/sphere_capsule.hpp"
#include "kernels/pairs/sphere_cylinder.hpp"
#include "kernels/pairs/sphere_halfspace.hpp"
#include "kernels/pairs/sphere_hull.hpp"
#include "kernels/pairs/sphere_polygon.hpp"
#include "kernels/pairs/sphere_sphere.hpp"
#include "soa/kind_traits.hpp"

#define WIDEPHASE_JOIN_(isa, d, real) kernel_table_##isa##_##d##_##real
#define WIDEPHASE_JOIN(isa, d, real) WIDEPHASE_JOIN_(isa, d, real)

namespace widephase {
namespace {

constexpr bool has_kind(KindBits kinds, Kind kind) {
  return (kinds >> static_cast<int>(kind) & 1) != 0;
}

/// Adds a kernel with its kinds in its own order: A's kind is the lower one, unless it is a
/// `HigherFirst`. Its A and B must read these kinds' rows. The table is made at compile time, so an
/// error stops the build.
template <int D, class T>
constexpr void add_pair(KernelTable<D, T>& table, Kind a, Kind b, const PairKernel<D, T>& kernel) {
  if ((b < a) != kernel.takes_higher_first) __builtin_trap();
  if (!has_kind(kernel.kinds_a, a) || !has_kind(kernel.kinds_b, b)) __builtin_trap();
  table.pairs[pair_kind(a, b)] = kernel;
}

/// Adds the kernels of a dimension, each at the index of its pair kind.
template <class F>
constexpr void add_pairs(KernelTable<2, RealOf<F>>& table) {
  using T = RealOf<F>;
  using Aabb = AabbLanes<F, 2>;
  using Box = BoxLanes<F, 2>;
  const auto add = [&](Kind a, Kind b, const PairKernel<2, T>& kernel) {
    add_pair(table, a, b, kernel);
  };
  add(Kind::circle, Kind::box, make_pair_kernel<SphereBox<F, 2>, 2, T>());
  add(Kind::circle, Kind::polygon, make_pair_kernel<SpherePolygon<F>, 2, T>());
  add(Kind::capsule, Kind::capsule, make_pair_kernel<CapsuleCapsule2<F>, 2, T>());
  add(Kind::capsule, Kind::aabb, make_pair_kernel<CapsuleBox2<F, Aabb>, 2, T>());
  add(Kind::capsule, Kind::box, make_pair_kernel<CapsuleBox2<F, Box>, 2, T>());
  add(Kind::capsule, Kind::polygon, make_pair_kernel<CapsulePolygon<F>, 2, T>());
  add(Kind::aabb, Kind::box, make_pair_kernel<BoxBox2<F, Aabb>, 2, T>());
  add(Kind::aabb, Kind::polygon, make_pair_kernel<BoxPolygon<F, Aabb>, 2, T>());
  add(Kind::box, Kind::box, make_pair_kernel<BoxBox2<F, Box>, 2, T>());
  add(Kind::box, Kind::polygon, make_pair_kernel<BoxPolygon<F, Box>, 2, T>());
  add(Kind::box, Kind::halfspace, make_pair_kernel<BoxHalfspace2<F>, 2, T>());
  add(Kind::polygon, Kind::polygon, make_pair_kernel<PolygonPolygon<F>, 2, T>());
  add(Kind::polygon, Kind::halfspace, make_pair_kernel<PolygonHalfspace<F>, 2, T>());
  table.by_support = make_pair_kernel<OutlineOutline<F>, 2, T>();
}
template <class F>
constexpr void add_pairs(KernelTable<3, RealOf<F>>& table) {
  using T = RealOf<F>;
  const auto add = [&](Kind a, Kind b, const PairKernel<3, T>& kernel) {
    add_pair(table, a, b, kernel);
  };
  add(Kind::sphere, Kind::box, make_pair_kernel<SphereBox<F, 3>, 3, T>());
  add(Kind::capsule, Kind::capsule, make_pair_kernel<CapsuleCapsule3<F>, 3, T>());
  add(Kind::capsule, Kind::aabb, make_pair_kernel<CapsuleAabb3<F>, 3, T>());
  add(Kind::capsule, Kind::box, make_pair_kernel<CapsuleBox3<F>, 3, T>());
  add(Kind::aabb, Kind::box, make_pair_kernel<BoxBox3<F, AabbLanes<F, 3>>, 3, T>());
  add(Kind::box, Kind::box, make_pair_kernel<BoxBox3<F, BoxLanes<F, 3>>, 3, T>());
  add(Kind::box, Kind::halfspace, make_pair_kernel<BoxHalfspace3<F>, 3, T>());
  table.by_support = make_pair_kernel<ConvexConvex<F>, 3, T>();
  add(Kind::sphere, Kind::cylinder, make_pair_kernel<SphereCylinder<F>, 3, T>());
  const PairKernel<3, T> round = make_pair_kernel<RoundCylinder<F>, 3, T>();
  add(Kind::capsule, Kind::cylinder, round);
  add(Kind::cylinder, Kind::cylinder, round);
  add(Kind::sphere, Kind::hull, make_pair_kernel<SphereHull<F>, 3, T>());
  for (const Kind a : {Kind::capsule, Kind::aabb, Kind::box, Kind::hull}) {
    add(a, Kind::hull, make_pair_kernel<HullHull<F>, 3, T>());
  }
  for (const Kind a : {Kind::aabb, Kind::box}) {
    add(a, Kind::cylinder, make_pair_kernel<BoxCylinder<F>, 3, T>());
  }
  add(Kind::hull, Kind::cylinder, make_pair_kernel<HullCylinder<F>, 3, T>());
  add(Kind::hull, Kind::halfspace, make_pair_kernel<ConvexHalfspace<F>, 3, T>());
  add(Kind::cylinder, Kind::halfspace, make_pair_kernel<ConvexHalfspace<F>, 3, T>());
  const PairKernel<3, T> ellipsoids = make_pair_kernel<EllipsoidEllipsoid<F>, 3, T>();
  add(Kind::sphere, Kind::ellipsoid, ellipsoids);
  add(Kind::ellipsoid, Kind::ellipsoid, ellipsoids);
  add(Kind::sphere, Kind::cone, table.by_support);
  add(Kind::ellipsoid, Kind::cone, make_pair_kernel<EllipsoidCone<F>, 3, T>());
  for (const Kind smooth : {Kind::ellipsoid, Kind::cone}) {
    for (const Kind a : {Kind::capsule, Kind::aabb, Kind::box, Kind::hull, Kind::cylinder}) {
      add(a, smooth, table.by_support);
    }
    add(smooth, Kind::halfspace, make_pair_kernel<HigherFirst<ConvexHalfspace<F>>, 3, T>());
  }
  add(Kind::cylinder, Kind::cone, make_pair_kernel<CylinderCone<F>, 3, T>());
  const PairKernel<3, T> over_ellipsoid = make_pair_kernel<SolidEllipsoid<F>, 3, T>();
  for (const Kind a : {Kind::aabb, Kind::box, Kind::cylinder}) {
    add(a, Kind::ellipsoid, over_ellipsoid);
  }
  add(Kind::hull, Kind::ellipsoid, make_pair_kernel<HullEllipsoid<F>, 3, T>());
  add(Kind::cone, Kind::cone, make_pair_kernel<ConeCone<F>, 3, T>());
  for (const Kind a : {Kind::aabb, Kind::box}) {
    add(a, Kind::cone, make_pair_kernel<BoxCone<F>, 3, T>());
  }
  add(Kind::hull, Kind::cone, make_pair_kernel<HullCone<F>, 3, T>());
  add(Kind::capsule, Kind::cone, make_pair_kernel<CapsuleCone<F>, 3, T>());
}

template <class F, int D>
constexpr KernelTable<D, RealOf<F>> make_table() {
  using T = RealOf<F>;
  KernelTable<D, T> table{};
  table.isa = Isa::WIDEPHASE_ISA;
  table.lanes = LaneTraits<F>::count;
  table.check_pairs = &check_pairs;
  if constexpr (D == 2) table.find_turns = &find_turns<T>;
  const auto add = [&](Kind a, Kind b, const PairKernel<D, T>& kernel) {
    add_pair(table, a, b, kernel);
  };
  add(Kind::sphere, Kind::sphere, make_pair_kernel<SphereSphere<F, D>, D, T>());
  add(Kind::sphere, Kind::capsule, make_pair_kernel<SphereCapsule<F, D>, D, T>());
  add(Kind::sphere, Kind::aabb, make_pair_kernel<SphereAabb<F, D>, D, T>());
  add(Kind::sphere, Kind::halfspace, make_pair_kernel<SphereHalfspace<F, D>, D, T>());
  add(Kind::capsule, Kind::halfspace, make_pair_kernel<CapsuleHalfspace<F, D>, D, T>());
  add(Kind::aabb, Kind::aabb, make_pair_kernel<AabbAabb<F, D>, D, T>());
  add(Kind::aabb, Kind::halfspace, make_pair_kernel<AabbHalfspace<F, D>, D, T>());
  add_pairs<F>(table);
  // Without this check a pair without a kernel would silently have no contacts.
  for (int k = 0; k < kPairKindCount; ++k) {
    const KindsOfPair kinds = kinds_of(k);
    if (has_surface(kinds)) continue;  // kernels/isa/surface.cpp
    if (can_meet(kinds.a, kinds.b, D) && table.pairs[k].find_contacts == nullptr) {
      __builtin_trap();
    }
  }
  table.support_points = &support_points<F, T>;
  table.closest = make_closest_table<F, D>();
  table.broad = make_broad_table<D, T>();
  return table;
}

}  // namespace

extern const KernelTable<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D,
                                                                     WIDEPHASE_REAL);
constinit const KernelTable<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(
    WIDEPHASE_ISA, WIDEPHASE_D, WIDEPHASE_REAL) = make_table<Batch<WIDEPHASE_REAL>, WIDEPHASE_D>();

}  // namespace widephase
