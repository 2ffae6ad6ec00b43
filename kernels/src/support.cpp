#include <widephase/support.hpp>

#include "workspace.hpp"

namespace widephase {

namespace {

template <class T>
Error wrong_question(const char* array, std::size_t row, const T& message) {
  return Error(Finding{array, static_cast<std::int64_t>(row), message});
}

/// Throws for the first question without an answer.
template <class T>
void check_questions(const SceneLayout& layout, std::span<const std::int32_t> ids,
                     const ColumnSpan<T, 2>& direction) {
  if (direction.size() != ids.size()) {
    throw Error(Finding{"direction", -1,
                        "has " + std::to_string(direction.size()) + " rows for " +
                            std::to_string(ids.size()) + " ids"});
  }
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] < 0 || ids[row] >= layout.shape_count()) {
      throw wrong_question("ids", row,
                           "is " + std::to_string(ids[row]) + "; the scene's ids are 0 to " +
                               std::to_string(layout.shape_count() - 1));
    }
    if (layout.kind_of(ids[row]) == Kind::halfspace) {
      throw wrong_question("ids", row, "names a halfspace, which has no farthest point");
    }
    const T x = direction(row, 0), y = direction(row, 1);
    const T square = x * x + y * y;
    // Below its least normal number a square has no digits left, and the length none either.
    if (!(square >= std::numeric_limits<T>::min()) || !(square <= std::numeric_limits<T>::max())) {
      throw wrong_question("direction", row,
                           "must be finite and of a length whose square neither vanishes nor "
                           "overflows, about 1 at best");
    }
  }
}

}  // namespace

template <class T>
void support_points(SceneArgument<2, T> scene, std::span<const std::int32_t> ids,
                    const ColumnSpan<T, 2>& direction, SupportBuffer<2, T>& support,
                    Workspace<2, T>& workspace, const CollideOptions& options) {
  update_bounds(scene, workspace, options);
  SceneRows<2, T>& rows = workspace.state().rows;
  check_questions(rows.layout, ids, direction);
  rows.require_outlines();
  support.point.resize_uninitialized(ids.size());
  support.feature.resize_uninitialized(ids.size());
  const KernelTable<2, T>& table = kernel_table<2, T>(chosen_isa(options.isa));
  // Runs of ids of one kind, as they come.
  for (std::size_t begin = 0, end = 0; begin < ids.size(); begin = end) {
    const Kind kind = rows.layout.kind_of(ids[begin]);
    const int k = static_cast<int>(kind);
    const std::int32_t first_id = rows.layout.first[k], end_id = rows.layout.first[k + 1];
    while (end < ids.size() && ids[end] >= first_id && ids[end] < end_id) ++end;
    const auto& from = kind == Kind::polygon ? rows.rows[k] : rows.outlines[k];
    SupportRun<T> run{};
    run.kind = kind;
    run.rows = from.plane() - std::ptrdiff_t{first_id} * row_width(Kind::polygon, 2);
    run.library = rows.polygons.numbers.plane();
    run.ids = ids.data() + begin;
    run.count = static_cast<std::int64_t>(end - begin);
    for (int axis = 0; axis < 2; ++axis) {
      run.direction[axis] = {
          reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(direction.plane(axis)) +
                                     static_cast<std::ptrdiff_t>(begin) * direction.stride()),
          direction.stride()};
      run.point[axis] = support.point.plane(axis) + begin;
    }
    run.feature = support.feature.plane() + begin;
    table.support_points(run);
  }
}

template void support_points(SceneArgument<2, float>, std::span<const std::int32_t>,
                             const ColumnSpan<float, 2>&, SupportBuffer<2, float>&,
                             Workspace<2, float>&, const CollideOptions&);
template void support_points(SceneArgument<2, double>, std::span<const std::int32_t>,
                             const ColumnSpan<double, 2>&, SupportBuffer<2, double>&,
                             Workspace<2, double>&, const CollideOptions&);

}  // namespace widephase
