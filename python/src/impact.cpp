// widephase.time_of_impact, first_impacts.

#include <widephase/impact.hpp>

#include "answers.hpp"
#include "calls.hpp"

namespace widephase::python {

namespace {

constexpr Keyword kMotion[] = {
    {"position_end", "None", "(m, d): where the bodies are at t = 1; None: where they are now"},
    {"angle_end", "None", "(m,) in 2D, less than half a turn from bodies.angle; None: as now"},
    {"orientation_end", "None",
     "(m, 4) x y z w in 3D, reached along the shorter arc; None: as now"},
    {"start_overlap", "'report'",
     "what a pair is that overlaps at the start (report, leave_apart, pass)"},
    {"tolerance", "0.0",
     "how much farther than the margin t may leave a pair; 0: 1e-4 of the smaller shape"},
    {"normals", "True", "False: normal, point, depth, feature and part are left empty"},
};

constexpr Function kTimeOfImpact{
    "time_of_impact", "scene, pairs", {Call::time_of_impact}, "Impacts", false, true, kMotion};
constexpr Function kFirstImpacts{
    "first_impacts", "scene", {Call::first_impacts}, "Impacts", false, true, kMotion};

struct ImpactsObject : ArraysByName {};

/// Where all bodies end, and what keeps them alive.
template <int D, class T>
class HeldMotion {
 public:
  explicit HeldMotion(const CallOptions& given) {
    read(given, "position_end", motion.position_end);
    constexpr const char* kOther = D == 2 ? "orientation_end" : "angle_end";
    if (given.keywords.contains(kOther)) {
      refuse(kOther, "is for scenes of the other dimension; give " +
                         std::string(D == 2 ? "angle_end" : "orientation_end"));
    }
    if constexpr (D == 2) {
      read(given, "angle_end", motion.angle_end);
    } else {
      read(given, "orientation_end", motion.orientation_end);
    }
  }

  Motion<D, T> motion;

 private:
  template <class V, int W>
  void read(const CallOptions& given, std::string_view name, ColumnSpan<V, W>& column) {
    const auto found = given.keywords.find(name);
    if (found == given.keywords.end()) return;
    Rows rows = borrow(found->second, name, number_of<V>(), W);
    column = span_of<V, W>(rows);
    rows_.push_back(std::move(rows));
  }

  std::vector<Rows> rows_;
};

ImpactsObject time_of_impact_of(const SceneObject& scene, const py::object& pairs,
                                const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kTimeOfImpact);
  const ShapeCastOptions options = shape_cast_options_of(given);
  const HeldValues<Pair> held = borrow_values<Pair>(pairs, "pairs");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const HeldMotion<D, T> held_motion(given);
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<ImpactHits<D, T>>();
    {
      py::gil_scoped_release released;
      time_of_impact<D, T>(span, held_motion.motion, held.values, *buffer, scratch.workspace(),
                           options);
    }
    return answer_of<ImpactsObject>(*buffer,
                                    [&](const auto& column) { return exposed(column, buffer); });
  });
}

ImpactsObject first_impacts_of(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kFirstImpacts);
  const ShapeCastOptions options = shape_cast_options_of(given);
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const HeldMotion<D, T> held_motion(given);
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<ImpactHits<D, T>>();
    {
      py::gil_scoped_release released;
      first_impacts<D, T>(span, held_motion.motion, *buffer, scratch.workspace(), options);
    }
    return answer_of<ImpactsObject>(*buffer,
                                    [&](const auto& column) { return exposed(column, buffer); });
  });
}

}  // namespace

void bind_impact(py::module_& module) {
  py::class_<ImpactsObject> impacts(module, "Impacts",
                                    "When moving shapes meet first, one row per pair or body: n.");
  bind_columns<ImpactsObject>(
      impacts, ImpactHits<3, float>(),
      [](const ImpactsObject& self, std::string_view name) { return self.arrays.at(name); });
  // The first column by name may be left empty.
  impacts.def("__len__", [](const ImpactsObject& self) { return py::len(self.arrays.at("t")); });
  impacts.def_property_readonly(
      "found",
      [](const ImpactsObject& self) {
        const py::object first =
            self.arrays.at("pair").attr("__getitem__")(py::make_tuple(py::ellipsis(), 0));
        return first.attr("__ge__")(0);
      },
      "(n,) bool: whether something is met.");
  py::options options;
  options.disable_function_signatures();
  module.def(kTimeOfImpact.name.data(), &time_of_impact_of, py::arg("scene"), py::arg("pairs"),
             kTimeOfImpact
                 .help("When the shapes of each of pairs (p, 2) int32 meet first while the bodies "
                       "of the\nscene move. Never late, never missed.")
                 .c_str());
  module.def(kFirstImpacts.name.data(), &first_impacts_of, py::arg("scene"),
             kFirstImpacts
                 .help("What each of m bodies meets first: B is a shape of the body, A "
                       "what it\nmeets.")
                 .c_str());
}

}  // namespace widephase::python
