# Test "isa_objects": the symbols of the objects that are compiled for one instruction set.
# Test "isa_objects_detects": that check refuses objects made to break each of its rules.

include_guard(GLOBAL)

# Sanitizers put symbols and constructors of their own into every object.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()

get_property(isa_targets GLOBAL PROPERTY WIDEPHASE_ISA_OBJECTS)
list(TRANSFORM isa_targets REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE isa_objects)
set(isa_objects_test ${PROJECT_SOURCE_DIR}/tests/house/isa_objects_test.sh)
add_test(NAME isa_objects COMMAND ${isa_objects_test} ${isa_objects} COMMAND_EXPAND_LISTS)
add_test(NAME isa_objects_detects COMMAND ${isa_objects_test} --self-test)
set_tests_properties(isa_objects isa_objects_detects PROPERTIES LABELS objects
  ENVIRONMENT "NM=${CMAKE_NM};OBJDUMP=${CMAKE_OBJDUMP};CXX=${CMAKE_CXX_COMPILER}")
