// The lab in the plane: the pair as the kernels see it, one lane, with every step of GJK and EPA
// noted. Positions are those of the scene but for the Minkowski difference A - B, which has its own
// plane, along the scene's axes.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include <widephase/chains.hpp>
#include <widephase/polygons.hpp>

#include "answers.hpp"
#include "kernels/pairs/outline_outline.hpp"
#include "lab.hpp"
#include "motion2.hpp"
#include "pipeline/rows/scene_rows.hpp"
#include "soa/turn.hpp"

namespace widephase::lab {

namespace {

using Point = std::array<double, 2>;

template <class T>
void add_shape(const Shape& shape, SceneColumns<2, T>& scene) {
  const auto number = [](double value) { return static_cast<T>(value); };
  const std::array<T, 2> center{number(shape.position[0]), number(shape.position[1])};
  const T angle = number(shape.turn[0]), radius = number(shape.radius);
  if (shape.kind == Kind::circle) {
    scene.circles.center.push_back(center);
    scene.circles.radius.push_back({radius});
  } else if (shape.kind == Kind::capsule && !shape.points.empty()) {
    scene.capsules.a.push_back({number(shape.points[0]), number(shape.points[1])});
    scene.capsules.b.push_back({number(shape.points[2]), number(shape.points[3])});
    scene.capsules.radius.push_back({radius});
  } else if (shape.kind == Kind::capsule) {
    // The C library's sine has other bits in WebAssembly.
    const auto turn = turn_of(shape.turn[0]);
    const double x = shape.half[0] * turn.cosine, y = shape.half[0] * turn.sine;
    scene.capsules.a.push_back({number(shape.position[0] - x), number(shape.position[1] - y)});
    scene.capsules.b.push_back({number(shape.position[0] + x), number(shape.position[1] + y)});
    scene.capsules.radius.push_back({radius});
  } else if (shape.kind == Kind::box) {
    scene.boxes.center.push_back(center);
    scene.boxes.turn.push_back({angle});
    scene.boxes.half_extents.push_back({number(shape.half[0]), number(shape.half[1])});
    scene.boxes.radius.push_back({radius});
  } else {
    const std::vector<T> points(shape.points.begin(), shape.points.end());
    const auto rows = ColumnSpan<T, 2>::interleaved(points.data(), points.size() / 2);
    if (shape.kind == Kind::chain) {
      scene.chains.center.push_back(center);
      scene.chains.turn.push_back({angle});
      scene.chains.geometry.push_back({add_chain<T>(
          scene.chain_geometries, rows, {.loop = shape.is_loop, .two_sided = shape.is_two_sided})});
      scene.chains.radius.push_back({radius});
      return;
    }
    scene.polygons.center.push_back(center);
    scene.polygons.turn.push_back({angle});
    scene.polygons.geometry.push_back({add_polygon(scene.geometries, rows)});
    scene.polygons.radius.push_back({radius});
  }
}

/// The ids of the first two shapes that `add_shape` has added.
template <class T>
Pair pair_of(const SceneColumns<2, T>& scene, Kind a, Kind b) {
  const SceneLayout layout = layout_of(scene);
  return {layout.id(a, 0), layout.id(b, a == b ? 1 : 0)};
}

/// A chain's vertices in the scene, with the first again at the end of a loop.
std::vector<Point> placed_vertices(const Shape& chain) {
  const auto turn = turn_of(chain.turn[0]);
  std::vector<Point> placed;
  for (std::size_t v = 0; v + 1 < chain.points.size(); v += 2) {
    const double x = chain.points[v], y = chain.points[v + 1];
    placed.push_back({chain.position[0] + (turn.cosine * x - turn.sine * y),
                      chain.position[1] + (turn.sine * x + turn.cosine * y)});
  }
  if (chain.is_loop && !placed.empty()) placed.push_back(placed.front());
  return placed;
}
/// A chain's segments as capsules whose ends are `points`; another shape as it is.
std::vector<Shape> convex_parts(const Shape& shape) {
  if (shape.kind != Kind::chain) return {shape};
  const std::vector<Point> placed = placed_vertices(shape);
  std::vector<Shape> parts;
  for (std::size_t v = 0; v + 1 < placed.size(); ++v) {
    Shape part{};
    part.kind = Kind::capsule;
    part.radius = shape.radius;
    part.points = {placed[v][0], placed[v][1], placed[v + 1][0], placed[v + 1][1]};
    parts.push_back(part);
  }
  return parts;
}

/// The shapes of which the searches are shown: of a chain the segment that is nearest to the other
/// shape or deepest in it, the lowest of equals.
struct ConvexPair {
  Shape shape[2];
  int number[2];  ///< of the segment; -1: not a chain's
};
template <class T>
ConvexPair nearest_parts(const Shape& a, const Shape& b) {
  ConvexPair nearest{{a, b}, {-1, -1}};
  if (a.kind != Kind::chain && b.kind != Kind::chain) return nearest;
  const std::vector<Shape> parts[2] = {convex_parts(a), convex_parts(b)};
  double least = std::numeric_limits<double>::infinity();
  Workspace<2, T> workspace;
  CollideOptions options;
  options.threads = one_thread();
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    for (std::size_t j = 0; j < parts[1].size(); ++j) {
      const Shape &of_a = parts[0][i], &of_b = parts[1][j];
      SceneColumns<2, T> scene;
      add_shape(of_a, scene);
      add_shape(of_b, scene);
      const Pair pair = pair_of(scene, of_a.kind, of_b.kind);
      DistanceBuffer<2, T> found;
      distances(scene, {&pair, 1}, found, workspace, options);
      const double here = found.distance[0];
      if (!(here < least)) continue;
      least = here;
      nearest = {{of_a, of_b},
                 {a.kind == Kind::chain ? static_cast<int>(i) : -1,
                  b.kind == Kind::chain ? static_cast<int>(j) : -1}};
    }
  }
  return nearest;
}
void write_chain(const Shape& shape, int segment, Json& json) {
  if (segment < 0) return json.null();
  json.object([&] {
    json.key("segment").number(segment);
    json.key("vertices").array([&] {
      for (const Point& p : placed_vertices(shape)) json.numbers(p);
    });
  });
}

/// A vertex of the difference A - B.
struct Vertex {
  Point point;
  int a, b;
};
struct GjkStep {
  std::vector<Vertex> simplex;
  Point nearest;
  Vertex support;
};
struct EpaStep {
  std::vector<std::array<Point, 2>> edges;
  std::array<Point, 2> nearest;
  double distance;
  Vertex support;
  bool is_final;
};

/// From the frame of the first shape of the pair's own order to the page's.
template <class T>
struct Page {
  Rotation<T> turn;
  bool is_flipped;

  Point point(const Vec<T, 2>& v) const {
    const double c = turn.cosine, s = turn.sine, x = v[0], y = v[1];
    const double sign = is_flipped ? -1 : 1;
    return {sign * (c * x - s * y), sign * (s * x + c * y)};
  }
  template <class F>
  Point point(const Vec<F, 2>& v) const {
    return point(Vec<T, 2>{{v[0].value, v[1].value}});
  }
  template <class F>
  Vertex vertex(const DifferenceVertex<F>& v) const {
    const int first = static_cast<int>(v.a.value), second = static_cast<int>(v.b.value);
    return {point(v.point), is_flipped ? second : first, is_flipped ? first : second};
  }
};

/// A counter that notes the steps of its only lane.
template <class T>
struct Recorder : LaneCounter<Batch<T>> {
  using F = Batch<T>;
  Page<T> page;
  std::vector<GjkStep> gjk;
  std::vector<EpaStep> epa;
  Simplex<F> simplex;  ///< at GJK's end

  void note(const DifferenceVertex<F>& p, const DifferenceVertex<F>& q, const F& size,
            const Vec<F, 2>& nearest, const DifferenceVertex<F>& w) {
    GjkStep step{{page.vertex(p)}, page.point(nearest), page.vertex(w)};
    if (size.value > 1) step.simplex.push_back(page.vertex(q));
    gjk.push_back(std::move(step));
  }
  void note(const Simplex<F>& found) { simplex = found; }
  void note(const Polytope<F>& polytope, const typename Polytope<F>::Nearest& edge,
            const DifferenceVertex<F>& w, const MaskOf<F>& is_final) {
    EpaStep step{{},
                 {page.point(edge.p.point), page.point(edge.q.point)},
                 edge.distance.value,
                 page.vertex(w),
                 is_final.value};
    polytope.for_each_edge(0, [&](const Vec<T, 2>& p, const Vec<T, 2>& q, T) {
      step.edges.push_back({page.point(p), page.point(q)});
    });
    epa.push_back(std::move(step));
  }
};

void write_vertex(const Vertex& vertex, Json& json) {
  json.object([&] {
    json.key("at").numbers(vertex.point);
    json.key("a").number(vertex.a);
    json.key("b").number(vertex.b);
  });
}
void write_vertices(const std::vector<Vertex>& vertices, Json& json) {
  json.array([&] {
    for (const Vertex& vertex : vertices) write_vertex(vertex, json);
  });
}
void write_edge(const std::array<Point, 2>& edge, Json& json) {
  json.array([&] {
    for (const Point& point : edge) json.numbers(point);
  });
}

/// The hull of all differences of two shapes' vertices, counter-clockwise (Andrew's chain).
std::vector<Point> difference_of(const std::vector<Point>& a, const std::vector<Point>& b) {
  std::vector<Point> points;
  for (const Point& p : a) {
    for (const Point& q : b) points.push_back({p[0] - q[0], p[1] - q[1]});
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t begin = hull.size();
    for (const Point& p : points) {
      while (hull.size() >= begin + 2) {
        const Point &u = hull[hull.size() - 2], &v = hull.back();
        if ((v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]) > 0) break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// Two shapes as the kernels for outlines read them.
template <class T>
class OutlinesOfPair {
 public:
  using F = Batch<T>;

  OutlinesOfPair(const SceneColumns<2, T>& scene, const Pair& pair)
      : is_flipped_(pair.a > pair.b), rows_(rows_of(scene)) {
    const std::int32_t first = is_flipped_ ? pair.b : pair.a;
    const std::int32_t second = is_flipped_ ? pair.a : pair.b;
    first_.emplace(load(first));
    second_.emplace(load(second));
    const Vec<F, 2> origin = first_->center;
    origin_ = {origin[0].value, origin[1].value};
    first_->take_origin();
    second_->move_back(origin);
    places_first_.emplace(*first_);
    places_second_.emplace(*second_);
    page_ = {{first_->rotation.cosine.value, first_->rotation.sine.value}, is_flipped_};
  }

  void write(const Request& request, Json& json) {
    const Side a = side(!is_flipped_), b = side(is_flipped_);
    write_side("a", a, json);
    write_side("b", b, json);
    json.key("difference").array([&] {
      std::vector<Point> from_a = a.corners, from_b = b.corners;
      for (Point& p : from_b) {
        for (int k = 0; k < 2; ++k) p[k] += b.center[k];
      }
      for (Point& p : from_a) {
        for (int k = 0; k < 2; ++k) p[k] += a.center[k];
      }
      for (const Point& p : difference_of(from_a, from_b)) json.numbers(p);
    });

    const Placement<F> second_in_first{between(first_->rotation, second_->rotation),
                                       rotate_back(first_->rotation, second_->center)};
    const OutlinePair<F> pair{OutlineVertices<F>(*places_first_),
                              OutlineVertices<F>(*places_second_), second_in_first};
    Recorder<T> recorder;
    recorder.page = page_;
    const NearestFeatures<F> found = nearest_features(pair, recorder, *room_);
    write_gjk(recorder, json);
    write_epa(recorder, json);
    write_axes(pair, found, a, b, json);
    const auto outline = [](const Side& side) {
      Outline placed{side.corners, side.radius};
      for (Point& corner : placed.corners) {
        for (int k = 0; k < 2; ++k) corner[k] += side.center[k];
      }
      return placed;
    };
    write_motion(outline(a), outline(b),
                 {{request.motion[0], request.motion[1]},
                  request.motion[2],
                  {request.b.position[0], request.b.position[1]}},
                 json);
  }

 private:
  /// A shape in the page's frame: corners from A's centre on.
  struct Side {
    Point center;
    std::vector<Point> corners;
    double radius;
  };

  static SceneRows<2, T> rows_of(const SceneColumns<2, T>& scene) {
    SceneRows<2, T> rows;
    rows.update(scene, 0, Isa::scalar, one_thread());
    rows.require_outlines();
    return rows;
  }
  OutlineLanes<F> load(std::int32_t id) const {
    const Kind kind = rows_.layout.kind_of(id);
    const auto k = static_cast<std::size_t>(kind);
    const Column<T>& rows = kind == Kind::polygon ? rows_.rows[k] : rows_.outlines[k];
    const std::int32_t row =
        rows_.layout.row(id) + (kind == Kind::polygon ? rows_.rows_before[k] : 0);
    F numbers[8];
    load_quads<2>(rows.plane(), &row, numbers);
    return OutlineLanes<F>(numbers, rows_.polygons.numbers.plane(), kind);
  }
  int count(bool is_first) const { return (is_first ? *places_first_ : *places_second_).count(0); }
  EdgeLanes<F> edge(bool is_first, int number) const {
    return polygon_edge_apart(is_first ? *places_first_ : *places_second_,
                              F(static_cast<T>(number)));
  }
  Side side(bool is_first) const {
    const OutlineLanes<F>& shape = is_first ? *first_ : *second_;
    // The first shape's centre was taken out of both.
    Side result{origin_, {}, shape.radius.value};
    if (!is_first) {
      for (int k = 0; k < 2; ++k) result.center[k] += shape.center[k].value;
    }
    const double c = shape.rotation.cosine.value, s = shape.rotation.sine.value;
    for (int v = 0; v < count(is_first); ++v) {
      const Vec<F, 2> p = edge(is_first, v).p;
      const double x = p[0].value, y = p[1].value;
      result.corners.push_back({c * x - s * y, s * x + c * y});
    }
    return result;
  }
  void write_side(const char* name, const Side& side, Json& json) const {
    json.key(name).object([&] {
      json.key("center").numbers(side.center);
      json.key("radius").number(side.radius);
      json.key("corners").array([&] {
        for (const Point& p : side.corners) json.numbers(p);
      });
    });
  }
  void write_gjk(const Recorder<T>& recorder, Json& json) const {
    const Simplex<F>& simplex = recorder.simplex;
    json.key("gjk").object([&] {
      json.key("steps").array([&] {
        for (const GjkStep& step : recorder.gjk) {
          json.object([&] {
            json.key("simplex");
            write_vertices(step.simplex, json);
            json.key("nearest").numbers(step.nearest);
            json.key("support");
            write_vertex(step.support, json);
          });
        }
      });
      std::vector<Vertex> last{page_.vertex(simplex.p)};
      if (simplex.size.value > 1) last.push_back(page_.vertex(simplex.q));
      if (simplex.size.value > 2) last.push_back(page_.vertex(simplex.r));
      json.key("simplex");
      write_vertices(last, json);
      json.key("nearest").numbers(page_.point(simplex.nearest));
      json.key("overlaps").boolean(simplex.is_overlap.value > 0);
    });
  }
  void write_epa(const Recorder<T>& recorder, Json& json) const {
    json.key("epa");
    if (!any<F>(recorder.simplex.is_overlap > F(0))) return json.null();
    json.array([&] {
      for (const EpaStep& step : recorder.epa) {
        json.object([&] {
          json.key("edges").array([&] {
            for (const auto& edge : step.edges) write_edge(edge, json);
          });
          json.key("nearest");
          write_edge(step.nearest, json);
          json.key("distance").number(step.distance);
          json.key("support");
          write_vertex(step.support, json);
          json.key("is_final").boolean(step.is_final);
        });
      }
    });
  }

  /// All edges' normals, and the way between cores that are apart by vertices or are one point.
  /// Where edges are too short for a normal, the kernel's own way.
  void write_axes(const OutlinePair<F>& pair, const NearestFeatures<F>& found, const Side& a,
                  const Side& b, Json& json) const {
    const auto all = F(0) == F(0);
    bool is_any = false;
    // `outward` leads from the first shape to the second, in the first one's frame.
    const auto write_axis = [&](const Vec<F, 2>& outward, const char* of, int number) {
      is_any = true;
      const F height = dot(farthest(pair, outward, all).point, outward);
      const T overlap = (height + (first_->radius + second_->radius)).value;
      const Point direction = page_.point(outward);
      const auto interval = [&](const Side& side) {
        Point range{std::numeric_limits<double>::infinity(),
                    -std::numeric_limits<double>::infinity()};
        for (const Point& p : side.corners) {
          const double at = (side.center[0] - a.center[0] + p[0]) * direction[0] +
                            (side.center[1] - a.center[1] + p[1]) * direction[1];
          range = {std::min(range[0], at - side.radius), std::max(range[1], at + side.radius)};
        }
        return range;
      };
      json.object([&] {
        json.key("direction").numbers(direction);
        json.key("of").string(of);
        json.key("edge").number(number);
        json.key("a").numbers(interval(a));
        json.key("b").numbers(interval(b));
        json.key("overlap").number(overlap);
      });
    };
    const auto write_edges = [&](bool is_first) {
      for (int e = 0; e < count(is_first) && count(is_first) > 1; ++e) {
        const Vec<F, 2> normal = edge(is_first, e).normal;
        if (any<F>(dot(normal, normal) == F(0))) continue;
        write_axis(is_first ? normal : -rotate(pair.b_in_a.turn, normal),
                   is_first != is_flipped_ ? "a" : "b", e);
      }
    };
    json.key("axes").array([&] {
      write_edges(!is_flipped_);
      write_edges(is_flipped_);
      const bool is_edge = any<F>(found.is_edge > F(0));
      if (!is_edge || !is_any) {
        const F size = length(found.separation);
        write_axis(
            direction_or(found.separation, size, rotate_back(first_->rotation, first_axis<F, 2>())),
            is_edge ? "kernel" : "vertices", 0);
      }
    });
  }

  bool is_flipped_;
  SceneRows<2, T> rows_;
  // From the first one's centre on.
  std::optional<OutlineLanes<F>> first_, second_;
  std::optional<PolygonPlaces<F>> places_first_, places_second_;
  Point origin_;
  Page<T> page_;
  using EpaRoom = typename Polytope<F>::Room;
  std::unique_ptr<EpaRoom> room_ = std::make_unique<EpaRoom>();
};

}  // namespace

template <class T>
void answer2(const Request& request, Json& json) {
  SceneColumns<2, T> scene;
  add_shape(request.a, scene);
  add_shape(request.b, scene);
  const Pair pair = pair_of(scene, request.a.kind, request.b.kind);
  write_answers(scene, pair, json);
  const ConvexPair parts = nearest_parts<T>(request.a, request.b);
  json.key("chains").object([&] {
    json.key("a");
    write_chain(request.a, parts.number[0], json);
    json.key("b");
    write_chain(request.b, parts.number[1], json);
  });
  SceneColumns<2, T> convex;
  for (const Shape& part : parts.shape) add_shape(part, convex);
  OutlinesOfPair<T>(convex, pair_of(convex, parts.shape[0].kind, parts.shape[1].kind))
      .write(request, json);
}

template void answer2<float>(const Request&, Json&);
template void answer2<double>(const Request&, Json&);

}  // namespace widephase::lab
