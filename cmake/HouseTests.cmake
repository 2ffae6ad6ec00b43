# Tests of the project as a whole, beside those of its code.

include(IsaObjectsTest)
# A program built outside would need the sanitizers' flags.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  include(OutsideProgramsTest)
endif()
include(ReadmeTest)
