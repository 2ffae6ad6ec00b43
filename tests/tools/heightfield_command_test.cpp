// What the command line says of height fields that are wrong: the array, the row and what to do.

#include <algorithm>

#include "support/command.hpp"

namespace widephase::test {
namespace {

class heightfield_command : public Command {
 protected:
  /// Two fields of 3 by 2 samples, a shape with each, and a ball; one text of it replaced.
  static Outcome collide_with(const std::string& text, const std::string& by) {
    std::string scene = R"({
      "heightfields": {"heights": [0, 1, 2, 3, 4, 5, 0, 0, 0, null, 0, 0], "offsets": [0, 6, 12],
                       "columns": [3, 3], "cell": [[1, 1], [1, 1]],
                       "neighbours": [[-1, 1, -1, -1], [0, -1, -1, -1]]},
      "heightfield": {"center": [[0, 0, 0], [2, 0, 0]],
                      "orientation": [[0, 0, 0, 1], [0, 0, 0, 1]], "geometry": [0, 1]},
      "sphere": {"center": [[0.5, 0.5, 2]], "radius": [0.5]}})";
    const std::size_t at = scene.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    scene.replace(at, text.size(), by);
    write("scene.json", scene);
    return run("collide scene.json");
  }
};

TEST_F(heightfield_command, reads_a_field_with_a_hole_and_neighbours) {
  const Outcome outcome = collide_with("\"radius\"", "\"radius\"");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(heightfield_command, says_which_array_and_row_is_wrong) {
  struct Case {
    const char *text, *by, *error;
  };
  constexpr Case kCases[] = {
      {"\"geometry\": [0, 1]", "\"geometry\": [0, 2]",
       "heightfield.geometry[1] is 2; the scene has 2 geometries, counted from 0"},
      {"\"geometry\": [0, 1]", "\"geometry\": [-1, 1]",
       "heightfield.geometry[0] is -1; the scene has 2 geometries, counted from 0"},
      {"[0, 1, 2, 3,", "[0, 1, 1e999, 3,", "is not JSON: number overflow parsing '1e999'"},
      {"[3, 3]", "[3, 1]", "heightfields.columns[1] is 1; a field has 2 columns or more"},
      {"[3, 3]", "[6, 3]",
       "heightfields.offsets[0] begins field 0, which has 1 row; a field has 2 rows or more"},
      {"[3, 3]", "[3, 4]",
       "heightfields.offsets[1] begins field 1, which has 6 samples, but rows of 4; it must have "
       "whole rows"},
      {"[3, 3]", "[3]", "heightfields.columns has 1 rows, but heightfields.offsets has 2 fields"},
      {"[0, 6, 12]", "[0, 6, 13]",
       "heightfields.offsets[2] is 13; the last offset must be the count of heights, 12"},
      {"[0, 6, 12]", "[0, 15, 12]",
       "heightfields.offsets[2] is 12, below the 15 before it; geometries lie one after the other"},
      {"[[1, 1], [1, 1]]", "[[1, 1], [1, 0]]",
       "heightfields.cell[1] is 0 along y; a cell's sizes must be finite numbers > 0"},
      {"[-1, 1, -1, -1]", "[-1, 2, -1, -1]",
       "heightfields.neighbours[0] names field 2 at +x; the scene has 2 fields, counted from 0, "
       "and -1 means none"},
      {"[[1, 1], [1, 1]]", "[[1, 1], [1, 2]]",
       "heightfields.neighbours[0] names field 1 at +x, whose cells are 2 along the border where "
       "this one's are 1; neighbours share the samples of a border"},
      {"[[0, 0, 0], [2, 0, 0]]", "[[0, 0, 0], [2, 0, null]]", "heightfield.center[1] is null"},
  };
  for (const Case& one : kCases) {
    const Outcome outcome = collide_with(one.text, one.by);
    EXPECT_NE(outcome.code, 0) << one.error;
    EXPECT_NE(outcome.err.find(std::string("scene.json: ") + one.error), std::string::npos)
        << outcome.err << "wanted: " << one.error;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace widephase::test
