#include "pipeline/broad/find_flush.hpp"

#include <widephase/pairs.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "pipeline/broad/flush_search2.hpp"
#include "pipeline/broad/flush_search3.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

/// A rotation as `KnownPart` has it: a quaternion, in 2D cosine and sine.
template <int D>
std::array<double, 4> turn_of_numbers(std::array<double, 4> numbers) {
  if constexpr (D == 2) {
    const Turn2<double> turn = turn_of(numbers[0]);
    return {turn.cosine, turn.sine, 0, 0};
  } else {
    double square = 0;
    for (const double number : numbers) square += number * number;
    for (double& number : numbers) number /= std::sqrt(square);
    return numbers;
  }
}

template <int D, class T>
const auto& instances_of(const SceneSpan<D, T>& scene) {
  if constexpr (D == 2) {
    return scene.polygons;
  } else {
    return scene.hulls;
  }
}

/// Reads the shapes that may be parts; those of worlds that are left out may hold anything.
template <int D, class T>
void read_parts(const SceneSpan<D, T>& scene, const SceneLayout& layout, std::size_t geometry_count,
                std::vector<KnownPart>& parts) {
  parts.clear();
  const auto read = [&](const auto& table, const auto& place) {
    using Table = std::remove_cvref_t<decltype(table)>;
    for (std::size_t row = 0; row < table.owner.size(); ++row) {
      if (table.owner[row] < 0) continue;
      KnownPart part{};
      part.id = layout.id(Table::kind, static_cast<std::int32_t>(row));
      part.geometry = -1;
      part.world = value_or(table.world, row, std::int32_t{0});
      part.owner = table.owner[row];
      part.body = value_or(table.body, row, std::int32_t{-1});
      part.turn = turn_of_numbers<D>({0, 0, 0, D == 2 ? 0.0 : 1.0});
      if (!place(row, part)) continue;
      double sum = 0;
      for (const double number : part.at) sum += number;
      for (const double number : part.turn) sum += number;
      bool has_size = true;
      for (std::size_t k = 0; k < D && part.geometry < 0; ++k) {
        sum += part.half[k];
        has_size &= part.half[k] > 0;
      }
      if (sum - sum == 0 && has_size) parts.push_back(part);
    }
  };
  const auto set_center = [](const auto& table, std::size_t row, KnownPart& part) {
    for (int k = 0; k < D; ++k) {
      part.at[static_cast<std::size_t>(k)] = static_cast<double>(table.center(row, k));
    }
    std::array<double, 4> numbers{};
    for (int k = 0; k < (D == 2 ? 1 : 4); ++k) {
      numbers[static_cast<std::size_t>(k)] = static_cast<double>(table.turn(row, k));
    }
    part.turn = turn_of_numbers<D>(numbers);
    return !(value_or(table.radius, row, SizeOf<T>{0}) > 0);  // rounded ones leave a groove
  };
  read(scene.aabbs, [&](std::size_t row, KnownPart& part) {
    for (int k = 0; k < D; ++k) {
      const auto low = static_cast<double>(scene.aabbs.min(row, k));
      const auto high = static_cast<double>(scene.aabbs.max(row, k));
      part.at[static_cast<std::size_t>(k)] = 0.5 * low + 0.5 * high;
      part.half[static_cast<std::size_t>(k)] = 0.5 * (high - low);
    }
    return true;
  });
  read(scene.boxes, [&](std::size_t row, KnownPart& part) {
    for (int k = 0; k < D; ++k) {
      part.half[static_cast<std::size_t>(k)] =
          static_cast<double>(scene.boxes.half_extents(row, k));
    }
    return set_center(scene.boxes, row, part);
  });
  const auto& instances = instances_of(scene);
  read(instances, [&](std::size_t row, KnownPart& part) {
    part.geometry = instances.geometry[row];
    const bool is_known =
        part.geometry >= 0 && static_cast<std::size_t>(part.geometry) < geometry_count;
    return set_center(instances, row, part) && is_known;
  });
}

/// Which point sets parts name: in 3D by the library's version, in 2D by their numbers.
template <int D, class T>
void read_point_sets(const std::vector<KnownPart>& parts,
                     const GeometryTable<Borrowed<D, T>>& geometries, std::int64_t version,
                     std::vector<double>& read) {
  read.assign(1, static_cast<double>(version));
  if (D == 3) return;
  const std::size_t count = geometries.offsets.empty() ? 0 : geometries.offsets.size() - 1;
  std::vector<bool> is_read(count);
  for (const KnownPart& part : parts) {
    if (part.geometry < 0 || is_read[static_cast<std::size_t>(part.geometry)]) continue;
    const auto geometry = static_cast<std::size_t>(part.geometry);
    is_read[geometry] = true;
    read.push_back(static_cast<double>(part.geometry));
    const auto end = static_cast<std::size_t>(geometries.offsets(geometry + 1));
    for (auto v = static_cast<std::size_t>(geometries.offsets(geometry)); v < end; ++v) {
      for (int k = 0; k < D; ++k) read.push_back(static_cast<double>(geometries.vertices(v, k)));
      read.push_back(!geometries.inner.empty() && geometries.inner(v) != 0 ? 1 : 0);
    }
  }
}

}  // namespace

template <int D, class T>
void find_flush(const SceneSpan<D, T>& scene, const SceneRows<D, T>& rows,
                const GeometryTable<Borrowed<D, SizeOf<T>>>& geometries, double tolerance,
                const Threads& threads, FlushParts& found) {
  if (!(tolerance > 0)) {
    if (found.tolerance > 0) found = {};
    return;
  }
  const auto& library = [&]() -> const auto& {
    if constexpr (D == 2) {
      return rows.polygon_library();
    } else {
      return rows.hull_library();
    }
  }
  ();
  read_parts(scene, rows.layout, library.place.size(), found.read);
  std::int64_t version = 0;
  if constexpr (D == 3) version = library.version;
  read_point_sets<D, SizeOf<T>>(found.read, geometries, version, found.read_sets);
  Domain<D, double> domain;
  for (std::size_t k = 0; k < D; ++k) {
    if (!scene.domain.periodic[k]) continue;
    domain.periodic[k] = true;
    domain.min[k] = static_cast<double>(scene.domain.min[k]);
    domain.max[k] = static_cast<double>(scene.domain.max[k]);
  }
  found.read_sets.insert(found.read_sets.end(), domain.min.begin(), domain.min.end());
  found.read_sets.insert(found.read_sets.end(), domain.max.begin(), domain.max.end());
  const auto shape_count = static_cast<std::size_t>(rows.layout.shape_count());
  if (found.tolerance == tolerance && found.read_sets == found.known_sets &&
      found.read == found.known && found.part_of.size() == shape_count) {
    return;
  }
  found.tolerance = 0;
  found.clear();
  std::swap(found.known, found.read);
  const std::vector<KnownPart>& parts = found.known;
  FlushSearch<D> search(parts, geometries, library, found);
  found.tolerance = tolerance;

  // Groups that may be flush, as worlds of the broad phase.
  std::vector<std::size_t> order(parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto group_of = [&](std::size_t i) {
    return std::tuple(parts[i].world, parts[i].owner, parts[i].body);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::tuple(group_of(i), i) < std::tuple(group_of(j), j);
  });
  Column<std::int32_t> group;
  group.resize(parts.size(), 0);
  for (std::size_t n = 1; n < order.size(); ++n) {
    const bool is_next = group_of(order[n]) != group_of(order[n - 1]);
    group[order[n]] = group[order[n - 1]] + (is_next ? 1 : 0);
  }
  using Solid = typename FlushSearch<D>::Solid;
  BoundsBuffer<D, double> bounds;
  bounds.min.resize_uninitialized(parts.size());
  bounds.max.resize_uninitialized(parts.size());
  Solid solid, other;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    search.place(i, solid);
    for (int k = 0; k < D; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      double low = solid.vertices[0][axis], high = low;
      for (const auto& vertex : solid.vertices) {
        low = std::min(low, vertex[axis]);
        high = std::max(high, vertex[axis]);
      }
      bounds.min(i, k) = low - tolerance;
      bounds.max(i, k) = high + tolerance;
    }
  }
  // Parts of the scene meet across periodic sides, those of a body within it.
  const auto image = [&](std::size_t of, std::size_t beside) {
    std::array<double, D> by{};
    for (std::size_t k = 0; k < D; ++k) {
      if (!domain.periodic[k] || parts[of].body >= 0) continue;
      const int axis = static_cast<int>(k);
      const auto middle = [&](std::size_t i) {
        return 0.5 * bounds.min(i, axis) + 0.5 * bounds.max(i, axis);
      };
      const double period = domain.max[k] - domain.min[k];
      by[k] = period * std::nearbyint((middle(beside) - middle(of)) / period);
    }
    return by;
  };
  const auto place_image = [&](std::size_t of, std::size_t beside, Solid& to) {
    search.place(of, to);
    if (domain.is_periodic()) to.move(image(of, beside));
  };
  Column<Pair> pairs;
  PairWorkspace<D, double> workspace;
  FilterSpan filters;
  filters.world = group;
  PairOptions options;
  options.threads = threads;
  std::vector<std::vector<std::int32_t>> beside(parts.size());
  Column<std::uint32_t> kept;
  for (const bool is_wrapped : {false, true}) {
    if (is_wrapped && !domain.is_periodic()) break;
    kept.clear();
    for (const KnownPart& part : parts) {
      const bool is_in_body = part.body >= 0;
      kept.push_back(!domain.is_periodic() || is_in_body != is_wrapped ? 1 : 0);
    }
    filters.category = kept;
    find_pairs<D, double>(bounds, filters, is_wrapped ? domain : Domain<D, double>{}, pairs,
                          workspace, options);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto a = static_cast<std::size_t>(pairs[p].a), b = static_cast<std::size_t>(pairs[p].b);
      search.place(a, solid);
      place_image(b, a, other);
      if (!search.are_neighbours(solid, other)) continue;
      beside[a].push_back(pairs[p].b);
      beside[b].push_back(pairs[p].a);
    }
  }
  found.part_of.assign(shape_count, -1);
  std::vector<Solid> neighbours;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<std::int32_t>& list = beside[i];
    if (list.empty()) continue;
    std::sort(list.begin(), list.end());
    found.part_of[static_cast<std::size_t>(parts[i].id)] =
        static_cast<std::int32_t>(found.parts.size());
    found.parts.push_back({static_cast<std::int32_t>(found.neighbours.size()),
                           static_cast<std::int32_t>(list.size()),
                           static_cast<std::int32_t>(found.faces.size()),
                           static_cast<std::int32_t>(found.edges.size())});
    search.place(i, solid);
    neighbours.resize(list.size());
    for (std::size_t n = 0; n < list.size(); ++n) {
      const auto part = static_cast<std::size_t>(list[n]);
      found.neighbours.push_back(parts[part].id);
      place_image(part, i, neighbours[n]);
    }
    search.add(solid, neighbours);
  }
  std::swap(found.known_sets, found.read_sets);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                              \
  template void find_flush(const SceneSpan<D, T>&, const SceneRows<D, T>&,                       \
                           const GeometryTable<Borrowed<D, SizeOf<T>>>&, double, const Threads&, \
                           FlushParts&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
