#pragma once

// What the lab's page asks: two shapes in words, answered in JSON. The page calls it in
// WebAssembly, the program beside it natively; both give the same text, but for the digits in what
// is wrong with a shape, which are the standard library's.
//
// A request is numbers and words with spaces between:
//   2 float|double SHAPE SHAPE     circle x y radius
//                                  capsule x y angle half_length radius
//                                  box x y angle half_x half_y radius
//                                  polygon x y angle radius count x y x y ...
//                                  chain x y angle radius loop two_sided count x y x y ...
//                                  (loop and two_sided are 0 or 1)
//   and, if B moves, by x y turn (its default: to where A is)
//   3 float|double SHAPE SHAPE     sphere x y z radius
//                                  capsule x y z qx qy qz qw half_length radius (along its z)
//                                  box x y z qx qy qz qw half_x half_y half_z radius
//                                  hull x y z qx qy qz qw radius count x y z x y z ...

#include <array>
#include <string>
#include <vector>

#include <widephase/types.hpp>

#include "json.hpp"

namespace widephase::lab {

struct Shape {
  Kind kind;
  std::array<double, 3> position{};
  std::array<double, 4> turn{};  ///< in 2D the angle alone
  std::array<double, 3> half{};
  double radius = 0;
  std::vector<double> points;  ///< of polygons, chains and hulls
  bool is_loop = false, is_two_sided = false;
};

struct Request {
  int dimension;
  bool is_double;
  Shape a, b;
  bool is_told = false;            ///< whether the way of B is
  std::array<double, 3> motion{};  ///< x, y and turn of B, in 2D
};

/// Throws `Error` for what is no request.
Request read_request(const std::string& text);

/// Everything that the page shows of two shapes. Throws `Error` for shapes that are invalid.
template <class T>
void answer2(const Request& request, Json& json);
template <class T>
void answer3(const Request& request, Json& json);

/// The answer to a request, or an object with the error alone.
std::string answer(const std::string& text);

}  // namespace widephase::lab
