// Rays through the shapes of all ranks: each rank answers for its own, and the nearest answer wins.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "mpi/scene_state.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// MPI counts in int.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

template <class N>
void reduce(const Communicator& communicator, N* numbers, std::size_t count, MPI_Datatype type,
            MPI_Op op) {
  for (std::size_t at = 0; at < count; at += kMostAtOnce) {
    const int some = static_cast<int>(std::min(kMostAtOnce, count - at));
    MPI_Allreduce(MPI_IN_PLACE, numbers + at, some, type, op, communicator.get());
  }
}

template <class Op, int D, class T>
void for_each_answer_column(RayHits<D, T>& hits, const Op& op) {
  op(hits.shape);
  op(hits.t);
  op(hits.normal);
  op(hits.point);
  op(hits.feature);
  op(hits.status);
  op(hits.part);
}

constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::max();

/// One number per ray, on all ranks.
struct Winners {
  std::vector<double> nearest;
  std::vector<std::int32_t> shape;  ///< of the least t the lowest id; `kNobody`: nothing is met
  std::vector<std::uint8_t> is_others;

  void resize(std::size_t rays) {
    nearest.resize(rays);
    shape.resize(rays);
    is_others.resize(rays);
  }
};

template <int D, class T>
void find_winners(const Communicator& communicator, const RayHits<D, T>& hits, Winners& winners) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  auto& [nearest, shape, is_others] = winners;
  const auto t_of = [&](std::size_t i) {
    return hits.shape[i] < 0 ? kNever : static_cast<double>(hits.t[i]);
  };
  for (std::size_t i = 0; i < hits.size(); ++i) nearest[i] = t_of(i);
  reduce(communicator, nearest.data(), nearest.size(), MPI_DOUBLE, MPI_MIN);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const bool is_nearest = hits.shape[i] >= 0 && t_of(i) == nearest[i];
    shape[i] = is_nearest ? hits.shape[i] : kNobody;
  }
  reduce(communicator, shape.data(), shape.size(), MPI_INT32_T, MPI_MIN);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    is_others[i] = shape[i] != kNobody && shape[i] != hits.shape[i] ? 1 : 0;
  }
}

}  // namespace

/// Makes bodies that rays name those of this rank. One of another rank becomes a name that no shape
/// here has.
template <int D, class T>
void DistributedScene<D, T>::State::name_bodies_here(FilterSpan& filters,
                                                     Column<std::int32_t>& body,
                                                     Column<std::int32_t, 2>& excluded) const {
  require_layout("body", filters.body);
  require_layout("excluded_bodies", filters.excluded_bodies);
  if (!has_bodies) return;
  const auto here = [&](std::int32_t number) {
    const std::int32_t place = number < 0 ? number : place_of_body(number);
    if (number < 0 || place >= 0) return place;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() - 1;
    const std::int64_t other = std::int64_t{number} + static_cast<std::int64_t>(own.body.size());
    return static_cast<std::int32_t>(std::min(other, kMost));
  };
  body.resize_uninitialized(filters.body.size());
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = here(filters.body[i]);
  for (std::size_t i = 0; i < filters.excluded_bodies.size(); ++i) {
    excluded.push_back({here(filters.excluded_bodies(i, 0)), here(filters.excluded_bodies(i, 1))});
  }
  filters.body = body;
  filters.excluded_bodies = excluded;
}

template <int D, class T>
void DistributedScene<D, T>::State::cast(const RaySpan<D, T>& rays, RayHits<D, T>& hits,
                                         const CastOptions& call_options) {
  hits.clear();
  RayHits<D, T> found;
  together(own, [&] {
    if (kept != nullptr) {
      throw Error("rays at a distributed scene meet no kept one; cast them at that by itself");
    }
    check_own();
    check_options(call_options);
    SceneSpan<D, T> scene = own_scene();  // whose excluded bodies do not concern rays
    scene.excluded_owners = common.excluded_owners;
    CollideOptions how;
    how.margin = call_options.margin;
    how.threads = call_options.threads;
    how.isa = call_options.isa;
    build_static_scene<D, T>(scene, asked_, rays_workspace_, how);
  });
  // What is wrong with a ray is its own row's, not a shape's.
  run_together(communicator, [&] {
    std::vector<std::int32_t> ids;
    for_each_table(own.scene, [&](const auto& table) {
      constexpr std::size_t kKind = kind_index<decltype(table)>();
      for (const std::int32_t row : own.row[kKind]) ids.push_back(layout.first[kKind] + row);
    });
    Column<std::int32_t, 2> excluded;
    const auto& given = rays.filters.excluded;
    require_layout("excluded", given);
    const auto count = static_cast<std::int64_t>(rays.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto refuse = [&](const char* what, int column, const char* whose, std::int64_t most) {
        throw Error(Finding{"excluded", static_cast<std::int64_t>(i),
                            std::string("names ") + what + std::to_string(given(i, column)) +
                                whose + std::to_string(most) + ", counted from 0"});
      };
      if (given(i, 0) < 0 || given(i, 0) >= layout.shape_count()) {
        refuse("shape ", 0, "; the world has ", layout.shape_count());
      }
      if (given(i, 1) < 0 || given(i, 1) >= count) refuse("ray ", 1, "; there are ", count);
      const auto place = std::lower_bound(ids.begin(), ids.end(), given(i, 0));
      if (place == ids.end() || *place != given(i, 0)) continue;
      excluded.push_back({static_cast<std::int32_t>(place - ids.begin()), given(i, 1)});
    }
    RaySpan<D, T> asked = rays;
    asked.filters.excluded = excluded;
    Column<std::int32_t> bodies;
    Column<std::int32_t, 2> excluded_bodies;
    name_bodies_here(asked.filters, bodies, excluded_bodies);
    widephase::cast_rays<D, T>(asked_, asked, found, rays_workspace_, call_options);
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::int32_t& shape = found.shape[i];
      if (shape >= 0) shape = ids[static_cast<std::size_t>(shape)];
    }
  });
  const bool has_parts = communicator.largest(std::int64_t{found.part.empty() ? 0 : 1}) != 0;
  Winners winners;
  run_together(communicator, [&] {
    if (has_parts) found.part.resize(found.size(), -1);
    winners.resize(found.size());
  });
  find_winners<D, T>(communicator, found, winners);
  // Bits of the winner's answer, which all other ranks add nothing to. Where nothing is met, all
  // have the same.
  for_each_answer_column(found, [&](auto& column) {
    using C = std::remove_cvref_t<decltype(column)>;
    for (int w = 0; w < C::width && !column.empty(); ++w) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (winners.is_others[i] != 0) column(i, w) = 0;
      }
      reduce(communicator, reinterpret_cast<std::byte*>(column.plane(w)),
             column.size() * sizeof(typename C::value_type), MPI_BYTE, MPI_BOR);
    }
  });
  hits = std::move(found);
}

template <int D, class T>
void DistributedScene<D, T>::cast_rays(const RaySpan<D, T>& rays, RayHits<D, T>& hits,
                                       const CastOptions& options) {
  state_->cast(rays, hits, options);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                       \
  template void DistributedScene<D, T>::State::cast(const RaySpan<D, T>&, RayHits<D, T>&, \
                                                    const CastOptions&);                  \
  template void DistributedScene<D, T>::cast_rays(const RaySpan<D, T>&, RayHits<D, T>&,   \
                                                  const CastOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
