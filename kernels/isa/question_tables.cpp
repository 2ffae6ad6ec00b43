// The tables of rays, casts and nearest shapes, by instruction set.

#include "kernels/cast_table.hpp"
#include "kernels/isa/built_isas.hpp"
#include "kernels/nearest_table.hpp"
#include "kernels/ray_table.hpp"

namespace widephase {

// An object of doubles has the tables of mixed precision too.
#define WIDEPHASE_QUESTION_TABLE(Table, question, D, T, object) \
  template <>                                                   \
  const Table<D, T>& question##_table<D, T>(Isa wanted) {       \
    WIDEPHASE_RETURN_TABLE(question##_kernel_table_, object)    \
  }
#define WIDEPHASE_QUESTION_TABLES(Table, question)                                      \
  WIDEPHASE_TABLE_OF_EACH_ISA(question##_kernel_table_, _2_float, Table##s<2, float>)   \
  WIDEPHASE_TABLE_OF_EACH_ISA(question##_kernel_table_, _2_double, Table##s<2, double>) \
  WIDEPHASE_TABLE_OF_EACH_ISA(question##_kernel_table_, _3_float, Table##s<3, float>)   \
  WIDEPHASE_TABLE_OF_EACH_ISA(question##_kernel_table_, _3_double, Table##s<3, double>) \
  WIDEPHASE_QUESTION_TABLE(Table, question, 2, float, _2_float.plain)                   \
  WIDEPHASE_QUESTION_TABLE(Table, question, 2, double, _2_double.plain)                 \
  WIDEPHASE_QUESTION_TABLE(Table, question, 2, Mixed, _2_double.mixed)                  \
  WIDEPHASE_QUESTION_TABLE(Table, question, 3, float, _3_float.plain)                   \
  WIDEPHASE_QUESTION_TABLE(Table, question, 3, double, _3_double.plain)                 \
  WIDEPHASE_QUESTION_TABLE(Table, question, 3, Mixed, _3_double.mixed)
WIDEPHASE_QUESTION_TABLES(RayTable, ray)
WIDEPHASE_QUESTION_TABLES(CastTable, cast)

#define WIDEPHASE_NEAREST_TABLE(D, P)                                                \
  WIDEPHASE_TABLE_OF_EACH_ISA(nearest_kernel_table_, _##D##_##P, NearestTable<D, P>) \
  template <>                                                                        \
  const NearestTable<D, P>& nearest_table<D, P>(Isa wanted) {                        \
    WIDEPHASE_RETURN_TABLE(nearest_kernel_table_, _##D##_##P)                        \
  }
WIDEPHASE_NEAREST_TABLE(2, float)
WIDEPHASE_NEAREST_TABLE(2, double)
WIDEPHASE_NEAREST_TABLE(3, float)
WIDEPHASE_NEAREST_TABLE(3, double)

}  // namespace widephase
