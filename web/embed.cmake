# embed.cmake -DPAGE= -DSCRIPT= -DOUT=: a C++ source with the page's text and its script.

# text(FILE NAME): a string literal. Raw ones may hold all but their delimiter; compilers take any length
# of them in pieces.
function(text file name)
  file(READ ${file} content)
  if(content MATCHES "\\)widephase\"")
    message(FATAL_ERROR "${file} holds the delimiter of raw strings")
  endif()
  file(APPEND ${OUT} "const char* const ${name} = R\"widephase(${content})widephase\";\n")
endfunction()

file(WRITE ${OUT} "#include \"tools/page/view_page_parts.hpp\"\n\nnamespace widephase::tools {\n\n")
text(${PAGE} kViewPage)
text(${SCRIPT} kViewScript)
file(APPEND ${OUT} "\n}  // namespace widephase::tools\n")
