#include <widephase/support.hpp>

#include "pipeline/narrow/workspace.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

namespace {

template <class T>
Error wrong_question(const char* array, std::size_t row, const T& message) {
  return Error(Finding{array, static_cast<std::int64_t>(row), message});
}

/// Throws for the first invalid question. `row_id` gives the id that the rows have.
template <int D, class T, class RowId>
void check_questions(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                     std::span<const std::int32_t> ids, const RowId& row_id,
                     const ColumnSpan<SizeOf<T>, D>& direction) {
  const SceneLayout reported = reported_layout(scene);
  if (direction.size() != ids.size()) {
    throw Error(Finding{"direction", -1,
                        "has " + number(direction.size()) + " rows for " +
                            number(ids.size()) + " ids"});
  }
  require_address("ids", ids);
  require_layout("direction", direction);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] < 0 || ids[row] >= reported.shape_count()) {
      throw wrong_question("ids", row,
                           "is " + number(ids[row]) + "; the scene's ids are 0 to " +
                               number(reported.shape_count() - 1));
    }
    const Kind kind = rows.layout.kind_of(row_id(ids[row]));
    if (traits_of(kind).is_unbounded || traits_of(kind).is_surface) {
      throw wrong_question(
          "ids", row,
          "names a " + std::string(kind_name(kind, D)) + ", which has no farthest point");
    }
    SizeOf<T> square = 0;
    for (int k = 0; k < D; ++k) square += direction(row, k) * direction(row, k);
    // Below the smallest normal number a square has no digits left, and neither has the length.
    using Limits = std::numeric_limits<SizeOf<T>>;
    if (!(square >= Limits::min()) || !(square <= Limits::max())) {
      throw wrong_question("direction", row,
                           "must be finite and of a length whose square neither vanishes nor "
                           "overflows, about 1 at best");
    }
  }
}

}  // namespace

template <int D, class T>
void support_points(SceneArgument<D, T> scene, std::span<const std::int32_t> asked,
                    const ColumnSpan<SizeOf<T>, D>& direction, SupportBuffer<D, T>& support,
                    Workspace<D, T>& workspace, const CollideOptions& options) {
  refuse_world_choice(options, "support_points");
  update_bounds(scene, workspace, options);
  using Size = SizeOf<T>;
  auto& state = workspace.state();
  SceneRows<D, T>& rows = state.asked_rows();
  const JoinedScenes<D, T>& joined = state.joined_scenes;
  const auto row_id = [&](std::int32_t id) {
    return joined.is_in_use() ? joined.joined_id(id) : id;
  };
  check_questions<D, T>(scene, rows, asked, row_id, direction);
  std::span<const std::int32_t> ids = asked;
  if (joined.is_in_use()) {
    state.ids.resize_uninitialized(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) state.ids[i] = row_id(asked[i]);
    ids = {state.ids.plane(), state.ids.size()};
  }
  rows.require_outlines();
  Column<Size, D>& points = [&]() -> Column<Size, D>& {
    if constexpr (is_mixed<T>) {
      return state.points;
    } else {
      return support.point;
    }
  }();
  resize_together(ids.size(), support.point, support.feature, points);
  const KernelTable<D, SizeOf<T>>& table = kernel_table<D, SizeOf<T>>(chosen_isa(options.isa));
  // Runs of consecutive ids of one kind.
  for (std::size_t begin = 0, end = 0; begin < ids.size(); begin = end) {
    const Kind kind = rows.layout.kind_of(ids[begin]);
    const int k = static_cast<int>(kind);
    const std::int32_t first_id = rows.layout.first[k], end_id = rows.layout.first[k + 1];
    while (end < ids.size() && ids[end] >= first_id && ids[end] < end_id) ++end;
    // In 2D all kinds are outlines, with rows as polygons have them.
    const auto& from = D == 2 && kind != instance_kind(D) ? rows.outlines[k] : rows.rows[k];
    const int width = row_width(D == 2 ? instance_kind(D) : kind, D);
    SupportRun<D, Size> run{};
    run.kind = kind;
    const std::int32_t first_row = first_id - rows.rows_before[static_cast<std::size_t>(k)];
    run.rows = from.plane() - std::ptrdiff_t{first_row} * width;
    if constexpr (D == 2) {
      run.library = rows.polygon_library().numbers.plane();
    } else {
      run.library = rows.hull_library().numbers.plane();
      run.indices = rows.hull_library().indices.plane();
    }
    if (kind == instance_kind(D) && !rows.rests.empty()) {
      run.rests = rows.rests.plane() - std::ptrdiff_t{first_row} * kAnchorNumbers;
    }
    run.ids = ids.data() + begin;
    run.count = static_cast<std::int64_t>(end - begin);
    for (int axis = 0; axis < D; ++axis) {
      run.direction[axis] = {
          reinterpret_cast<const Size*>(reinterpret_cast<const std::byte*>(direction.plane(axis)) +
                                        static_cast<std::ptrdiff_t>(begin) * direction.stride()),
          direction.stride()};
      run.point[axis] = points.plane(axis) + begin;
    }
    run.feature = support.feature.plane() + begin;
    table.support_points(run);
    for (std::size_t i = begin; is_mixed<T> && i < end; ++i) {
      const auto at = static_cast<std::size_t>(ids[i] - first_row) *
                      static_cast<std::size_t>(anchor_width(kind));
      for (int axis = 0; axis < D; ++axis) {
        support.point(i, axis) =
            rows.anchors[k][at + static_cast<std::size_t>(axis)] + points(i, axis);
      }
    }
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                   \
  template void support_points(SceneArgument<D, T>, std::span<const std::int32_t>,    \
                               const ColumnSpan<SizeOf<T>, D>&, SupportBuffer<D, T>&, \
                               Workspace<D, T>&, const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
