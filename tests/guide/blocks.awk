# The lines of code in pages and README as one source file, each block a function of its page's namespace:
#   awk -v language=cpp -v root=FOLDER/ -f blocks.awk PAGE...
# context.hpp (context.h) declares what blocks of a page take as given. Whole programs are tested elsewhere.
# A block that begins with the name of a file (`// kernels/...`) is an excerpt, and must be in it.
function fail(text) { print page ":" first ": " text > "/dev/stderr"; has_failed = 1 }

function excerpt_of(line) {
  return match(line, /^\/\/ [a-z]+\/[a-z0-9_\/]+\.[a-z]+$/) ? substr(line, 4) : ""
}

function check_excerpt(file, lines,   text, more) {
  text = ""
  while ((getline more < (root file)) > 0) text = text more "\n"
  close(root file)
  if (index(text, lines) == 0) fail("is not letter for letter in " file)
}

function end_block(   name) {
  if (file != "") {
    check_excerpt(file, block)
  } else if (block !~ /int main\(/) {
    ++count
    name = page
    gsub(/^.*\/|\.md$/, "", name)
    gsub(/[^A-Za-z0-9]/, "_", name)
    if (language == "cpp") print "namespace " tolower(name) " {"
    printf "void block_%s_%d(void) {\n#line %d \"%s\"\n%s}\n", name, first, first, page, block
    if (language == "cpp") print "}"
  }
}

BEGIN { print "#include \"" (language == "cpp" ? "context.hpp" : "context.h") "\"" }
FNR == 1 { page = substr(FILENAME, length(root) + 1) }
/^```/ && inside { inside = 0; end_block(); next }
$0 == "```" language { inside = 1; first = FNR + 1; block = ""; file = ""; next }
inside && FNR == first && (file = excerpt_of($0)) != "" { next }
inside { block = block $0 "\n" }
END {
  if (count == 0) fail("no block was found")
  exit has_failed
}
