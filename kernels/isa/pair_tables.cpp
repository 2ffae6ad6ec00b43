// The tables of pairs, broad phases, surfaces and flush parts, by instruction set.

#include "kernels/flush_table.hpp"
#include "kernels/isa/built_isas.hpp"
#include "kernels/surface_table.hpp"
#include "kernels/table.hpp"

namespace widephase {

#define WIDEPHASE_PAIR_TABLE(D, T)                                          \
  WIDEPHASE_TABLE_OF_EACH_ISA(kernel_table_, _##D##_##T, KernelTable<D, T>) \
  template <>                                                               \
  const KernelTable<D, T>& kernel_table<D, T>(Isa wanted) {                 \
    WIDEPHASE_RETURN_TABLE(kernel_table_, _##D##_##T)                       \
  }
WIDEPHASE_PAIR_TABLE(2, float)
WIDEPHASE_PAIR_TABLE(2, double)
WIDEPHASE_PAIR_TABLE(3, float)
WIDEPHASE_PAIR_TABLE(3, double)

#define WIDEPHASE_SURFACE_TABLE(D, T, begin)                   \
  WIDEPHASE_TABLE_OF_EACH_ISA(begin, _##T, SurfaceTable<T, D>) \
  template <>                                                  \
  const SurfaceTable<T, D>& surface_table<T, D>(Isa wanted) {  \
    WIDEPHASE_RETURN_TABLE(begin, _##T)                        \
  }
WIDEPHASE_SURFACE_TABLE(2, float, chain_kernel_table_)
WIDEPHASE_SURFACE_TABLE(2, double, chain_kernel_table_)
WIDEPHASE_SURFACE_TABLE(3, float, surface_kernel_table_)
WIDEPHASE_SURFACE_TABLE(3, double, surface_kernel_table_)

#define WIDEPHASE_FLUSH_KERNEL(D, T)                                              \
  WIDEPHASE_TABLE_OF_EACH_ISA(flush_kernel_table_, _##D##_##T, FlushKernel<T, D>) \
  template <>                                                                     \
  const FlushKernel<T, D>& flush_kernel<T, D>(Isa wanted) {                       \
    WIDEPHASE_RETURN_TABLE(flush_kernel_table_, _##D##_##T)                       \
  }
WIDEPHASE_FLUSH_KERNEL(2, float)
WIDEPHASE_FLUSH_KERNEL(2, double)
WIDEPHASE_FLUSH_KERNEL(3, float)
WIDEPHASE_FLUSH_KERNEL(3, double)

}  // namespace widephase
