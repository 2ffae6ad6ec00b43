// widephase.cast_rays, any_hit.

#include <algorithm>

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
/// `any_hit` has no normals.
constexpr std::span<const Keyword> kAnyFilters(kFilters, std::size(kFilters) - 1);

constexpr Function kCastRays{
    "cast_rays", "kept, origin, direction", {Call::cast_rays}, "RayHits", false, false, kFilters};
constexpr Function kAnyHit{
    "any_hit",  "kept, origin, direction", {Call::cast_rays}, "(n,) bool", false, false,
    kAnyFilters};

struct RayHitsObject : ArraysByName {};

/// The columns of rays, and what keeps them alive.
template <int D, class T>
class HeldRays {
 public:
  HeldRays(const py::object& origin, const py::object& direction, const CallOptions& given)
      : given_(given) {
    Rows from = borrow(origin, "origin", number_of<PositionOf<T>>(), D);
    Rows along = borrow(direction, "direction", number_of<SizeOf<T>>(), D);
    const py::ssize_t count = from.is_single ? along.count : from.count;
    if (from.is_single) repeat(from, count, D);
    if (along.is_single) repeat(along, count, D);
    span.origin = span_of<PositionOf<T>, D>(from);
    span.direction = span_of<SizeOf<T>, D>(along);
    rows_.push_back(std::move(from));
    rows_.push_back(std::move(along));
    read("max_t", span.max_t, count);
    FilterSpan& filters = span.filters;
    read("world", filters.world, count);
    read("category", filters.category, count);
    read("mask", filters.mask, count);
    read("owner", filters.owner, count);
    read("body", filters.body, count);
    read("excluded", filters.excluded, 0);
    read("excluded_owners", filters.excluded_owners, 0);
    read("excluded_bodies", filters.excluded_bodies, 0);
  }

  RaySpan<D, T> span;

 private:
  /// A single number stands for all `count` rays; 0: for itself.
  template <class V, int W>
  void read(std::string_view name, ColumnSpan<V, W>& column, py::ssize_t count) {
    const auto found = given_.keywords.find(name);
    if (found == given_.keywords.end()) return;
    Rows rows = borrow(found->second, name, number_of<V>(), W);
    if (rows.is_single && count != 0) repeat(rows, count, W);
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
      "(n, d) of any length; one row of either stands for all.");
  def(kAnyHit, &any_hit_of,
      "Whether each ray meets a shape of a StaticScene; faster than cast_rays.");
}

}  // namespace widephase::python
