#include "support/scenes.hpp"

namespace widephase::test {

template <int D, class T>
void add_mixed(SceneColumns<D, T>& scene, const SceneRecipe& recipe) {
  Random random(recipe.seed);
  const double side = recipe.spacing * std::pow(static_cast<double>(recipe.count), 1.0 / D);
  for (std::size_t i = 0; i < recipe.count; ++i) {
    const Kind kind = bounded_kind(random, D);
    Point<D> center = random.point<D>(0, side);
    const double size = random.chance(0.02) ? 3 : 0.1 * std::pow(10, random.uniform(0, 1));
    Solid<D> solid = random_solid<D>(random, kind, center, size);
    if (recipe.has_ties && random.chance(0.5)) solid = snapped(solid);
    append(scene, solid);
  }
  for (int i = 0; i < recipe.halfspace_count; ++i) {
    Point<D> normal{};
    normal[i % D] = i % 2 == 0 ? 1 : -1;
    const double offset = normal[i % D] > 0 ? 0.3 : 0.3 - side;
    if (i + 1 < recipe.halfspace_count) {
      append(scene, halfspace<D>(normal, offset));
    } else {
      // The last one is oblique and cuts off a corner.
      Point<D> oblique = random.direction<D>();
      for (double& value : oblique) value = std::abs(value);
      append(scene, halfspace<D>(oblique, 0.2 * side));
    }
  }
}

template <int D, class T>
void add_tags(SceneColumns<D, T>& scene, int worlds, std::uint64_t seed) {
  Random random(seed);
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](auto& table) {
      const std::size_t count = row_count(table);
      for (std::size_t i = 0; i < count; ++i) {
        table.world.push_back({random.chance(0.1) ? -1 : random.integer(0, worlds - 1)});
        table.category.push_back({1u << random.integer(0, 3)});
        table.mask.push_back({random.chance(0.7) ? 0xffffffffu : 0xfffffff5u});
        table.owner.push_back({random.integer(-1, 9)});
        table.fixed.push_back({static_cast<std::uint8_t>(random.chance(0.3) ? 1 : 0)});
        table.body.push_back({random.integer(-1, 30)});
        table.margin.push_back({static_cast<SizeOf<T>>(random.chance(0.5) ? 0 : 0.125)});
      }
    });
  }
  const std::int32_t shapes = layout_of(scene).shape_count();
  for (std::int32_t i = 0; i < shapes; ++i) {
    const std::int32_t a = random.integer(0, shapes - 1);
    // Repeats, both orders, and sometimes a shape with itself.
    scene.excluded.push_back({a, random.chance(0.1) ? a : random.integer(0, shapes - 1)});
  }
  scene.excluded_owners = {{3, 7}, {7, 3}, {2, 2}, {0, 50}};
  scene.excluded_bodies = {{1, 2}, {30, 0}, {4, 4}, {2, 30}};
}

template <int D, class T>
std::vector<ShapeTags> tags_of(const SceneColumns<D, T>& scene) {
  std::vector<ShapeTags> tags;
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](const auto& table) {
      for (std::size_t i = 0; i < row_count(table); ++i) {
        const ShapeTags none;
        tags.push_back({value_or(table.world, i, none.world),
                        value_or(table.category, i, none.category),
                        value_or(table.mask, i, none.mask), value_or(table.owner, i, none.owner),
                        value_or(table.fixed, i, none.fixed), value_or(table.body, i, none.body),
                        static_cast<double>(value_or(table.margin, i, SizeOf<T>(0)))});
      }
    });
  }
  return tags;
}

namespace {

/// docs/conventions.md, "Columns that every kind may have".
bool may_meet(const ShapeTags& a, const ShapeTags& b) {
  if (a.world != b.world && a.world != -1 && b.world != -1) return false;
  if ((a.category & b.mask) == 0 || (b.category & a.mask) == 0) return false;
  if (a.owner != -1 && a.owner == b.owner) return false;
  if (a.fixed != 0 && b.fixed != 0) return false;
  if (a.body != -1 && a.body == b.body) return false;
  return true;
}

}  // namespace

template <int D, class T>
std::vector<Pair> allowed_pairs(const SceneColumns<D, T>& scene) {
  const std::vector<ShapeTags> tags = tags_of(scene);
  std::vector<Pair> excluded;
  for (std::size_t i = 0; i < scene.excluded.size(); ++i) {
    const std::int32_t a = scene.excluded(i, 0);
    const std::int32_t b = scene.excluded(i, 1);
    excluded.push_back({std::min(a, b), std::max(a, b)});
  }
  const auto are_excluded = [](const Column<std::int32_t, 2>& rows, std::int32_t one,
                               std::int32_t other) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t first = rows(i, 0), second = rows(i, 1);
      if ((first == one && second == other) || (first == other && second == one)) return true;
    }
    return false;
  };
  const auto before = [](const Pair& x, const Pair& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  };
  std::sort(excluded.begin(), excluded.end(), before);
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(tags.size()); ++a) {
    for (std::int32_t b = a + 1; b < static_cast<std::int32_t>(tags.size()); ++b) {
      const ShapeTags& of_a = tags[static_cast<std::size_t>(a)];
      const ShapeTags& of_b = tags[static_cast<std::size_t>(b)];
      if (!may_meet(of_a, of_b)) continue;
      if (are_excluded(scene.excluded_owners, of_a.owner, of_b.owner)) continue;
      if (are_excluded(scene.excluded_bodies, of_a.body, of_b.body)) continue;
      if (std::binary_search(excluded.begin(), excluded.end(), Pair{a, b}, before)) continue;
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

template <int D, class T>
void center_point_sets(SceneColumns<D, T>& scene) {
  auto& sets = scene.geometries;
  for (std::size_t set = 0; set + 1 < sets.offsets.size(); ++set) {
    const auto first = static_cast<std::size_t>(sets.offsets[set]);
    const auto end = static_cast<std::size_t>(sets.offsets[set + 1]);
    for (int k = 0; k < D; ++k) {
      auto low = sets.vertices(first, k), high = low;
      for (std::size_t v = first; v < end; ++v) {
        low = std::min(low, sets.vertices(v, k));
        high = std::max(high, sets.vertices(v, k));
      }
      const auto middle = low / 2 + high / 2, size = std::abs(middle);
      if (std::min(std::abs(low), std::abs(high)) < size / 2 || low * high <= 0) continue;
      for (std::size_t v = first; v < end; ++v) sets.vertices(v, k) -= middle;
    }
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                         \
  template void add_mixed<D, T>(SceneColumns<D, T> & scene, const SceneRecipe& recipe);     \
  template void add_tags<D, T>(SceneColumns<D, T> & scene, int worlds, std::uint64_t seed); \
  template void center_point_sets<D, T>(SceneColumns<D, T> & scene);                        \
  template std::vector<ShapeTags> tags_of<D, T>(const SceneColumns<D, T>& scene);           \
  template std::vector<Pair> allowed_pairs<D, T>(const SceneColumns<D, T>& scene)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
