#pragma once

// What of aabbs, boxes and polygons their neighbours cover: sides and vertices.

#include <widephase/shapes.hpp>

#include <array>
#include <map>
#include <vector>

#include "pipeline/broad/flush_search.hpp"

namespace widephase {

template <>
class FlushSearch<2> {
 public:
  using Vec2 = std::array<double, 2>;

  /// An outline, counter-clockwise in its own frame.
  struct Outline {
    std::vector<Vec2> vertices;
    std::vector<std::uint8_t> is_inner;  ///< by side, from its vertex: it lies inside the owner
    /// Numbers as features have them.
    std::vector<std::int32_t> vertex_numbers, side_numbers;
  };

  /// A part in the axes of its scene or body.
  struct Solid {
    const Outline* outline = nullptr;
    double size = 0;  ///< the greatest distance of a vertex from the frame's origin
    std::vector<Vec2> vertices;
    std::vector<Vec2> normals;  ///< of the side from each vertex to the next

    void move(const Vec2& by);
    std::size_t count() const { return vertices.size(); }
    std::size_t next(std::size_t v) const { return v + 1 < count() ? v + 1 : 0; }
    std::size_t before(std::size_t v) const { return v > 0 ? v - 1 : count() - 1; }
  };

  /// Reads the outlines of the parts.
  template <class T, class Library>
  FlushSearch(const std::vector<KnownPart>& parts, const GeometryTable<Borrowed<2, T>>& polygons,
              const Library&, FlushParts& found)
      : parts_(parts), found_(found) {
    for (const KnownPart& part : parts) {
      Outline& outline = outlines_[part.geometry];
      outline_of_.push_back(&outline);
      if (!outline.vertices.empty()) continue;
      if (part.geometry < 0) {
        outline = box_outline();
        continue;
      }
      const auto first = static_cast<std::size_t>(polygons.offsets(part.geometry));
      const auto end = static_cast<std::size_t>(polygons.offsets(part.geometry + 1));
      for (std::size_t v = first; v < end; ++v) {
        const auto number = static_cast<std::int32_t>(v - first);
        outline.vertices.push_back({static_cast<double>(polygons.vertices(v, 0)),
                                    static_cast<double>(polygons.vertices(v, 1))});
        outline.is_inner.push_back(!polygons.inner.empty() && polygons.inner(v) != 0 ? 1 : 0);
        outline.vertex_numbers.push_back(number);
        outline.side_numbers.push_back(number);
      }
    }
  }

  void place(std::size_t part, Solid& solid) const;
  /// Whether no side's line of either parts them by more than the tolerance.
  bool are_neighbours(const Solid& a, const Solid& b) const;
  /// Appends the sides and vertices of a part with these neighbours.
  void add(const Solid& part, const std::vector<Solid>& neighbours);

 private:
  struct Stretch {
    double from, to;
  };

  static Outline box_outline();
  double slack(const Solid& a, const Solid& b) const {
    return flush_slack(found_, a.size + b.size);
  }
  std::int32_t left_of_side(const Solid& part, const std::vector<Solid>& neighbours, std::size_t e);
  bool is_vertex_felt(const Solid& part, const std::vector<Solid>& neighbours, std::size_t v) const;

  const std::vector<KnownPart>& parts_;
  std::map<std::int32_t, Outline> outlines_;
  std::vector<const Outline*> outline_of_;
  FlushParts& found_;
  std::vector<Stretch> covered_;
};

}  // namespace widephase
