# Install rules: the library with its headers, and what find_package and pkg-config read. All of it
# is found relative to itself, so a prefix may be moved. (tools/ installs the command line.)

include(CMakePackageConfigHelpers)

# What programs run with, what they are built with, and the command line: a package each.
install(TARGETS widephase EXPORT widephase
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT widephase_runtime
    NAMELINK_COMPONENT widephase_development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT widephase_development
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT widephase_development)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/widephase)
install(EXPORT widephase NAMESPACE widephase:: FILE widephaseTargets.cmake
  DESTINATION ${config_folder} COMPONENT widephase_development)

# What only some programs ask for (find_package(widephase COMPONENTS mpi)) is exported apart, since it needs more.
if(TARGET widephase_mpi)
  install(TARGETS widephase_mpi EXPORT widephase_mpi
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT widephase_runtime
      NAMELINK_COMPONENT widephase_development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT widephase_development
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT widephase_development)
  install(EXPORT widephase_mpi NAMESPACE widephase:: FILE widephaseMpiTargets.cmake
    DESTINATION ${config_folder} COMPONENT widephase_development)
endif()

# A static library leaves its dependencies to whoever links it; a shared one brings them.
get_target_property(widephase_type widephase TYPE)
set(widephase_dependencies "")
if(widephase_type STREQUAL "STATIC_LIBRARY")
  string(APPEND widephase_dependencies "include(CMakeFindDependencyMacro)\n"
    "find_dependency(Threads)\n")
  if(NOT WIDEPHASE_STD_THREADS)
    string(APPEND widephase_dependencies "find_dependency(TBB)\n")
  endif()
endif()
# A project in C, and pkg-config for one, link without the runtime of C++.
set(widephase_cxx_runtime "")
if(widephase_type STREQUAL "STATIC_LIBRARY")
  foreach(library stdc++ c++ m)
    if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
      list(APPEND widephase_cxx_runtime ${library})
    endif()
  endforeach()
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/widephaseConfig.cmake.in
  ${PROJECT_BINARY_DIR}/widephaseConfig.cmake INSTALL_DESTINATION ${config_folder}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/widephaseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/widephaseConfig.cmake
  ${PROJECT_BINARY_DIR}/widephaseConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT widephase_development)

# The same for pkg-config: Requires and Libs where the dependencies are the user's to link.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(name LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${name}})
    set(pc_${name} ${CMAKE_INSTALL_${name}})
  else()
    set(pc_${name} "\${prefix}/${CMAKE_INSTALL_${name}}")
  endif()
endforeach()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH pc_up /${pc_folder} /)
  string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
  set(pc_prefix "\${pcfiledir}/${pc_up}")
endif()
set(pc_requires "")
set(pc_libs "")
if(widephase_type STREQUAL "STATIC_LIBRARY")
  foreach(library IN LISTS widephase_cxx_runtime)
    string(APPEND pc_libs " -l${library}")
  endforeach()
  if(CMAKE_THREAD_LIBS_INIT)
    string(APPEND pc_libs " ${CMAKE_THREAD_LIBS_INIT}")
  endif()
  if(NOT WIDEPHASE_STD_THREADS)
    set(pc_requires "Requires: tbb\n")
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/widephase.pc.in ${PROJECT_BINARY_DIR}/widephase.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/widephase.pc DESTINATION ${pc_folder}
  COMPONENT widephase_development)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT widephase_development)
