# Tests "outside_*": another project's program is built and run through find_package, pkg-config
# and add_subdirectory, each from scratch, from a build of the library alone, and from Debian packages.

include_guard(GLOBAL)

set(outside_environment SOURCE=${PROJECT_SOURCE_DIR} BUILD=${PROJECT_BINARY_DIR}
  SCRATCH=${PROJECT_BINARY_DIR}/outside CMAKE=${CMAKE_COMMAND} CXX=${CMAKE_CXX_COMPILER}
  CPACK=${CMAKE_CPACK_COMMAND} GENERATOR=${CMAKE_GENERATOR} CC=${CMAKE_C_COMPILER}
  CONFIG=$<CONFIG> VERSION=${PROJECT_VERSION})
list(JOIN WIDEPHASE_ISAS "\\;" isas)
list(APPEND outside_environment "ISAS=${isas}")
foreach(way install find_package pkg_config add_subdirectory library packages)
  add_test(NAME outside_${way}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/consumer_test.sh ${way})
  set_tests_properties(outside_${way} PROPERTIES LABELS outside TIMEOUT 1200
    ENVIRONMENT "${outside_environment}")
endforeach()
# It compiles the library: begun last it would run on alone.
set_tests_properties(outside_add_subdirectory PROPERTIES COST 1010)
set_tests_properties(outside_install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(outside_find_package outside_pkg_config PROPERTIES
  FIXTURES_REQUIRED installed)
find_program(PKG_CONFIG_EXECUTABLE pkg-config)
if(NOT PKG_CONFIG_EXECUTABLE)
  set_tests_properties(outside_pkg_config PROPERTIES DISABLED ON)
endif()
# Packages are of Debian alone, and of a build that has the command line's objects.
find_program(DPKG_SHLIBDEPS_EXECUTABLE dpkg-shlibdeps)
if(NOT DPKG_SHLIBDEPS_EXECUTABLE OR NOT PKG_CONFIG_EXECUTABLE OR NOT WIDEPHASE_TOOLS)
  set_tests_properties(outside_packages PROPERTIES DISABLED ON)
endif()

# Test "outside_missing": a configuration without oneTBB or xsimd names both.
add_test(NAME outside_missing COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/missing_test.sh ${CMAKE_COMMAND}
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/outside/missing ${CMAKE_GENERATOR} ${CMAKE_CXX_COMPILER})
set_tests_properties(outside_missing PROPERTIES LABELS outside)

# Test "outside_old_standard": C++17 is refused by one sentence.
add_test(NAME outside_old_standard COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/old_standard_test.sh
  ${CMAKE_CXX_COMPILER} ${WIDEPHASE_HEADER_FOLDERS})
set_tests_properties(outside_old_standard PROPERTIES LABELS outside)

# Test "outside_includes": public headers bring neither xsimd nor oneTBB.
if(NOT WIDEPHASE_STD_THREADS)
  add_test(NAME outside_includes COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/includes_test.sh
    ${CMAKE_CXX_COMPILER} ${WIDEPHASE_HEADER_FOLDERS})
  set_tests_properties(outside_includes PROPERTIES LABELS outside)
endif()
