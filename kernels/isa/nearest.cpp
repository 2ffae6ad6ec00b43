// The walk of points: as table.cpp, one object per instruction set, dimension and precision, whose
// only external symbol is its table.

#include "kernels/nearest/nearest_walk.hpp"

#define WIDEPHASE_JOIN_(isa, d, real) nearest_kernel_table_##isa##_##d##_##real
#define WIDEPHASE_JOIN(isa, d, real) WIDEPHASE_JOIN_(isa, d, real)

namespace widephase {

extern const NearestTable<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D,
                                                                      WIDEPHASE_REAL);
constinit const NearestTable<WIDEPHASE_D, WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D,
                                                                         WIDEPHASE_REAL) = {
    &find_nearest<WIDEPHASE_D, WIDEPHASE_REAL>};

}  // namespace widephase
