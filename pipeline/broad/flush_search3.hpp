#pragma once

// What of boxes and hulls their neighbours cover: faces and edges.

#include <widephase/hulls.hpp>

#include <array>
#include <map>
#include <vector>

#include "geometry/hull_library.hpp"
#include "pipeline/broad/flush_search.hpp"

namespace widephase {

template <>
class FlushSearch<3> {
 public:
  using Vec3 = std::array<double, 3>;

  /// A polytope's surface, its vertices about its middle. Faces and edges are numbered as features.
  struct Surface {
    std::vector<Vec3> vertices;
    std::vector<std::int32_t> face_offsets, face_vertices;
    std::vector<HullEdge> edges;
    Vec3 middle{};  ///< from the origin of its frame
  };

  /// A part in the axes of its scene or body.
  struct Solid {
    const Surface* surface = nullptr;
    Vec3 at{};  ///< the middle of its core
    std::array<Vec3, 3> axis{};
    double size = 0;  ///< the greatest distance of a vertex from the middle
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;
    std::vector<double> offsets;

    void move(const Vec3& by);
    std::int32_t face_count() const { return static_cast<std::int32_t>(normals.size()); }
    Vec3 to_own(const Vec3& v) const;
  };

  /// Reads the surfaces of the parts.
  template <class T>
  FlushSearch(const std::vector<KnownPart>& parts, const GeometryTable<Borrowed<3, T>>& hulls,
              const HullLibrary<T>& library, FlushParts& found)
      : parts_(parts), found_(found) {
    for (const KnownPart& part : parts) {
      Surface& surface = surfaces_[part.geometry];
      surface_of_.push_back(&surface);
      if (!surface.vertices.empty()) continue;
      if (part.geometry < 0) {
        surface = box_surface();
        continue;
      }
      const auto geometry = static_cast<std::size_t>(part.geometry);
      auto topology = hull_topology(hulls, part.geometry);
      surface.face_offsets = std::move(topology.face_offsets);
      surface.face_vertices = std::move(topology.face_vertices);
      surface.edges = std::move(topology.edges);
      for (int k = 0; k < 3; ++k) {
        surface.middle[static_cast<std::size_t>(k)] =
            static_cast<double>(library.middle(geometry, k));
      }
      const auto first = static_cast<std::size_t>(hulls.offsets(geometry));
      const auto end = static_cast<std::size_t>(hulls.offsets(geometry + 1));
      for (std::size_t v = first; v < end; ++v) {
        Vec3 own{};
        for (std::size_t k = 0; k < 3; ++k) {
          own[k] = static_cast<double>(hulls.vertices(v, static_cast<int>(k))) - surface.middle[k];
        }
        surface.vertices.push_back(own);
      }
    }
  }

  void place(std::size_t part, Solid& solid) const;
  /// Whether no face's plane of either parts them by more than the tolerance.
  bool are_neighbours(const Solid& a, const Solid& b) const;
  /// Appends the faces and edges of a part with these neighbours.
  void add(const Solid& part, const std::vector<Solid>& neighbours);

 private:
  using Point2 = std::array<double, 2>;
  using Polygon = std::vector<Point2>;

  static Surface box_surface();
  double slack(const Solid& a, const Solid& b) const {
    return flush_slack(found_, a.size + b.size);
  }
  static const Vec3& vertex(const Solid& solid, std::int32_t number) {
    return solid.vertices[static_cast<std::size_t>(number)];
  }
  void add_face(const Solid& part, const std::vector<Solid>& neighbours, std::int32_t face);
  bool subtract(const Polygon& cover, double wider, double least_area, std::vector<Polygon>& left);
  bool is_edge_felt(const Solid& part, const std::vector<Solid>& neighbours,
                    const HullEdge& edge) const;

  const std::vector<KnownPart>& parts_;
  std::map<std::int32_t, Surface> surfaces_;
  std::vector<const Surface*> surface_of_;
  FlushParts& found_;
  Polygon points_, cover_, rest_, inside_, outside_;
  std::vector<Polygon> pending_, result_;
};

}  // namespace widephase
