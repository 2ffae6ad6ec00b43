# The library: the objects of its rooms, with their public headers.

include_guard(GLOBAL)
include(Room)

find_package(Threads REQUIRED)
# All that is missing in one sentence: without root, packages may lie anywhere.
set(missing "")
if(NOT WIDEPHASE_STD_THREADS)
  find_package(TBB QUIET)
  if(NOT TBB_FOUND)
    list(APPEND missing "oneTBB (Debian: libtbb-dev)")
  endif()
endif()
find_package(xsimd QUIET)
if(NOT xsimd_FOUND)
  list(APPEND missing "xsimd 8.1 or newer (Debian: libxsimd-dev)")
endif()
if(missing)
  list(JOIN missing " and " missing)
  message(FATAL_ERROR "widephase needs ${missing}. Install what is missing, or tell CMake the folder where it is "
    "installed: -DCMAKE_PREFIX_PATH=FOLDER")
endif()

# A sanitizer's programs share one library, whose insides the tests use: each with its own would take the linker as long
# as the compiler, and 100 MB.
set(WIDEPHASE_OPEN OFF)
if(BUILD_SHARED_LIBS AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(WIDEPHASE_OPEN ON)
endif()

set(rooms soa geometry kernels pipeline c)
list(TRANSFORM rooms PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE WIDEPHASE_HEADER_FOLDERS)
list(TRANSFORM WIDEPHASE_HEADER_FOLDERS APPEND /include)
foreach(room IN LISTS rooms)
  add_subdirectory(${room})
endforeach()

get_property(room_targets GLOBAL PROPERTY WIDEPHASE_ROOMS)
get_property(isa_targets GLOBAL PROPERTY WIDEPHASE_ISA_OBJECTS)
set(objects ${room_targets} ${isa_targets})
list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(widephase ${objects})
add_library(widephase::widephase ALIAS widephase)
if(WIDEPHASE_OPEN)
  # It calls its own functions of headers, which are instrumented, not those of a program's that is not.
  target_link_options(widephase PRIVATE -Wl,-Bsymbolic-functions)
endif()

# A glob: a public header that a list forgot would be missed only by users of an installed copy.
list(TRANSFORM WIDEPHASE_HEADER_FOLDERS APPEND /widephase/*.h* OUTPUT_VARIABLE header_patterns)
file(GLOB headers CONFIGURE_DEPENDS ${header_patterns})
target_sources(widephase PUBLIC FILE_SET HEADERS BASE_DIRS ${WIDEPHASE_HEADER_FOLDERS} FILES ${headers})
target_compile_features(widephase PUBLIC cxx_std_20)
target_link_libraries(widephase PRIVATE $<BUILD_INTERFACE:widephase_flags> Threads::Threads)
if(NOT WIDEPHASE_STD_THREADS)
  target_link_libraries(widephase PRIVATE TBB::tbb)
endif()
set_target_properties(widephase PROPERTIES
  LINKER_LANGUAGE CXX
  DEFINE_SYMBOL ""
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})

# Templates of the standard library are visible whatever the flags: the linker leaves them out.
set(exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
if(BUILD_SHARED_LIBS AND NOT WIDEPHASE_OPEN AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(widephase PRIVATE LINKER:--version-script=${exports})
  set_target_properties(widephase PROPERTIES LINK_DEPENDS ${exports})
endif()
