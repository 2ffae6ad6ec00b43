# Tests of the project as a whole, beside those of its code. Those that read files and run nothing that was built have
# the label `house`: the preset release runs them for all.

include(IsaObjectsTest)
# A program built outside would need the sanitizers' flags.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  include(OutsideProgramsTest)
  include(GuideTest)
endif()
include(QuickStartTest)

# Test "says_first": the scripts say what they install and how long they take before they do it.
add_test(NAME says_first COMMAND ${PROJECT_SOURCE_DIR}/tests/house/says_first_test.sh ${PROJECT_SOURCE_DIR}
  ${PROJECT_BINARY_DIR}/says_first)
set_tests_properties(says_first PROPERTIES LABELS house)

# Test "packaging_recipes": the recipes of vcpkg and Conan, as far as they are readable without these.
find_program(PYTHON3_EXECUTABLE python3)
if(PYTHON3_EXECUTABLE)
  # "rooms": no room includes one above it. "index": every pair's word leads to its file. "kinds": no
  # switch over kinds has a default. "english": what can be checked of plain English. "options": C has
  # C++'s, with the texts of options.hpp. "readme": the first page is short and keeps its promises. The test
  # NAME_detects shows that each finds what it is about.
  foreach(name rooms index kinds english options readme)
    set(house_test ${PYTHON3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/house/${name}_test.py)
    add_test(NAME ${name} COMMAND ${house_test} ${PROJECT_SOURCE_DIR})
    add_test(NAME ${name}_detects COMMAND ${house_test} --self-test)
    set_tests_properties(${name} ${name}_detects PROPERTIES LABELS house)
  endforeach()
  add_test(NAME packaging_recipes COMMAND ${PROJECT_SOURCE_DIR}/tests/house/packaging_test.sh
    ${PROJECT_SOURCE_DIR} ${PYTHON3_EXECUTABLE} ${PROJECT_VERSION})
  set_tests_properties(packaging_recipes PROPERTIES LABELS house)
endif()
