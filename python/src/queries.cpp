// widephase.distance, support, any_contact, min_distance, test_pairs, find_pairs, bounds.

#include "answers.hpp"
#include "calls.hpp"

#include <algorithm>

#include <widephase/support.hpp>
#include <widephase/worlds.hpp>

namespace widephase::python {

namespace {

constexpr Function kDistance{"distance",  "scene, pairs", {Call::distances},
                             "Distances", false,          true};
constexpr Function kMinDistance{"min_distance", "scene", {Call::min_distance},
                                "Distances",    false,   true};
constexpr Function kSupport{
    "support", "scene, ids, direction", {Call::support_points}, "Support", false, true};
constexpr Function kAnyContact{"any_contact", "scene", {Call::any_contact},
                               "(w,) bool",   false,   true};
constexpr Function kTestPairs{"test_pairs", "scene, pairs", {Call::test_pairs},
                              "(p,) bool",  false,          true};
constexpr Function kFindPairs{"find_pairs",   "scene", {Call::update_bounds, Call::find_pairs},
                              "(p, 2) int32", false,   true};
constexpr Function kBounds{"bounds", "scene", {Call::update_bounds}, "(min, max)"};

struct DistancesObject : ArraysByName {};
struct SupportObject : ArraysByName {};

DistancesObject distance_of(const SceneObject& scene, const py::object& pairs,
                            const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kDistance);
  const HeldValues<Pair> held = borrow_values<Pair>(pairs, "pairs");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<WorldDistanceBuffer<D, T>>();
    {
      py::gil_scoped_release released;
      distances<D, T>(span, held.values, *buffer, scratch.workspace(), given.options);
    }
    auto answer = answer_of<DistancesObject>(
        *buffer, [&](const auto& column) { return exposed(column, buffer); });
    answer.arrays["pair"] = py::cast<py::array>(held.holder);
    return answer;
  });
}

DistancesObject min_distance_of(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kMinDistance);
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<WorldDistanceBuffer<D, T>>();
    {
      py::gil_scoped_release released;
      min_distance<D, T>(span, *buffer, scratch.workspace(), given.options);
    }
    return answer_of<DistancesObject>(*buffer,
                                      [&](const auto& column) { return exposed(column, buffer); });
  });
}

SupportObject support_of(const SceneObject& scene, const py::object& ids,
                         const py::object& direction, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kSupport);
  const HeldValues<std::int32_t> held = borrow_values<std::int32_t>(ids, "ids");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    Rows rows = borrow(direction, "direction", number_of<SizeOf<T>>(), D);
    if (rows.is_single) repeat(rows, static_cast<py::ssize_t>(held.values.size()), D);
    ScratchLease<D, T> scratch(given.workspace);
    const auto buffer = std::make_shared<SupportBuffer<D, T>>();
    {
      py::gil_scoped_release released;
      support_points<D, T>(span, held.values, span_of<SizeOf<T>, D>(rows), *buffer,
                           scratch.workspace(), given.options);
    }
    return answer_of<SupportObject>(*buffer,
                                    [&](const auto& column) { return exposed(column, buffer); });
  });
}

/// One byte of 0 or 1 per row: a NumPy array of bool.
struct Truths {
  explicit Truths(std::size_t count)
      : array(py::array_t<bool>(static_cast<py::ssize_t>(count))),
        bytes(static_cast<std::uint8_t*>(array.mutable_data()), count) {}

  py::array array;
  std::span<std::uint8_t> bytes;
};

template <int D, class T>
std::int64_t count_of_shapes(const SceneSpan<D, T>& span) {
  const std::int64_t moving = layout_of(span).shape_count();
  return span.kept == nullptr ? moving : moving + static_cast<std::int64_t>(span.kept->size());
}

py::array any_contact_of(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kAnyContact);
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    // If there are more worlds than this, the call throws an `Error` before it writes anything.
    const std::int64_t worlds =
        std::min<std::int64_t>(world_count<D, T>(span), most_worlds(count_of_shapes(span)));
    const Truths truths(static_cast<std::size_t>(worlds));
    ScratchLease<D, T> scratch(given.workspace);
    {
      py::gil_scoped_release released;
      any_contact<D, T>(span, truths.bytes, scratch.workspace(), given.options);
    }
    return truths.array;
  });
}

py::array test_pairs_of(const SceneObject& scene, const py::object& pairs,
                        const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kTestPairs);
  const HeldValues<Pair> held = borrow_values<Pair>(pairs, "pairs");
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    const Truths truths(held.values.size());
    ScratchLease<D, T> scratch(given.workspace);
    {
      py::gil_scoped_release released;
      test_pairs<D, T>(span, held.values, truths.bytes, scratch.workspace(), given.options);
    }
    return truths.array;
  });
}

py::array find_pairs_of(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kFindPairs);
  return with_asked(scene, given, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    ScratchLease<D, T> scratch(given.workspace);
    auto pairs = std::make_shared<Column<Pair>>();
    {
      py::gil_scoped_release released;
      update_bounds<D, T>(span, scratch.workspace(), given.options);
      find_pairs<D, T>(span, scratch.workspace(), given.options);
      *pairs = scratch.workspace().pairs();
    }
    return exposed(*pairs, pairs);
  });
}

py::tuple bounds_of(const SceneObject& scene, const py::kwargs& kwargs) {
  const CallOptions given(kwargs, kBounds);
  return with_scene(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) {
    ScratchLease<D, T> scratch(given.workspace);
    auto bounds = std::make_shared<BoundsBuffer<D, PositionOf<T>>>();
    {
      py::gil_scoped_release released;
      update_bounds<D, T>(span, scratch.workspace(), given.options);
      *bounds = scratch.workspace().bounds();
    }
    return py::tuple(py::make_tuple(exposed(bounds->min, bounds), exposed(bounds->max, bounds)));
  });
}

}  // namespace

void bind_queries(py::module_& module) {
  py::class_<DistancesObject> distances(
      module, "Distances", "Distances and nearest points, one row per pair or world: n.");
  bind_answer(distances, WorldDistanceBuffer<3, float>());
  distances.def_property_readonly(
      "found",
      [](const DistancesObject& self) {
        const py::object first =
            self.arrays.at("pair").attr("__getitem__")(py::make_tuple(py::ellipsis(), 0));
        return first.attr("__ge__")(0);
      },
      "(n,) bool: whether there is a pair; without one the distance is the largest number.");
  py::class_<SupportObject> support(module, "Support",
                                    "Farthest points of shapes, one row per question: n.");
  bind_answer(support, SupportBuffer<3, float>());

  py::options options;
  options.disable_function_signatures();
  const auto def = [&](const Function& function, auto call, const char* text,
                       const auto&... arguments) {
    module.def(function.name.data(), call, arguments..., function.help(text).c_str());
  };
  def(kDistance, &distance_of,
      "Distance, direction and nearest points of pairs (p, 2) int32 of ids, in their order.",
      py::arg("scene"), py::arg("pairs"));
  def(kMinDistance, &min_distance_of,
      "The pair of least distance of each world, (w,) rows. `found` says which worlds have one.",
      py::arg("scene"));
  def(kSupport, &support_of,
      "The point of shape ids[i], (n,) int32, farthest along direction i, (n, d) of any\n"
      "length; one direction stands for all.",
      py::arg("scene"), py::arg("ids"), py::arg("direction"));
  def(kAnyContact, &any_contact_of, "Whether each world has a contact that collide would report.",
      py::arg("scene"));
  def(kTestPairs, &test_pairs_of, "Whether each of pairs (p, 2) int32 touches.", py::arg("scene"),
      py::arg("pairs"));
  def(kFindPairs, &find_pairs_of,
      "Pairs of ids whose bounds overlap and which the filters let through, each once.",
      py::arg("scene"));
  def(kBounds, &bounds_of,
      "Boxes along the axes around each shape and half its margin, rounded outwards: (n, d).",
      py::arg("scene"));
}

}  // namespace widephase::python
