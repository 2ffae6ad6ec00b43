# page.cmake -DPAGE= -DWASM= -DSCRIPT= -DOUT=: the page as one file, its scripts within.
file(READ ${PAGE} page)
foreach(part WASM SCRIPT)
  file(READ ${${part}} script)
  string(REPLACE "@${part}@" "${script}" page "${page}")
endforeach()
file(WRITE ${OUT} "${page}")
