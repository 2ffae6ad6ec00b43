// Robots: as table.cpp, one object per instruction set, of double, whose only external symbol is
// its table.

#include "kernels/robots/check.hpp"
#include "kernels/robots/forward.hpp"
#include "kernels/robots/samples.hpp"

#define WIDEPHASE_JOIN_(isa) robot_kernel_table_##isa
#define WIDEPHASE_JOIN(isa) WIDEPHASE_JOIN_(isa)

namespace widephase {

extern const RobotTable WIDEPHASE_JOIN(WIDEPHASE_ISA);
constinit const RobotTable WIDEPHASE_JOIN(WIDEPHASE_ISA) = {&place_robot, &check_robot,
                                                            &place_samples};

}  // namespace widephase
