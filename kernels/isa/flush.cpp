// Contacts with flush parts: one object per instruction set, dimension and precision. Its only
// external symbol is its table. The build defines WIDEPHASE_ISA, WIDEPHASE_D and WIDEPHASE_REAL.

#if WIDEPHASE_D == 2
#include "kernels/core/flush/flush_contacts2.hpp"
#define WIDEPHASE_IS_ON_OPEN is_on_open_side
#else
#include "kernels/core/flush/flush_contacts3.hpp"
#define WIDEPHASE_IS_ON_OPEN is_on_open_face
#endif

#define WIDEPHASE_JOIN_(isa, D, real) flush_kernel_table_##isa##_##D##_##real
#define WIDEPHASE_JOIN(isa, D, real) WIDEPHASE_JOIN_(isa, D, real)

namespace widephase {

using Table = FlushKernel<WIDEPHASE_REAL, WIDEPHASE_D>;
extern const Table WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D, WIDEPHASE_REAL);
constinit const Table WIDEPHASE_JOIN(WIDEPHASE_ISA, WIDEPHASE_D, WIDEPHASE_REAL) = {
    &WIDEPHASE_IS_ON_OPEN<WIDEPHASE_REAL>, &replace_contact<WIDEPHASE_REAL>,
    sizeof(FlushContacts<WIDEPHASE_REAL>::Room)};

}  // namespace widephase
