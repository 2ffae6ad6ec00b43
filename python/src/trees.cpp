// widephase.BoundsTree: boxes that stay, asked for their pairs with others.

#include <pybind11/stl.h>

#include <widephase/bounds_tree.hpp>

#include "calls.hpp"

namespace widephase::python {

namespace {

template <int D, class T>
using SharedTree = std::shared_ptr<BoundsTree<D, T>>;

struct TreeObject {
  std::variant<SharedTree<2, float>, SharedTree<2, double>, SharedTree<3, float>,
               SharedTree<3, double>>
      tree;
};

/// Filters of boxes by name; they hold their arrays.
class Filters {
 public:
  Filters(const py::kwargs& given, std::string_view function, bool has_lists) {
    for (const auto& [word, value] : given) {
      const auto name = py::cast<std::string>(word);
      if (!set(name, value, has_lists)) {
        throw py::type_error(std::string(function) + "() has no option " + name + "; there are " +
                             known_);
      }
    }
  }

  FilterSpan span;
  PairOptions options;

 private:
  template <class T, int W>
  void read_column(ColumnSpan<T, W>& column, std::string_view name, py::handle value) {
    held_.push_back(borrow(value, name, number_of<T>(), W));
    column = span_of<T, W>(held_.back());
  }

  bool set(const std::string& name, py::handle value, bool has_lists) {
    bool is_known = false;
    known_.clear();
    const auto meets = [&](std::string_view other) {
      known_.append(known_.empty() ? "" : ", ").append(other);
      is_known |= name == other;
      return name == other && is_given(value);
    };
    if (meets("world")) read_column(span.world, name, value);
    if (meets("category")) read_column(span.category, name, value);
    if (meets("mask")) read_column(span.mask, name, value);
    if (meets("owner")) read_column(span.owner, name, value);
    if (meets("fixed")) read_column(span.fixed, name, value);
    if (meets("body")) read_column(span.body, name, value);
    if (meets("threads")) options.threads.count = py::cast<int>(value);
    if (meets("isa")) options.isa = isa_from_name(py::cast<std::string>(value));
    if (!has_lists) return is_known;
    if (meets("excluded")) read_column(span.excluded, name, value);
    if (meets("excluded_owners")) read_column(span.excluded_owners, name, value);
    if (meets("excluded_bodies")) read_column(span.excluded_bodies, name, value);
    if (meets("world_mask")) {
      mask_ = borrow_mask(value, name);
      span.world_mask = mask_.values;
    }
    if (meets("max_pairs")) options.max_pairs = py::cast<std::size_t>(value);
    return is_known;
  }

  std::string known_;
  std::vector<Rows> held_;
  HeldValues<std::uint8_t> mask_;
};

/// Boxes in arrays of the caller.
template <int D, class T>
struct HeldBoxes {
  HeldBoxes(const py::object& low, const py::object& high)
      : min(borrow(low, "min", number_of<T>(), D)),
        max(borrow(high, "max", number_of<T>(), D)),
        span(span_of<T, D>(min), span_of<T, D>(max)) {}

  Rows min, max;
  BoundsSpan<D, T> span;
};

bool is_float64(const py::object& given) {
  if (!py::hasattr(given, "dtype")) return false;
  const py::dtype type = py::module_::import("numpy").attr("dtype")(given.attr("dtype"));
  return type.kind() == 'f' && type.itemsize() >= 8;
}

std::shared_ptr<TreeObject> make_tree(const py::object& min, const py::object& max,
                                      const py::object& domain, const py::kwargs& kwargs) {
  const Filters filters(kwargs, "BoundsTree", false);
  const py::tuple shape = py::module_::import("numpy").attr("shape")(min);
  const int width = py::len(shape) == 2 ? py::cast<int>(shape[1]) : 0;
  if (width != 2 && width != 3) refuse("min", "has no rows of 2 or 3 numbers");
  const auto make = [&]<int D, class T>() {
    const HeldBoxes<D, T> boxes(min, max);
    Domain<D, T> box;
    if (is_given(domain)) {
      const auto parts = py::cast<py::sequence>(domain);
      if (py::len(parts) != 3) refuse("domain", "is not (min, max, periodic)");
      const auto low = py::cast<std::vector<double>>(parts[0]);
      const auto high = py::cast<std::vector<double>>(parts[1]);
      const auto periodic = py::cast<std::vector<bool>>(parts[2]);
      if (low.size() != D || high.size() != D || periodic.size() != D) {
        refuse("domain", "must have " + std::to_string(D) + " numbers in min, max and periodic");
      }
      for (std::size_t k = 0; k < D; ++k) {
        box.min[k] = static_cast<T>(low[k]);
        box.max[k] = static_cast<T>(high[k]);
        box.periodic[k] = periodic[k];
      }
    }
    auto tree = std::make_shared<BoundsTree<D, T>>();
    {
      py::gil_scoped_release released;
      PairWorkspace<D, T> workspace;
      build_tree<D, T>(boxes.span, filters.span, box, *tree, workspace, filters.options);
    }
    return std::make_shared<TreeObject>(TreeObject{std::move(tree)});
  };
  const bool is_wide = is_float64(min) || is_float64(max);
  if (width == 2) {
    return is_wide ? make.template operator()<2, double>() : make.template operator()<2, float>();
  }
  return is_wide ? make.template operator()<3, double>() : make.template operator()<3, float>();
}

py::array pairs_with(const TreeObject& self, const py::object& min, const py::object& max,
                     const py::kwargs& kwargs) {
  const Filters filters(kwargs, "find_pairs", true);
  return std::visit(
      [&]<int D, class T>(const SharedTree<D, T>& tree) {
        const HeldBoxes<D, T> boxes(min, max);
        auto pairs = std::make_shared<Column<Pair>>();
        {
          py::gil_scoped_release released;
          PairWorkspace<D, T> workspace;
          find_pairs<D, T>(*tree, boxes.span, filters.span, *pairs, workspace, filters.options);
        }
        return exposed(*pairs, pairs);
      },
      self.tree);
}

}  // namespace

void bind_trees(py::module_& module) {
  py::class_<TreeObject, std::shared_ptr<TreeObject>>(
      module, "BoundsTree",
      "Boxes along the axes that stay, sorted once and asked many times.\n\n"
      "min, max: (n, d) corners, such as widephase.bounds gives. Computed in float64 if one of\n"
      "them is an array of it. domain: (min, max, periodic) as Scene.domain, or None. Options are\n"
      "the columns of filters of a Table, one row per box (world, category, mask, owner, fixed,\n"
      "body), threads and isa.")
      .def(py::init(&make_tree), py::arg("min"), py::arg("max"), py::arg("domain") = py::none())
      .def("__len__",
           [](const TreeObject& self) {
             return std::visit([](const auto& tree) { return tree->size(); }, self.tree);
           })
      .def("find_pairs", &pairs_with, py::arg("min"), py::arg("max"),
           "(p, 2) int32: rows of the tree and of the boxes min, max (m, d) that overlap, each\n"
           "once. Options are those of BoundsTree for these boxes, and excluded (k, 2) rows,\n"
           "excluded_owners, excluded_bodies, world_mask and max_pairs.");
}

}  // namespace widephase::python
