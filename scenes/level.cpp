// The scenes `level` and `walls`: bodies at rest on a mesh, which all worlds share.

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include <widephase/meshes.hpp>

#include "at_rest.hpp"

namespace widephase::scenes {

namespace {

using Vertex = std::array<double, 3>;

/// A mesh as its triangles; vertices at one place are one.
template <class T>
class Surface {
 public:
  void add(const Vertex& a, const Vertex& b, const Vertex& c) {
    indices_.push_back({number_of(a), number_of(b), number_of(c)});
  }
  /// The front is counter-clockwise.
  void add(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
    add(a, b, c);
    add(a, c, d);
  }
  void give(SceneColumns<3, T>& scene, bool two_sided) const {
    add_mesh(scene.mesh_geometries, vertices_.span(), indices_.span(), two_sided);
  }

 private:
  std::int32_t number_of(const Vertex& vertex) {
    const auto next = static_cast<std::int32_t>(vertices_.size());
    const auto [known, is_new] = numbers_.emplace(vertex, next);
    if (is_new) vertices_.push_back(rounded<T>(vertex));
    return known->second;
  }
  struct Hash {
    std::size_t operator()(const Vertex& vertex) const {
      std::uint64_t bits = 0;
      for (const double place : vertex) {
        bits = (bits ^ std::hash<double>()(place)) * 0x9e3779b97f4a7c15;
      }
      return bits ^ (bits >> 32);
    }
  };

  Column<T, 3> vertices_;
  Column<std::int32_t, 3> indices_;
  std::unordered_map<Vertex, std::int32_t, Hash> numbers_;
};

int places_of(std::size_t count) {
  constexpr int kFewest = 12;
  constexpr int kMost = 1024;
  return std::clamp(static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count)))), kFewest,
                    kMost);
}

/// Square tiles at heights of whole storeys; one in eight is a ramp up along x by a storey. All
/// numbers are exact in float.
class Tiles {
 public:
  static constexpr int kTriangles = 8;  ///< of a tile

  Tiles(int side, Random& random) : side_(side) {
    constexpr double kStorey = 0.5;
    double low = 0;
    for (int i = 0; i < side * side; ++i) {
      // Half of the tiles go on at the height of the one before.
      if (random.below(2) == 0) low = kStorey * random.below(4);
      const bool is_ramp = random.below(8) == 0;
      tiles_.push_back({low, is_ramp ? low + kStorey : low});
    }
  }

  /// The tiles of a scene's first mesh, which has their triangles first.
  template <class T>
  explicit Tiles(const MeshTable<Owned<3, T>>& meshes) {
    const auto end = static_cast<std::size_t>(meshes.triangle_offsets[1]);
    const auto corner = [&](std::size_t triangle, int c) {
      return meshes.vertices.row(static_cast<std::size_t>(meshes.indices(triangle, c)));
    };
    double x = -1;
    for (std::size_t first = 0; first < end; first += kTriangles) {
      // A row of tiles ends where x does not go on, and the last tile where faces between begin.
      const auto next = static_cast<double>(corner(first, 0)[0]);
      if (next < x && side_ == 0) side_ = static_cast<int>(tiles_.size());
      if (side_ > 0 && tiles_.size() == static_cast<std::size_t>(side_ * side_)) break;
      x = next;
      // The first square of a tile begins at its left end, the second has its right end second.
      tiles_.push_back(
          {static_cast<double>(corner(first, 0)[2]), static_cast<double>(corner(first + 2, 1)[2])});
    }
  }

  int side() const { return side_; }
  double height(double x, double y) const {
    return height_in(std::clamp(static_cast<int>(x / kPlace), 0, side_ - 1),
                     std::clamp(static_cast<int>(y / kPlace), 0, side_ - 1), x);
  }
  /// The height of the plane of a tile.
  double height_in(int column, int row, double x) const {
    const auto& [low, high] = tiles_[static_cast<std::size_t>(row * side_ + column)];
    return low + (x / kPlace - column) * (high - low);
  }

 private:
  struct Tile {
    double low, high;
  };
  int side_ = 0;
  std::vector<Tile> tiles_;
};

/// A tile of two by two squares.
template <class T>
void add_tile(const Tiles& tiles, int column, int row, Surface<T>& surface) {
  constexpr double kHalf = kPlace / 2;
  const auto at = [&](int i, int j) -> Vertex {
    const double x = kPlace * column + kHalf * i;
    return {x, kPlace * row + kHalf * j, tiles.height_in(column, row, x)};
  };
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      surface.add(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
}

/// The upright face between two tiles where they differ in height, in the halves that the tiles
/// have. `p` and `q` are places on their border, `left` and `right` give the heights there of the
/// tiles that lie to the left and to the right of the way from p to q.
template <class T, class Left, class Right>
void add_face_between(const std::array<double, 2>& p, const std::array<double, 2>& q,
                      const Left& left, const Right& right, Surface<T>& surface) {
  for (int half = 0; half < 2; ++half) {
    const auto place = [&](int i) -> std::array<double, 2> {
      const double share = (half + i) / 2.0;
      return {p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])};
    };
    auto from = place(0), to = place(1);
    double from_low = left(from), to_low = left(to), from_high = right(from), to_high = right(to);
    // The front looks to the lower tile: it is counter-clockwise if that is to the right.
    if (from_low + to_low > from_high + to_high) {
      std::swap(from_low, from_high);
      std::swap(to_low, to_high);
    } else {
      std::swap(from, to);
      std::swap(from_low, to_low);
      std::swap(from_high, to_high);
    }
    const Vertex a{from[0], from[1], from_low}, b{to[0], to[1], to_low};
    const Vertex c{to[0], to[1], to_high}, d{from[0], from[1], from_high};
    if (to_low < to_high) surface.add(a, b, c);
    if (from_low < from_high) surface.add(a, c, d);
  }
}

template <class T>
void add_tiles(SceneColumns<3, T>& scene, const Tiles& tiles) {
  Surface<T> surface;
  for (int row = 0; row < tiles.side(); ++row) {
    for (int column = 0; column < tiles.side(); ++column) add_tile(tiles, column, row, surface);
  }
  for (int row = 0; row < tiles.side(); ++row) {
    for (int column = 0; column < tiles.side(); ++column) {
      const double x = kPlace * (column + 1), y = kPlace * (row + 1);
      const auto of = [&](int of_column, int of_row) {
        return [&tiles, of_column, of_row](const std::array<double, 2>& place) {
          return tiles.height_in(of_column, of_row, place[0]);
        };
      };
      if (column + 1 < tiles.side()) {
        add_face_between<T>({x, y - kPlace}, {x, y}, of(column, row), of(column + 1, row), surface);
      }
      if (row + 1 < tiles.side()) {
        add_face_between<T>({x - kPlace, y}, {x, y}, of(column, row + 1), of(column, row), surface);
      }
    }
  }
  surface.give(scene, false);
}

constexpr double kWallHeight = 1;

/// A floor of squares, and at the left border of every other square a wall: a sheet, which both
/// sides see.
template <class T>
void add_sheets(SceneColumns<3, T>& scene, int side) {
  Surface<T> surface;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const double x = kPlace * column, y = kPlace * row, end = y + kPlace;
      surface.add({x, y, 0}, {x + kPlace, y, 0}, {x + kPlace, end, 0}, {x, end, 0});
      if ((column + row) % 2 != 0) continue;
      surface.add({x, y, 0}, {x, end, 0}, {x, end, kWallHeight}, {x, y, kWallHeight});
    }
  }
  surface.give(scene, true);
}

/// A sphere, a lying capsule, or an upright box or cylinder that stands on the floor and leans
/// against the plane of `wall`: it overlaps both by 0.01.
template <class T>
void add_leaning(SceneColumns<3, T>& scene, double wall, double y, Random& random) {
  const double size = random.uniform(0.2, 0.4);
  const double half_height = random.uniform(0.15, 0.3);
  const auto center = [&](double reach, double height) -> Vertex {
    return {wall + reach - 0.01, y, height - 0.01};
  };
  const int kind = random.below(4);
  if (kind == 0) return add_ball(scene, center(size, size), size);
  if (kind == 1)
    return add_cylinder(scene, center(size, half_height), level<3>(), half_height, size);
  const std::array<double, 4> turn = any_yaw(random);
  const double cosine = turn[3] * turn[3] - turn[2] * turn[2], sine = 2 * turn[2] * turn[3];
  if (kind == 2) {
    const double radius = 0.5 * size;
    return add_capsule(scene, center(radius + size * std::fabs(cosine), radius),
                       {size * cosine, size * sine, 0}, radius);
  }
  const double reach = size * (std::fabs(cosine) + std::fabs(sine));
  add_box(scene, center(reach, half_height), turn, {size, size, half_height});
}

/// A fixed instance of the first mesh.
template <class T>
void add_ground(SceneColumns<3, T>& scene) {
  add_instance(scene.meshes, {0, 0, 0}, level<3>(), 0);
  scene.meshes.fixed.push_back({1});
}

}  // namespace

template <class T>
void add_level(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  if (scene.geometries.offsets.empty()) add_hull_library(scene, 0.24, 0.3, random);
  if (scene.mesh_geometries.vertex_offsets.empty()) add_tiles(scene, {places_of(count), random});
  add_ground(scene);
  const Tiles tiles(scene.mesh_geometries);
  for_each_place(tiles.side(), count, random,
                 [&](double x, double y) { add_at_rest(scene, tiles, x, y, random); });
}

template <class T>
void add_walls(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  auto& meshes = scene.mesh_geometries;
  // An even number, so that every row has as many walls: a square has three triangles on average.
  if (meshes.vertex_offsets.empty()) add_sheets(scene, (places_of(count) + 1) / 2 * 2);
  add_ground(scene);
  const int side = static_cast<int>(std::sqrt(meshes.triangle_offsets[1] / 3));
  for_each_place(side, count, random, [&](double x, double y) {
    add_leaning(scene, kPlace * std::floor(x / kPlace), y, random);
  });
}

#define WIDEPHASE_INSTANTIATE(T)                                      \
  template void add_level(SceneColumns<3, T>&, std::size_t, Random&); \
  template void add_walls(SceneColumns<3, T>&, std::size_t, Random&);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::scenes
