# Tests of the project as a whole, beside those of its code.

include(IsaObjectsTest)
# A program built outside would need the sanitizers' flags.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  include(OutsideProgramsTest)
  include(GuideTest)
endif()
include(ReadmeTest)

# Test "packaging_recipes": vcpkg's and Conan's, as far as they can be read without them.
find_program(PYTHON3_EXECUTABLE python3)
if(PYTHON3_EXECUTABLE)
  # Test "rooms": no room includes one above it.
  add_test(NAME rooms COMMAND ${PYTHON3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/house/rooms_test.py ${PROJECT_SOURCE_DIR})
  add_test(NAME rooms_detects COMMAND ${PYTHON3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/house/rooms_test.py --self-test)
  add_test(NAME packaging_recipes COMMAND ${PROJECT_SOURCE_DIR}/tests/house/packaging_test.sh
    ${PROJECT_SOURCE_DIR} ${PYTHON3_EXECUTABLE} ${PROJECT_VERSION})
endif()
