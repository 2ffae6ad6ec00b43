# What the rooms of the library share: each is a target of objects of its own, and together they are
# the library (cmake/Library.cmake).

include_guard(GLOBAL)

# widephase_room(NAME SOURCE...): the objects widephase_NAME of the room in this folder. Its public
# headers are in include/widephase. Headers of rooms are included by their paths from the top folder.
function(widephase_room name)
  set(room widephase_${name})
  add_library(${room} OBJECT ${ARGN})
  target_compile_features(${room} PUBLIC cxx_std_20)
  target_include_directories(${room} PRIVATE ${PROJECT_SOURCE_DIR} ${WIDEPHASE_HEADER_FOLDERS})
  target_link_libraries(${room} PRIVATE widephase_flags)
  # Objects serve a static library and a shared one alike; WIDEPHASE_API marks what is visible.
  set_target_properties(${room} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT WIDEPHASE_OPEN)
    set_target_properties(${room} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY WIDEPHASE_ROOMS ${room})
endfunction()

# Instrumented, optimization takes three quarters of the compiler's time, and these compute little.
function(widephase_plain_when_instrumented)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
endfunction()
