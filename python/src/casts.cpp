// widephase.cast_shapes, cast_pairs.

#include <widephase/casts.hpp>

#include "answers.hpp"
#include "calls.hpp"

namespace widephase::python {

namespace {

constexpr Keyword kWays[] = {
    {"max_t", "None", "(n,) or a number: where ways end; None: 1"},
    {"start_overlap", "'report'",
     "what a shape is to one that overlaps it at the start (report, leave_apart, pass)"},
    {"tolerance", "0.0", "a length by which casts may end before the contact"},
    {"normals", "True", "False: normal, point, feature, depth and part are left empty"},
};

constexpr Function kCastShapes{
    "cast_shapes", "moving, direction, kept", {Call::cast_shapes}, "CastHits", false, false, kWays};
constexpr Function kCastPairs{
    "cast_pairs", "scene, pairs, direction", {Call::cast_pairs}, "CastHits", false, true, kWays};

struct CastHitsObject : ArraysByName {};

/// The columns of ways, and what keeps them alive.
template <int D, class T>
class HeldWays {
 public:
  HeldWays(const py::object& along, py::ssize_t count, const CallOptions& given)
      : rows_(borrow(along, "direction", number_of<SizeOf<T>>(), D)) {
    if (rows_.is_single) repeat(rows_, count, D);
    direction = span_of<SizeOf<T>, D>(rows_);
    const auto found = given.keywords.find("max_t");
    if (found == given.keywords.end()) return;
    most_ = borrow(found->second, "max_t", number_of<SizeOf<T>>(), 1);
    if (most_->is_single) repeat(*most_, count, 1);
    max_t = span_of<SizeOf<T>, 1>(*most_);
  }

  ColumnSpan<SizeOf<T>, D> direction;
  ColumnSpan<SizeOf<T>> max_t;

 private:
  Rows rows_;
  std::optional<Rows> most_;
};

CastHitsObject cast_shapes_of(const SceneObject& moving, const py::object& direction,
                              const std::shared_ptr<StaticSceneObject>& kept,
                              const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kCastShapes);
  const StaticSceneLease asking(kept, StaticSceneLease::To::ask, "kept");
  const ShapeCastOptions options = shape_cast_options_of(given);
  return with_scene(moving, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const StaticScene<D, T>& scene = *kept_of<D, T>(kept);
    const HeldWays<D, T> ways(direction, layout_of(span).shape_count(), given);
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<CastHits<D, T>>();
    {
      py::gil_scoped_release released;
      cast_shapes<D, T>(span, ways.direction, ways.max_t, scene, *buffer, scratch.workspace(),
                        options);
    }
    return answer_of<CastHitsObject>(*buffer,
                                     [&](const auto& column) { return exposed(column, buffer); });
  });
}

CastHitsObject cast_pairs_of(const SceneObject& scene, const py::object& pairs,
                             const py::object& direction, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kCastPairs);
  const ShapeCastOptions options = shape_cast_options_of(given);
  const HeldValues<Pair> held = borrow_values<Pair>(pairs, "pairs");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const HeldWays<D, T> ways(direction, static_cast<py::ssize_t>(held.values.size()), given);
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<CastHits<D, T>>();
    {
      py::gil_scoped_release released;
      cast_pairs<D, T>(span, held.values, ways.direction, ways.max_t, *buffer, scratch.workspace(),
                       options);
    }
    return answer_of<CastHitsObject>(*buffer,
                                     [&](const auto& column) { return exposed(column, buffer); });
  });
}

}  // namespace

ShapeCastOptions shape_cast_options_of(const CallOptions& given) {
  ShapeCastOptions options;
  static_cast<CollideOptions&>(options) = given.options;
  const auto start = given.keywords.find("start_overlap");
  if (start != given.keywords.end()) {
    const auto word = py::cast<std::string>(py::str(start->second));
    const int place = place_of(word, kStartOverlapWords);
    if (place < 0) {
      refuse("start_overlap", "is " + word + "; expected one of " + list_of(kStartOverlapWords));
    }
    options.start_overlap = static_cast<StartOverlap>(place);
  }
  const auto tolerance = given.keywords.find("tolerance");
  if (tolerance != given.keywords.end()) options.tolerance = py::cast<double>(tolerance->second);
  const auto normals = given.keywords.find("normals");
  if (normals != given.keywords.end()) options.wants_normals = py::cast<bool>(normals->second);
  return options;
}

void bind_casts(py::module_& module) {
  py::class_<CastHitsObject> hits(module, "CastHits",
                                  "What moving shapes hit, one row per shape or pair: n.");
  bind_columns<CastHitsObject>(
      hits, CastHits<3, float>(),
      [](const CastHitsObject& self, std::string_view name) { return self.arrays.at(name); });
  // The first column by name may be left empty.
  hits.def("__len__", [](const CastHitsObject& self) { return py::len(self.arrays.at("shape")); });
  hits.def_property_readonly(
      "found", [](const CastHitsObject& self) { return self.arrays.at("shape").attr("__ge__")(0); },
      "(n,) bool: whether something is hit.");
  py::options options;
  options.disable_function_signatures();
  module.def(
      kCastShapes.name.data(), &cast_shapes_of, py::arg("moving"), py::arg("direction"),
      py::arg("kept"),
      kCastShapes
          .help("For each moving shape the first one of a StaticScene that it touches on its "
                "way along\ndirection (n, d); one row stands for all. Shapes do not turn.")
          .c_str());
  module.def(kCastPairs.name.data(), &cast_pairs_of, py::arg("scene"), py::arg("pairs"),
             py::arg("direction"),
             kCastPairs
                 .help("For each of pairs (p, 2) int32 where the second, moved along direction "
                       "(p, d), first\ntouches the first; `shape` is the first one's id or -1.")
                 .c_str());
}

}  // namespace widephase::python
