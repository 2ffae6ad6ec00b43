// Contacts with flush parts: one object per instruction set and precision. Its only external symbol
// is its table. The build defines WIDEPHASE_ISA and WIDEPHASE_REAL.

#include "kernels/core/flush/flush_contacts.hpp"

#define WIDEPHASE_JOIN_(isa, real) flush_kernel_table_##isa##_##real
#define WIDEPHASE_JOIN(isa, real) WIDEPHASE_JOIN_(isa, real)

namespace widephase {

extern const FlushKernel<WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_REAL);
constinit const FlushKernel<WIDEPHASE_REAL> WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_REAL) = {
    &is_on_open_face<WIDEPHASE_REAL>, &replace_contact<WIDEPHASE_REAL>,
    sizeof(FlushRoom<WIDEPHASE_REAL>)};

}  // namespace widephase
