#include "geometry/hull_library.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include <widephase/hulls.hpp>

#include "geometry/add_geometry.hpp"
#include "geometry/middle.hpp"
#include "geometry/validate_hulls.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_bits.hpp"
#include "soa/threads.hpp"

namespace widephase {

namespace {

constexpr std::size_t kHullsAChunk = 16;
constexpr int kLanes = 8;

/// One geometry, before its place is known.
template <class T>
struct BuiltHull {
  std::vector<T> numbers;  ///< whole records
  std::vector<std::int16_t> indices;
  std::size_t table_size;  ///< what of the indices is the table of directions
  T reach;
  std::array<T, 3> middle;
};

/// The vertices of a geometry relative to its middle.
template <class T>
std::vector<std::array<T, 3>> centred_vertices(const GeometryTable<Borrowed<3, T>>& hulls,
                                               std::size_t first, std::size_t count,
                                               std::array<T, 3>& middle) {
  std::vector<std::array<T, 3>> vertices(count);
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    T low = hulls.vertices(first, k), high = low;
    for (std::size_t v = 0; v < count; ++v) {
      low = std::min(low, hulls.vertices(first + v, k));
      high = std::max(high, hulls.vertices(first + v, k));
    }
    middle[axis] = middle_of_span(low, high);
    for (std::size_t v = 0; v < count; ++v) {
      vertices[v][axis] = hulls.vertices(first + v, k) - middle[axis];
    }
  }
  return vertices;
}

/// The smallest offset of a plane that has all vertices behind it, as in `hull_topology`.
template <class T>
T offset_of(const HullTopology<T>& topology, std::size_t face,
            const std::vector<std::array<T, 3>>& vertices) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& vertex : vertices) {
    double height = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      height += double(topology.normals(face, static_cast<int>(k))) * double(vertex[k]);
    }
    most = std::max(most, height);
  }
  const T offset = static_cast<T>(most);
  return static_cast<double>(offset) < most
             ? std::nextafter(offset, std::numeric_limits<T>::infinity())
             : offset;
}

/// The largest 1 / cos(half the angle) between a face's normal and a neighbour's. No point of the
/// edge's arc on the Gauss map is farther from the nearer one of the two, as a share of it.
template <class T>
std::vector<double> arc_shares(const HullTopology<T>& topology) {
  std::vector<double> shares(static_cast<std::size_t>(topology.face_count()), 1);
  for (const HullEdge& edge : topology.edges) {
    double cosine = 0;
    for (int k = 0; k < 3; ++k) {
      cosine += double(topology.normals(static_cast<std::size_t>(edge.left), k)) *
                double(topology.normals(static_cast<std::size_t>(edge.right), k));
    }
    const double share = std::sqrt(2 / std::max(1 + cosine, 1e-12));
    for (const std::int32_t face : {edge.left, edge.right}) {
      double& most = shares[static_cast<std::size_t>(face)];
      most = std::max(most, share);
    }
  }
  return shares;
}

/// How far the nearest vertex outside the face is behind it. 0 for faces whose roughness exceeds
/// half of the tolerance for level features (`flush_slack` of kernels/core).
template <class T>
double gap_behind(const HullTopology<T>& topology, std::size_t face,
                  const std::vector<std::array<T, 3>>& vertices, double reach) {
  std::vector<bool> is_own(vertices.size());
  for (std::int32_t i = topology.face_offsets[face]; i < topology.face_offsets[face + 1]; ++i) {
    is_own[static_cast<std::size_t>(topology.face_vertices[static_cast<std::size_t>(i)])] = true;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low = kInfinity, high = -kInfinity, next = -kInfinity;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    double height = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      height += double(topology.normals(face, static_cast<int>(k))) * double(vertices[v][k]);
    }
    if (is_own[v]) {
      low = std::min(low, height);
      high = std::max(high, height);
    } else {
      next = std::max(next, height);
    }
  }
  const double level = (sizeof(T) == 4 ? 8e-7 : 8e-14) * reach;
  return high - low > level ? 0 : std::max(low - next, 0.0);
}

/// For each cell of the table of directions (`HullLayout` of kernels/core/support/hull_view.hpp),
/// its middle and eight directions about it.
template <class T>
struct CellDirections {
  static constexpr std::size_t kEach = 9;
  static constexpr std::size_t kCells =
      6 * HullLibrary<T>::kCellsASide * HullLibrary<T>::kCellsASide;
  static constexpr std::size_t kCount = kCells * kEach;
  /// How much the vertex that is farthest out along each counts for the cell.
  static constexpr int kVotes[kEach] = {4, 2, 2, 2, 2, 1, 1, 1, 1};
  T along[3][kCount] = {};

  constexpr CellDirections() {
    constexpr int kSide = HullLibrary<T>::kCellsASide;
    constexpr double kLean[kEach][2] = {{0, 0},        {0.35, 0},     {-0.35, 0},
                                        {0, 0.35},     {0, -0.35},    {0.53, 0.53},
                                        {0.53, -0.53}, {-0.53, 0.53}, {-0.53, -0.53}};
    for (std::size_t d = 0; d < kCount; ++d) {
      const int cell = static_cast<int>(d / kEach), face = cell / (kSide * kSide), axis = face / 2;
      const int place[2] = {cell / kSide % kSide, cell % kSide};
      along[axis][d] = face % 2 != 0 ? T{1} : T{-1};
      for (int k = 0; k < 2; ++k) {
        const double middle = (2.0 * place[k] + 1) / kSide - 1;
        along[(axis + 1 + k) % 3][d] = static_cast<T>(middle + kLean[d % kEach][k]);
      }
    }
  }
};

/// Adds the table of directions: for each cell, the three vertices that are farthest out along most
/// of its directions. Any vertices would do for right answers, so rounding does not matter.
template <class T>
void add_table(const std::vector<std::array<T, 3>>& vertices, std::vector<std::int16_t>& indices) {
  using Directions = CellDirections<T>;
  static constexpr Directions kDirections;
  T most[Directions::kCount];
  std::int32_t farthest[Directions::kCount];
  std::fill(std::begin(most), std::end(most), -std::numeric_limits<T>::infinity());
  std::fill(std::begin(farthest), std::end(farthest), 0);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const T x = vertices[v][0], y = vertices[v][1], z = vertices[v][2];
    for (std::size_t d = 0; d < Directions::kCount; ++d) {
      const T height =
          (x * kDirections.along[0][d] + y * kDirections.along[1][d]) + z * kDirections.along[2][d];
      farthest[d] = height > most[d] ? static_cast<std::int32_t>(v) : farthest[d];
      most[d] = height > most[d] ? height : most[d];
    }
  }
  constexpr std::size_t kKept = HullLibrary<T>::kCellVertices;
  std::uint8_t table[Directions::kCells * kKept];
  int votes[256] = {};
  for (std::size_t cell = 0; cell < Directions::kCells; ++cell) {
    const std::int32_t* const named = farthest + cell * Directions::kEach;
    for (std::size_t d = 0; d < Directions::kEach; ++d) votes[named[d]] += Directions::kVotes[d];
    std::int32_t best = named[0];
    for (std::size_t n = 0; n < kKept; ++n) {
      for (std::size_t d = 0; d < Directions::kEach; ++d) {
        best = votes[named[d]] > votes[best] ? named[d] : best;
      }
      votes[best] = 0;
      table[cell * kKept + n] = static_cast<std::uint8_t>(best);
    }
    for (std::size_t d = 0; d < Directions::kEach; ++d) votes[named[d]] = 0;
  }
  indices.resize(sizeof table / 2);
  std::memcpy(indices.data(), table, sizeof table);
}

/// Which vertices, edges and faces meet: the vertices and edges of each face in their order, the
/// faces of each vertex, both faces of each edge, and the faces of each vertex as bits.
template <class T>
void add_indices(const HullTopology<T>& topology, std::size_t vertex_count,
                 std::vector<std::int16_t>& indices) {
  const auto add = [&](std::int64_t value) { indices.push_back(static_cast<std::int16_t>(value)); };
  const auto face_count = static_cast<std::size_t>(topology.face_count());
  for (const std::int32_t offset : topology.face_offsets) add(offset);
  for (const std::int32_t vertex : topology.face_vertices) add(vertex);
  for (std::size_t place = 0; place < topology.face_vertices.size(); ++place) {
    const std::int32_t v = topology.face_vertices[place];
    const std::int32_t w = topology.face_vertices[static_cast<std::size_t>(topology.twins[place])];
    const HullEdge wanted{std::min(v, w), std::max(v, w), 0, 0};
    const auto found = std::lower_bound(
        topology.edges.begin(), topology.edges.end(), wanted,
        [](const HullEdge& x, const HullEdge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    add(found - topology.edges.begin());
  }
  std::vector<std::vector<std::int32_t>> faces(vertex_count);
  for (std::size_t face = 0; face < face_count; ++face) {
    for (std::int32_t i = topology.face_offsets[face]; i < topology.face_offsets[face + 1]; ++i) {
      faces[static_cast<std::size_t>(topology.face_vertices[static_cast<std::size_t>(i)])]
          .push_back(static_cast<std::int32_t>(face));
    }
  }
  std::int64_t start = 0;
  add(start);
  for (const auto& list : faces) add(start += static_cast<std::int64_t>(list.size()));
  for (const auto& list : faces) {
    for (const std::int32_t face : list) add(face);
  }
  for (const HullEdge& edge : topology.edges) {
    add(edge.left);
    add(edge.right);
  }
  const std::size_t words = (face_count + 63) / 64;
  std::vector<std::uint64_t> bits(words);
  for (const auto& list : faces) {
    std::fill(bits.begin(), bits.end(), 0);
    for (const std::int32_t face : list) bits[face / 64] |= std::uint64_t{1} << face % 64;
    const std::size_t end = indices.size();
    indices.resize(end + 4 * words);
    std::memcpy(indices.data() + end, bits.data(), 8 * words);
  }
}

template <class T>
BuiltHull<T> build_hull(const GeometryTable<Borrowed<3, T>>& hulls, std::int32_t geometry) {
  using Library = HullLibrary<T>;
  const auto first = static_cast<std::size_t>(hulls.offsets(static_cast<std::size_t>(geometry)));
  const auto end = static_cast<std::size_t>(hulls.offsets(static_cast<std::size_t>(geometry) + 1));
  const std::size_t count = end - first;
  const CheckedHull checked = checked_hull(hulls, geometry);
  const HullTopology<T> topology =
      topology_of<T>(checked, points_of<T, 3>(hulls.vertices, first, end));
  const auto face_count = static_cast<std::size_t>(topology.face_count());
  BuiltHull<T> built;
  const std::vector<std::array<T, 3>> vertices =
      centred_vertices(hulls, first, count, built.middle);
  add_table(vertices, built.indices);
  built.table_size = built.indices.size();
  add_indices(topology, count, built.indices);

  const std::size_t vertex_blocks = (count + kLanes - 1) / kLanes;
  const std::size_t face_blocks = (face_count + kLanes - 1) / kLanes;
  const std::size_t faces_at = Library::kHeader + vertex_blocks * Library::kVertexBlock;
  const std::size_t edges_at = faces_at + face_blocks * Library::kFaceBlock;
  built.numbers.assign(edges_at + topology.edges.size() * Library::kEdge, T{0});
  T* const numbers = built.numbers.data();

  T reach2 = 0;
  for (std::size_t v = 0; v < vertex_blocks * kLanes; ++v) {
    T* const block = numbers + Library::kHeader + v / kLanes * Library::kVertexBlock + v % kLanes;
    T distance2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const T x = vertices[v < count ? v : 0][k];
      block[8 * k] = x;
      distance2 += x * x;
    }
    reach2 = distance2 > reach2 ? distance2 : reach2;
  }
  built.reach = std::sqrt(reach2);

  // A point well inside: the centroid, and its distance from the nearest face.
  std::array<double, 3> inner{};
  const HullProperties<T> measures = properties_of<T>(checked);
  for (std::size_t k = 0; k < 3; ++k) {
    inner[k] = double(measures.centroid[k]) - double(built.middle[k]);
  }
  double radius = std::numeric_limits<double>::infinity();
  const std::vector<double> shares = arc_shares(topology);
  for (std::size_t face = 0; face < face_blocks * kLanes; ++face) {
    T* const block = numbers + faces_at + face / kLanes * Library::kFaceBlock + face % kLanes;
    block[24] = Library::kFiller;
    block[32] = 1;
    if (face >= face_count) continue;
    const T offset = offset_of(topology, face, vertices);
    double height = offset;
    for (int k = 0; k < 3; ++k) {
      block[8 * k] = topology.normals(face, k);
      height -= double(topology.normals(face, k)) * inner[static_cast<std::size_t>(k)];
    }
    block[24] = offset;
    block[32] = static_cast<T>(shares[face] * (1 + 4 * std::numeric_limits<T>::epsilon()));
    block[40] = static_cast<T>(gap_behind(topology, face, vertices, built.reach));
    radius = std::min(radius, height);
  }

  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const HullEdge& edge = topology.edges[e];
    T* const record = numbers + edges_at + e * Library::kEdge;
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      record[k] = vertices[static_cast<std::size_t>(edge.a)][axis];
      record[3 + k] = vertices[static_cast<std::size_t>(edge.b)][axis];
      record[6 + k] = topology.normals(static_cast<std::size_t>(edge.left), k);
      record[9 + k] = topology.normals(static_cast<std::size_t>(edge.right), k);
    }
    record[12] = number_of_bits<T>(edge.a);
    record[13] = number_of_bits<T>(edge.b);
    const auto gap_of = [&](std::int32_t face) {
      const auto f = static_cast<std::size_t>(face);
      return numbers[faces_at + f / kLanes * Library::kFaceBlock + f % kLanes + 40];
    };
    record[14] = gap_of(edge.left);
    record[15] = gap_of(edge.right);
  }

  const auto bits = [](std::size_t value) {
    return number_of_bits<T>(static_cast<std::int32_t>(value));
  };
  numbers[0] = bits(count);
  numbers[1] = bits(face_count);
  numbers[2] = bits(topology.edges.size());
  numbers[3] = bits(faces_at);
  numbers[4] = bits(edges_at);
  for (std::size_t k = 0; k < 3; ++k) numbers[6 + k] = static_cast<T>(inner[k]);
  numbers[9] = static_cast<T>(std::max(radius * (1 - 16 * std::numeric_limits<T>::epsilon()), 0.0));
  numbers[10] = built.reach;
  return built;
}

}  // namespace

template <class T>
bool HullLibrary<T>::is_known(const GeometryTable<Borrowed<3, T>>& hulls) const {
  if (hulls.offsets.size() != known_offsets_.size() || !hulls.inner.empty()) return false;
  if (hulls.vertices.size() != known_vertices_.size()) return false;
  for (std::size_t i = 0; i < known_offsets_.size(); ++i) {
    if (hulls.offsets(i) != known_offsets_[i]) return false;
  }
  for (int k = 0; k < 3; ++k) {
    for (std::size_t row = 0; row < known_vertices_.size(); ++row) {
      if (hulls.vertices(row, k) != known_vertices_(row, k)) return false;
    }
  }
  return true;
}

template <class T>
bool HullLibrary<T>::update(const GeometryTable<Borrowed<3, T>>& hulls, const Threads& threads) {
  if (is_known(hulls)) return true;
  static std::atomic<std::int64_t> last_version{0};
  version = ++last_version;
  known_offsets_.clear();
  known_vertices_.clear();
  place.clear();
  vertex_count.clear();
  reach.clear();
  middle.clear();
  has_middles = false;
  if (wrong_hull_layout(hulls)) return false;
  const std::size_t count = hulls.offsets.empty() ? 0 : hulls.offsets.size() - 1;
  std::vector<BuiltHull<T>> built(count);
  bool is_valid = true;
  bool* const flag = &is_valid;
  for_chunks(threads, (count + kHullsAChunk - 1) / kHullsAChunk, [&, flag](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kHullsAChunk);
    for (std::size_t g = chunk * kHullsAChunk; g < end; ++g) {
      try {
        built[g] = build_hull(hulls, static_cast<std::int32_t>(g));
      } catch (const Error&) {
        std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
      }
    }
  });
  if (!is_valid) return false;

  std::size_t number_count = 0, index_count = 0;
  for (const BuiltHull<T>& hull : built) {
    number_count += hull.numbers.size();
    index_count += hull.indices.size();
  }
  if (number_count / kRecord > std::numeric_limits<std::int32_t>::max() ||
      index_count > std::numeric_limits<std::int32_t>::max()) {
    throw Error("the scene's hulls have too many vertices; split it into several calls");
  }
  numbers.resize_uninitialized(number_count);
  indices.resize_uninitialized(index_count);
  place.resize_uninitialized(count);
  vertex_count.resize_uninitialized(count);
  reach.resize_uninitialized(count);
  middle.resize_uninitialized(count);
  std::size_t number = 0, index = 0;
  for (std::size_t g = 0; g < count; ++g) {
    BuiltHull<T>& hull = built[g];
    hull.numbers[5] = number_of_bits<T>(static_cast<std::int32_t>(index + hull.table_size));
    std::copy(hull.numbers.begin(), hull.numbers.end(), numbers.plane() + number);
    std::copy(hull.indices.begin(), hull.indices.end(), indices.plane() + index);
    place[g] = static_cast<std::int32_t>(number / kRecord);
    vertex_count[g] = static_cast<std::int32_t>(hulls.offsets(g + 1) - hulls.offsets(g));
    reach[g] = hull.reach;
    for (std::size_t k = 0; k < 3; ++k) {
      middle(g, static_cast<int>(k)) = hull.middle[k];
      has_middles |= hull.middle[k] != 0;
    }
    number += hull.numbers.size();
    index += hull.indices.size();
  }
  known_offsets_.resize_uninitialized(hulls.offsets.size());
  for (std::size_t i = 0; i < hulls.offsets.size(); ++i) known_offsets_[i] = hulls.offsets(i);
  known_vertices_.resize_uninitialized(hulls.vertices.size());
  for (std::size_t row = 0; row < hulls.vertices.size(); ++row) {
    for (int k = 0; k < 3; ++k) known_vertices_(row, k) = hulls.vertices(row, k);
  }
  return true;
}

#define WIDEPHASE_INSTANTIATE(T) template struct HullLibrary<T>;
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
