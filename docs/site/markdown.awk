# Markdown as it stands in the repository becomes doxygen's 1.9.4: headings get the anchors that GitHub
# gives them, behind the page's name, and links between pages name these.
function slug(text) {
  text = tolower(text)
  gsub(/`/, "", text)
  gsub(/[^a-z0-9 _-]/, "", text)
  gsub(/ /, "-", text)
  return text
}
# A page's name is its file's, or, of a README, its folder's; "readme" of the project's.
function page_of(path) {
  if (path == root "README.md" || path == "../README.md") return "readme"
  sub(/\.md$/, "", path)
  sub(/\/README$/, "", path)
  sub(/^.*\//, "", path)
  return tolower(path)
}
FNR == 1 { page = page_of(FILENAME); is_first = 1 }
/^ *```/ { is_code = !is_code }
is_code || /^ *```/ { print; next }
/^    / { print; next }
/^#+ / {
  text = $0
  sub(/^#+ /, "", text)
  print $0 " {#" (is_first ? page : page "-" slug(text)) "}"
  is_first = 0
  next
}
{
  rest = $0
  line = ""
  while (match(rest, /\[[^]\[]*\]\([^) ]*\)/)) {
    before = substr(rest, 1, RSTART - 1)
    link = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    split(link, half, /\]\(/)
    label = substr(half[1], 2)
    target = substr(half[2], 1, length(half[2]) - 1)
    hash = index(target, "#")
    path = hash ? substr(target, 1, hash - 1) : target
    anchor = hash ? substr(target, hash + 1) : ""
    if (target ~ /^[a-z]+:/ || before ~ /!$/) {
    } else if (path == "" || path ~ /\.md$/) {
      link = "[" label "](#" (path == "" ? page : page_of(path)) (anchor == "" ? "" : "-" anchor) ")"
    } else {
      # A file of the repository, which the site does not have; doxygen tells where there is none.
      folder = FILENAME
      sub(/[^\/]*$/, "", folder)
      link = label (system("test -e \"" folder path "\"") == 0 ? "" : " \\ref " path)
    }
    line = line before link
  }
  rest = line rest
  # Anchors of a page's own are the page's too.
  gsub(/<a id="/, "<a id=\"" page "-", rest)
  print rest
}
