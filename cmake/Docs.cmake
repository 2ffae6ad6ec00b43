# Target "docs": the site in build/<preset>/site/html, of the public headers' docstrings and the pages of
# docs/. It fails on a public name that has no docstring.

include_guard(GLOBAL)

find_package(Doxygen 1.9.4 REQUIRED)
set(site_folder ${PROJECT_BINARY_DIR}/site)
get_target_property(site_headers widephase HEADER_SET)
# The component mpi has a page where it is not built too.
set(mpi_include ${PROJECT_SOURCE_DIR}/mpi/include)
file(GLOB mpi_headers CONFIGURE_DEPENDS ${mpi_include}/widephase/*.hpp)
list(APPEND site_headers ${mpi_headers})
# In the order of the guide; pages that it does not name come last.
set(pages README.md docs/guide.md docs/quick_start.md docs/building.md docs/data_layout.md docs/conventions.md docs/methods.md docs/questions.md
  docs/determinism.md docs/performance.md docs/memory.md docs/scaling.md docs/benchmarks.md
  docs/tested.md docs/porting.md docs/from_mujoco.md docs/from_pybullet.md docs/from_coal.md docs/from_scipy.md
  docs/lab.md docs/c.md docs/python.md
  docs/algorithms.md docs/architecture.md docs/adding.md CONTRIBUTING.md SECURITY.md CHANGELOG.md
  packaging/README.md examples/README.md)
list(TRANSFORM pages PREPEND ${PROJECT_SOURCE_DIR}/)
file(GLOB other_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/bench/results/*.md)
list(APPEND pages ${other_pages})
list(REMOVE_DUPLICATES pages)
set(site_files ${pages} ${site_headers})
list(TRANSFORM site_files REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE site_input)
list(JOIN site_input " \\\n  " site_input)
list(TRANSFORM WIDEPHASE_HEADER_FOLDERS REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE site_header_folders)
list(APPEND site_header_folders "\"${mpi_include}\"")
list(JOIN site_header_folders " " site_header_folders)
configure_file(${PROJECT_SOURCE_DIR}/docs/site/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)

set(build_site ${PROJECT_SOURCE_DIR}/docs/site/build.sh)
add_custom_target(docs COMMAND ${build_site} $<TARGET_FILE:Doxygen::doxygen>
  ${PROJECT_BINARY_DIR}/Doxyfile ${site_folder} VERBATIM)

# Test "docs": each sort of name without a docstring is an error, and files that pages name are there.
enable_testing()
add_test(NAME docs COMMAND ${PROJECT_SOURCE_DIR}/tests/house/docs_test.sh ${build_site}
  $<TARGET_FILE:Doxygen::doxygen> ${PROJECT_BINARY_DIR}/Doxyfile "${site_headers}" ${PROJECT_BINARY_DIR}/docs_test
  ${PROJECT_SOURCE_DIR})
