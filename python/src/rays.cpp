// widephase.cast_rays, any_hit, nearest, any_overlap.

#include <algorithm>
#include <limits>

#include <widephase/nearest.hpp>
#include <widephase/rays.hpp>

#include "answers.hpp"
#include "calls.hpp"

namespace widephase::python {

namespace {

constexpr Keyword kFilters[] = {
    {"max_t", "None", "(n,) or a number: where rays end; None: nowhere"},
    {"world", "None", "(n,) int32: the world of each ray; -1 asks all; None: 0"},
    {"category", "None", "(n,) uint32, as of shapes"},
    {"mask", "None", "(n,) uint32, as of shapes"},
    {"owner", "None", "(n,) int32: shapes of this owner are left out"},
    {"body", "None", "(n,) int32: shapes of this body of kept are left out"},
    {"excluded", "None", "(e, 2) int32: shapes and rays that never meet"},
    {"excluded_owners", "None", "(e, 2) int32: owners that never meet"},
    {"excluded_bodies", "None", "(e, 2) int32: bodies that never meet"},
    {"inside", "'hit'", "what a shape is to a ray that starts in it (hit, leave, exit)"},
    {"normals", "True", "False: normal, point, feature and part are left empty"},
};
constexpr Keyword kNearestFilters[] = {
    {"world", "None", "(n,) int32: the world of each point; -1 asks all; None: 0"},
    {"category", "None", "(n,) uint32, as of shapes"},
    {"mask", "None", "(n,) uint32, as of shapes"},
    {"owner", "None", "(n,) int32: shapes of this owner are left out"},
    {"body", "None", "(n,) int32: shapes of this body of kept are left out"},
    {"excluded", "None", "(e, 2) int32: shapes and points that never meet"},
    {"excluded_owners", "None", "(e, 2) int32: owners that never meet"},
    {"excluded_bodies", "None", "(e, 2) int32: bodies that never meet"},
};
/// `any_hit` has no normals.
constexpr std::span<const Keyword> kAnyFilters(kFilters, std::size(kFilters) - 1);

constexpr Function kCastRays{
    "cast_rays", "kept, origin, direction", {Call::cast_rays}, "RayHits", false, false, kFilters};
constexpr Function kAnyHit{
    "any_hit",  "kept, origin, direction", {Call::cast_rays}, "(n,) bool", false, false,
    kAnyFilters};

constexpr Function kNearest{"nearest",
                            "kept, points, k=1, max_distance=None",
                            {Call::nearest_shapes},
                            "NearestHits",
                            false,
                            false,
                            kNearestFilters};
constexpr Function kAnyOverlap{"any_overlap", "moving, kept", {Call::any_overlap}, "(n,) bool"};

struct RayHitsObject : ArraysByName {};
struct NearestHitsObject : ArraysByName {};

/// Rows of a column of rays. One row, with or without an axis for rows, may be repeated.
Rows rows_of(const py::object& given, std::string_view name, Number type, int width) {
  const bool is_row = py::isinstance<py::array>(given) &&
                      py::reinterpret_borrow<py::array>(given).ndim() == (width == 1 ? 0 : 1);
  Rows rows = borrow(is_row ? given.attr("tolist")() : given, name, type, width);
  rows.is_single = rows.is_single || rows.count == 1;
  return rows;
}

/// The columns of rays, and what keeps them alive.
template <int D, class T>
class HeldRays {
 public:
  HeldRays(const py::object& origin, const py::object& direction, const CallOptions& given)
      : given_(given) {
    Rows from = rows_of(origin, "origin", number_of<PositionOf<T>>(), D);
    Rows along = rows_of(direction, "direction", number_of<SizeOf<T>>(), D);
    const py::ssize_t count = from.is_single ? along.count : from.count;
    if (from.is_single) repeat(from, count, D);
    if (along.is_single) repeat(along, count, D);
    span.origin = span_of<PositionOf<T>, D>(from);
    span.direction = span_of<SizeOf<T>, D>(along);
    rows_.push_back(std::move(from));
    rows_.push_back(std::move(along));
    read("max_t", span.max_t, count);
    read_filters(count);
  }

  /// Points: the origins of rays without directions.
  HeldRays(const py::object& points, const CallOptions& given) : given_(given) {
    Rows rows = rows_of(points, "points", number_of<PositionOf<T>>(), D);
    const py::ssize_t count = rows.count;
    span.origin = span_of<PositionOf<T>, D>(rows);
    rows_.push_back(std::move(rows));
    read_filters(count);
  }

  RaySpan<D, T> span;

 private:
  void read_filters(py::ssize_t count) {
    FilterSpan& filters = span.filters;
    read("world", filters.world, count);
    read("category", filters.category, count);
    read("mask", filters.mask, count);
    read("owner", filters.owner, count);
    read("body", filters.body, count);
    read("excluded", filters.excluded, kOwnRows);
    read("excluded_owners", filters.excluded_owners, kOwnRows);
    read("excluded_bodies", filters.excluded_bodies, kOwnRows);
  }
  static constexpr py::ssize_t kOwnRows = -1;
  /// A single row stands for all `count` rays, unless these are not the column's.
  template <class V, int W>
  void read(std::string_view name, ColumnSpan<V, W>& column, py::ssize_t count) {
    const auto found = given_.keywords.find(name);
    if (found == given_.keywords.end()) return;
    Rows rows = rows_of(found->second, name, number_of<V>(), W);
    if (rows.is_single && count != kOwnRows) repeat(rows, count, W);
    column = span_of<V, W>(rows);
    rows_.push_back(std::move(rows));
  }

  const CallOptions& given_;
  std::vector<Rows> rows_;
};

CastOptions cast_options_of(const CallOptions& given) {
  CastOptions options;
  static_cast<CollideOptions&>(options) = given.options;
  const auto inside = given.keywords.find("inside");
  if (inside != given.keywords.end()) {
    const auto word = py::cast<std::string>(py::str(inside->second));
    const int place = place_of(word, kInsideWords);
    if (place < 0) refuse("inside", "is " + word + "; expected one of " + list_of(kInsideWords));
    options.inside = static_cast<Inside>(place);
  }
  const auto normals = given.keywords.find("normals");
  if (normals != given.keywords.end()) options.wants_normals = py::cast<bool>(normals->second);
  return options;
}

RayHitsObject cast_rays_of(const std::shared_ptr<StaticSceneObject>& kept, const py::object& origin,
                           const py::object& direction, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kCastRays);
  const StaticSceneLease asking(kept, StaticSceneLease::To::ask, "kept");
  const CastOptions options = cast_options_of(given);
  return std::visit(
      [&]<int D, class T>(const StaticScene<D, T>& scene) {
        const HeldRays<D, T> rays(origin, direction, given);
        ScratchLease<D, T> scratch(given.workspace);
        const auto buffer = std::make_shared<RayHits<D, T>>();
        {
          py::gil_scoped_release released;
          cast_rays(scene, rays.span, *buffer, scratch.workspace(), options);
        }
        return answer_of<RayHitsObject>(
            *buffer, [&](const auto& column) { return exposed(column, buffer); });
      },
      kept->kept);
}

py::array any_hit_of(const std::shared_ptr<StaticSceneObject>& kept, const py::object& origin,
                     const py::object& direction, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kAnyHit);
  const StaticSceneLease asking(kept, StaticSceneLease::To::ask, "kept");
  const CastOptions options = cast_options_of(given);
  return std::visit(
      [&]<int D, class T>(const StaticScene<D, T>& scene) {
        const HeldRays<D, T> rays(origin, direction, given);
        ScratchLease<D, T> scratch(given.workspace);
        py::array_t<bool> answer(static_cast<py::ssize_t>(rays.span.size()));
        const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(answer.mutable_data()),
                                            rays.span.size());
        {
          py::gil_scoped_release released;
          any_hit(scene, rays.span, bytes, scratch.workspace(), options);
        }
        return py::array(answer);
      },
      kept->kept);
}

NearestHitsObject nearest_of(const std::shared_ptr<StaticSceneObject>& kept,
                             const py::object& points, std::int64_t k, const py::object& most,
                             const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kNearest);
  const StaticSceneLease asking(kept, StaticSceneLease::To::ask, "kept");
  if (k < 1) refuse("k", "is " + std::to_string(k) + "; it must be 1 or more");
  return std::visit(
      [&]<int D, class T>(const StaticScene<D, T>& scene) {
        const HeldRays<D, T> held(points, given);
        const SizeOf<T> within = most.is_none() ? std::numeric_limits<SizeOf<T>>::max()
                                                : static_cast<SizeOf<T>>(py::cast<double>(most));
        ScratchLease<D, T> scratch(given.workspace);
        const auto buffer = std::make_shared<NearestHits<D, T>>();
        {
          py::gil_scoped_release released;
          nearest_shapes(scene, held.span.origin, static_cast<std::size_t>(k), within,
                         held.span.filters, *buffer, scratch.workspace(), given.options);
        }
        return answer_of<NearestHitsObject>(*buffer, [&](const auto& column) {
          const py::array rows = exposed(column, buffer);
          const py::ssize_t count = static_cast<py::ssize_t>(held.span.size());
          return rows.ndim() == 1
                     ? py::cast<py::array>(rows.attr("reshape")(count, k))
                     : py::cast<py::array>(rows.attr("reshape")(count, k, rows.shape(1)));
        });
      },
      kept->kept);
}

py::array any_overlap_of(const SceneObject& moving, const std::shared_ptr<StaticSceneObject>& kept,
                         const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kAnyOverlap);
  const StaticSceneLease asking(kept, StaticSceneLease::To::ask, "kept");
  return with_scene(moving, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const StaticScene<D, T>& scene = *kept_of<D, T>(kept);
    const auto count = static_cast<std::size_t>(layout_of(span).shape_count());
    py::array_t<bool> answer(static_cast<py::ssize_t>(count));
    const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(answer.mutable_data()),
                                        count);
    ScratchLease<D, T> scratch(given.workspace);
    {
      py::gil_scoped_release released;
      any_overlap<D, T>(span, scene, bytes, scratch.workspace(), given.options);
    }
    return py::array(answer);
  });
}

}  // namespace

void bind_rays(py::module_& module) {
  py::class_<RayHitsObject> hits(module, "RayHits", "What rays hit, one row per ray: n.");
  bind_columns<RayHitsObject>(
      hits, RayHits<3, float>(),
      [](const RayHitsObject& self, std::string_view name) { return self.arrays.at(name); });
  // The first column by name may be left empty.
  hits.def("__len__", [](const RayHitsObject& self) { return py::len(self.arrays.at("shape")); });
  hits.def_property_readonly(
      "found", [](const RayHitsObject& self) { return self.arrays.at("shape").attr("__ge__")(0); },
      "(n,) bool: whether something is hit.");
  py::options options;
  options.disable_function_signatures();
  const auto def = [&](const Function& function, auto call, const char* text) {
    module.def(function.name.data(), call, py::arg("kept"), py::arg("origin"), py::arg("direction"),
               function.help(text).c_str());
  };
  def(kCastRays, &cast_rays_of,
      "For each ray the nearest shape of a StaticScene that it meets: origin (n, d) and direction\n"
      "(n, d) of any length. One row of either, or of a filter, stands for all.");
  def(kAnyHit, &any_hit_of,
      "Whether each ray meets a shape of a StaticScene: the truth of cast_rays' found, sooner.");
  py::class_<NearestHitsObject> nearest(
      module, "NearestHits", "Shapes nearest to points, k for each of n, the nearest first.");
  bind_columns<NearestHitsObject>(
      nearest, NearestHits<3, float>(),
      [](const NearestHitsObject& self, std::string_view name) { return self.arrays.at(name); });
  nearest.def("__len__",
              [](const NearestHitsObject& self) { return py::len(self.arrays.at("shape")); });
  nearest.def_property_readonly(
      "found",
      [](const NearestHitsObject& self) { return self.arrays.at("shape").attr("__ge__")(0); },
      "(n, k) bool: whether there is one.");
  module.def(kNearest.name.data(), &nearest_of, py::arg("kept"), py::arg("points"),
             py::arg("k") = 1, py::arg("max_distance") = py::none(),
             kNearest
                 .help("For each of points (n, d) the k nearest shapes of a StaticScene within "
                       "max_distance, with\nsigned distances: negative inside.")
                 .c_str());
  module.def(
      kAnyOverlap.name.data(), &any_overlap_of, py::arg("moving"), py::arg("kept"),
      kAnyOverlap
          .help("Whether each moving shape has a contact with one of a StaticScene, as "
                "collide finds\nthem; a ball of radius 0 asks whether a shape holds a point.")
          .c_str());
}

}  // namespace widephase::python
