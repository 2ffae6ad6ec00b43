// The tables of robots, by instruction set.

#include "kernels/isa/built_isas.hpp"
#include "kernels/robot_table.hpp"

namespace widephase {

WIDEPHASE_TABLE_OF_EACH_ISA(robot_kernel_table_, , RobotTable)

const RobotTable& robot_table(Isa wanted) { WIDEPHASE_RETURN_TABLE(robot_kernel_table_, ) }

}  // namespace widephase
