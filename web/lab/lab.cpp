#include "lab.hpp"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <sstream>

namespace widephase::lab {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : words_(text) {}

  std::string word(const char* what) {
    std::string word;
    if (!(words_ >> word)) throw Error(std::string("the request ends before ") + what);
    return word;
  }
  double number(const char* what) {
    const std::string text = word(what);
    // What is less than the least normal number has its bits here, which std::stod refuses.
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || !std::isfinite(value)) {
      throw Error(text + " stands where " + what + " is wanted");
    }
    return value;
  }
  bool has_more() { return !(words_ >> std::ws).eof(); }
  void expect_end() {
    std::string rest;
    if (words_ >> rest) throw Error(rest + " is more than two shapes");
  }

 private:
  std::istringstream words_;
};

Shape read_shape(Reader& reader, int dimension) {
  const std::string name = reader.word("a shape");
  Shape shape{};
  for (int k = 0; k < kKindCount; ++k) {
    if (name == kind_name(static_cast<Kind>(k), dimension)) shape.kind = static_cast<Kind>(k);
  }
  const Kind kind = shape.kind;
  const bool is_known =
      name == kind_name(kind, dimension) &&
      (kind == Kind::sphere || kind == Kind::capsule || kind == Kind::box ||
       kind == (dimension == 2 ? Kind::polygon : Kind::hull) || kind == Kind::chain);
  if (!is_known) throw Error(name + " is no shape of the lab");
  for (int k = 0; k < dimension; ++k) shape.position[k] = reader.number("a position");
  if (kind != Kind::sphere) {
    for (int k = 0; k < (dimension == 2 ? 1 : 4); ++k) shape.turn[k] = reader.number("a turn");
  }
  if (kind == Kind::capsule) shape.half[0] = reader.number("half a length");
  if (kind == Kind::box) {
    for (int k = 0; k < dimension; ++k) shape.half[k] = reader.number("a half extent");
  }
  shape.radius = reader.number("a radius");
  if (kind == Kind::chain) {
    for (bool* const to : {&shape.is_loop, &shape.is_two_sided}) {
      const double value = reader.number("0 or 1");
      if (value != 0 && value != 1) throw Error("a chain's loop and two_sided are 0 or 1");
      *to = value == 1;
    }
  }
  if (kind == Kind::polygon || kind == Kind::hull || kind == Kind::chain) {
    const double count = reader.number("a count of vertices");
    if (!(count >= 0 && count <= 255 && count == std::floor(count))) {
      throw Error("a count of vertices is a whole number of at most 255");
    }
    for (int i = 0; i < dimension * static_cast<int>(count); ++i) {
      shape.points.push_back(reader.number("a vertex"));
    }
  }
  return shape;
}

}  // namespace

Request read_request(const std::string& text) {
  Reader reader(text);
  const std::string dimension = reader.word("the dimension");
  const std::string precision = reader.word("the precision");
  if (dimension != "2" && dimension != "3") throw Error(dimension + " is neither 2 nor 3");
  if (precision != "float" && precision != "double") {
    throw Error(precision + " is neither float nor double");
  }
  Request request{dimension == "2" ? 2 : 3, precision == "double", {}, {}, false, {}};
  request.a = read_shape(reader, request.dimension);
  request.b = read_shape(reader, request.dimension);
  if (request.dimension == 2 && reader.has_more()) {
    const std::string by = reader.word("by");
    if (by != "by") throw Error(by + " is more than two shapes");
    request.is_told = true;
    for (double& value : request.motion) value = reader.number("a motion");
  } else {
    for (int k = 0; k < request.dimension && k < 2; ++k) {
      request.motion[k] = request.a.position[k] - request.b.position[k];
    }
  }
  reader.expect_end();
  return request;
}

std::string answer(const std::string& text) {
  try {
    const Request request = read_request(text);
    Json json;
    json.object([&] {
      if (request.dimension == 2) {
        request.is_double ? answer2<double>(request, json) : answer2<float>(request, json);
      } else {
        request.is_double ? answer3<double>(request, json) : answer3<float>(request, json);
      }
    });
    return json.text();
  } catch (const std::exception& error) {
    Json json;
    json.object([&] { json.key("error").string(error.what()); });
    return json.text();
  }
}

}  // namespace widephase::lab

/// The text stays until the next call.
extern "C" const char* widephase_lab_answer(const char* request) {
  static std::string text;
  text = widephase::lab::answer(request);
  return text.c_str();
}
