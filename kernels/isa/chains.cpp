// Contacts with chains: in the object of an instruction set and precision in 2D, beside that of
// table.cpp. Its only external symbol is its table. The build defines WIDEPHASE_ISA and
// WIDEPHASE_REAL.

#include "kernels/core/concave/concave_run.hpp"

#define WIDEPHASE_JOIN_(isa, real) chain_kernel_table_##isa##_##real
#define WIDEPHASE_JOIN(isa, real) WIDEPHASE_JOIN_(isa, real)

namespace widephase {

extern const SurfaceTable<WIDEPHASE_REAL, 2> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_REAL);
constinit const SurfaceTable<WIDEPHASE_REAL, 2> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_REAL) = {
    &find_any_patches<WIDEPHASE_REAL, 2>};

}  // namespace widephase
