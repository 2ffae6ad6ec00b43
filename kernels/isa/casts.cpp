// The kernels of shape casts: as table.cpp, one object per instruction set, dimension and
// precision, whose only external symbol is its table.

#include "kernels/casts/cast_walk.hpp"

#define WIDEPHASE_JOIN_(isa, d, real) cast_kernel_table_##isa##_##d##_##real
#define WIDEPHASE_JOIN(isa, d, real) WIDEPHASE_JOIN_(isa, d, real)

namespace widephase {
namespace {

template <int D, class Real>
constexpr CastTables<D, Real> make_cast_tables() {
  if constexpr (sizeof(Real) == 4) {
    return {{&cast_pairs<D, float>, &cast_scene<D, float>}};
  } else {
    return {{&cast_pairs<D, double>, &cast_scene<D, double>},
            {&cast_pairs<D, Mixed>, &cast_scene<D, Mixed>}};
  }
}

}  // namespace

extern const CastTables<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D,
                                                                    WIDEPHASE_REAL);
constinit const CastTables<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(
    WIDEPHASE_ISA, WIDEPHASE_D, WIDEPHASE_REAL) = make_cast_tables<WIDEPHASE_D, WIDEPHASE_REAL>();

}  // namespace widephase
