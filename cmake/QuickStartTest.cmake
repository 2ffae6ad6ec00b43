# The first program of docs/quick_start.md is examples/quick_start.cpp, and that compiles and runs. The test "readme"
# compares them.

include_guard(GLOBAL)

add_executable(quick_start ${PROJECT_SOURCE_DIR}/examples/quick_start.cpp)
target_link_libraries(quick_start PRIVATE widephase::widephase widephase_flags)
add_test(NAME quick_start_example COMMAND quick_start)
set_tests_properties(quick_start_example PROPERTIES
  PASS_REGULAR_EXPRESSION "circles 0 and 1 overlap by 0.5 along \\(1, 0\\)")
