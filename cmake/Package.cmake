# Debian packages, by `cpack -G DEB` in a build with BUILD_SHARED_LIBS=ON: the shared library, what
# programs are built with, and the command line.

set(runtime_package libwidephase${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(development_package libwidephase-dev)
set(command_package widephase)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME widephase)
set(CPACK_PACKAGE_CONTACT "widephase contributors <widephase@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL widephase_runtime widephase_development)
if(WIDEPHASE_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL widephase_command)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_WIDEPHASE_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_WIDEPHASE_COMMAND_PACKAGE_SECTION science)

# Dependencies are those of the binaries. The command's on the library is named here, since no
# installed package has that yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(same_runtime "${runtime_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WIDEPHASE_DEVELOPMENT_PACKAGE_DEPENDS "${same_runtime}")
set(CPACK_DEBIAN_WIDEPHASE_COMMAND_PACKAGE_DEPENDS "${same_runtime}")

set(CPACK_COMPONENT_WIDEPHASE_RUNTIME_DESCRIPTION
  "collides shapes in bulk (shared library)
 Finds the contacts of many shapes at once, in 2D and in 3D: which of them touch,
 along which normal, how deep and at which points.")
set(CPACK_COMPONENT_WIDEPHASE_DEVELOPMENT_DESCRIPTION
  "collides shapes in bulk (headers for C++ and C)
 What programs need that are built with the library: headers, and files for CMake
 and pkg-config.")
set(CPACK_COMPONENT_WIDEPHASE_COMMAND_DESCRIPTION
  "collides shapes in bulk (command line)
 Contacts of scenes in files, scenes converted from other formats and generated.")

# Licence and changelog where Debian has them; not part of an installation by hand.
set(changelog ${PROJECT_BINARY_DIR}/changelog.gz)
file(ARCHIVE_CREATE OUTPUT ${changelog} PATHS ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME "1970-01-01")
foreach(component runtime development command)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_WIDEPHASE_${upper}_PACKAGE_NAME ${${component}_package})
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${${component}_package})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} RENAME copyright
    COMPONENT widephase_${component} EXCLUDE_FROM_ALL)
  install(FILES ${changelog} DESTINATION ${folder}
    COMPONENT widephase_${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
