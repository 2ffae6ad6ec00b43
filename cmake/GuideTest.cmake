# The lines of code in README and docs/ compile, and what they quote of a file is in it: library
# "guide_blocks", a part of all.

include_guard(GLOBAL)

enable_language(C)
find_program(AWK_EXECUTABLE awk REQUIRED)
set(guide_folder ${PROJECT_SOURCE_DIR}/tests/guide)
file(GLOB guide_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/*.md)
# Files that pages quote.
set(quoted kernels/pairs/sphere_sphere.hpp kernels/isa/table.cpp soa/include/widephase/shapes.hpp)
list(TRANSFORM quoted PREPEND ${PROJECT_SOURCE_DIR}/)
foreach(language cpp c)
  add_custom_command(OUTPUT guide_blocks.${language}
    COMMAND ${AWK_EXECUTABLE} -v language=${language} -v root=${PROJECT_SOURCE_DIR}/
      -f ${guide_folder}/blocks.awk ${guide_pages} > guide_blocks.${language}
    DEPENDS ${guide_folder}/blocks.awk ${guide_pages} ${quoted} VERBATIM)
endforeach()
add_library(guide_blocks OBJECT guide_blocks.cpp guide_blocks.c)
# The headers alone: to be compiled they need no library.
target_include_directories(guide_blocks PRIVATE ${guide_folder}
  $<TARGET_PROPERTY:widephase,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_options(guide_blocks PRIVATE -O0 -Wall -Wextra -Wno-unused
  $<$<BOOL:${WIDEPHASE_WERROR}>:-Werror>)
