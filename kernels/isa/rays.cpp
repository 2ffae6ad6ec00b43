// The kernels of rays: as table.cpp, one object per instruction set, dimension and precision, whose
// only external symbol is its table.

#include "kernels/rays/ray_walk.hpp"

#define WIDEPHASE_JOIN_(isa, d, real) ray_kernel_table_##isa##_##d##_##real
#define WIDEPHASE_JOIN(isa, d, real) WIDEPHASE_JOIN_(isa, d, real)

namespace widephase {
namespace {

template <int D, class Real>
constexpr RayTables<D, Real> make_ray_tables() {
  if constexpr (sizeof(Real) == 4) {
    return {{&cast_rays<D, float>}};
  } else {
    return {{&cast_rays<D, double>}, {&cast_rays<D, Mixed>}};
  }
}

}  // namespace

extern const RayTables<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D,
                                                                   WIDEPHASE_REAL);
constinit const RayTables<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(
    WIDEPHASE_ISA, WIDEPHASE_D, WIDEPHASE_REAL) = make_ray_tables<WIDEPHASE_D, WIDEPHASE_REAL>();

}  // namespace widephase
