# The README's C++ example is examples/readme.cpp, letter for letter, and that compiles and runs.

include_guard(GLOBAL)

add_executable(readme_example ${PROJECT_SOURCE_DIR}/examples/readme.cpp)
target_link_libraries(readme_example PRIVATE widephase::widephase widephase_flags)
add_test(NAME readme_example COMMAND readme_example)
set_tests_properties(readme_example PROPERTIES
  PASS_REGULAR_EXPRESSION "circles 0 and 1 overlap by 0.5 along \\(1, 0\\)")
add_test(NAME readme_matches COMMAND ${PROJECT_SOURCE_DIR}/tests/house/readme_test.sh
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/examples/readme.cpp)
