# Tests "outside_*": another project's program is built and run through find_package, pkg-config
# and add_subdirectory, each from scratch.

include_guard(GLOBAL)

set(outside_environment SOURCE=${PROJECT_SOURCE_DIR} BUILD=${PROJECT_BINARY_DIR}
  SCRATCH=${PROJECT_BINARY_DIR}/outside CMAKE=${CMAKE_COMMAND} CXX=${CMAKE_CXX_COMPILER}
  CONFIG=$<CONFIG> VERSION=${PROJECT_VERSION})
foreach(way install find_package pkg_config add_subdirectory)
  add_test(NAME outside_${way}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/consumer_test.sh ${way})
  set_tests_properties(outside_${way} PROPERTIES LABELS outside TIMEOUT 1200
    ENVIRONMENT "${outside_environment}")
endforeach()
# It compiles the library: begun last it would run on alone.
set_tests_properties(outside_add_subdirectory PROPERTIES COST 900)
set_tests_properties(outside_install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(outside_find_package outside_pkg_config PROPERTIES
  FIXTURES_REQUIRED installed)
find_program(PKG_CONFIG_EXECUTABLE pkg-config)
if(NOT PKG_CONFIG_EXECUTABLE)
  set_tests_properties(outside_pkg_config PROPERTIES DISABLED ON)
endif()
