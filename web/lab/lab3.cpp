// The lab in space: the pair as the kernels for convex cores see it, one lane, with every step of
// GJK and EPA noted. Positions are those of the scene but for the Minkowski difference A - B.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>

#include <widephase/hulls.hpp>

#include "answers.hpp"
#include "geometry/triangle_hull.hpp"
#include "kernels/pairs/convex_convex.hpp"
#include "lab.hpp"
#include "pipeline/rows/scene_rows.hpp"
#include "surface3.hpp"

namespace widephase::lab {

namespace {

using Point = std::array<double, 3>;

template <class T>
void add_shape(const Shape& shape, SceneColumns<3, T>& scene) {
  const auto number = [](double value) { return static_cast<T>(value); };
  const auto three = [&](const std::array<double, 3>& of) {
    return std::array<T, 3>{number(of[0]), number(of[1]), number(of[2])};
  };
  const std::array<double, 4>& q = shape.turn;
  const std::array<T, 4> turn{number(q[0]), number(q[1]), number(q[2]), number(q[3])};
  const std::array<T, 3> center = three(shape.position);
  const T radius = number(shape.radius);
  if (shape.kind == Kind::sphere) {
    scene.spheres.center.push_back(center);
    scene.spheres.radius.push_back({radius});
  } else if (shape.kind == Kind::capsule) {
    // Along z, turned.
    const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(length2 > 0.5 && length2 < 2)) throw Error("a turn is a unit quaternion");
    const std::array<double, 3> up{2 * (q[0] * q[2] + q[3] * q[1]), 2 * (q[1] * q[2] - q[3] * q[0]),
                                   length2 - 2 * (q[0] * q[0] + q[1] * q[1])};
    std::array<double, 3> ends[2];
    for (int k = 0; k < 3; ++k) {
      const double half = shape.half[0] * (up[k] / length2);
      ends[0][k] = shape.position[k] - half;
      ends[1][k] = shape.position[k] + half;
    }
    scene.capsules.a.push_back(three(ends[0]));
    scene.capsules.b.push_back(three(ends[1]));
    scene.capsules.radius.push_back({radius});
  } else if (shape.kind == Kind::box) {
    scene.boxes.center.push_back(center);
    scene.boxes.turn.push_back(turn);
    scene.boxes.half_extents.push_back(three(shape.half));
    scene.boxes.radius.push_back({radius});
  } else {
    const std::vector<T> points(shape.points.begin(), shape.points.end());
    const auto rows = ColumnSpan<T, 3>::interleaved(points.data(), points.size() / 3);
    scene.hulls.center.push_back(center);
    scene.hulls.turn.push_back(turn);
    scene.hulls.geometry.push_back({add_hull(scene.geometries, rows)});
    scene.hulls.radius.push_back({radius});
  }
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
  std::vector<Point> vertices;
  std::vector<std::array<int, 3>> faces;
  std::array<int, 3> nearest;
  Point direction;  ///< outwards, of the nearest face: three points do not tell its side
  double distance;
  Vertex support;
  double best;  ///< the least way out that was asked
};

template <class T>
Point point_of(const Vec<T, 3>& v, double sign = 1) {
  return {sign * v[0], sign * v[1], sign * v[2]};
}
template <class T>
Vec<T, 3> plain(const Vec<Batch<T>, 3>& v) {
  return {{v[0].value, v[1].value, v[2].value}};
}

/// From the pair's own order to the page's.
template <class T>
struct Page {
  bool is_flipped = false;

  Point point(const Vec<T, 3>& v) const { return point_of(v, is_flipped ? -1 : 1); }
  Vertex vertex(const Vec<T, 3>& at, int first, int second) const {
    return {point(at), is_flipped ? second : first, is_flipped ? first : second};
  }
  Vertex vertex(const DifferenceVertex3<Batch<T>>& v) const {
    return vertex(plain<T>(v.point), static_cast<int>(v.a.value), static_cast<int>(v.b.value));
  }
  Vertex vertex(const PolytopeVertex<T>& v) const { return vertex(v.point, v.a, v.b); }
};

/// A counter that notes the steps of its only lane, and an observer of EPA.
template <class T>
struct Recorder : LaneCounter<Batch<T>> {
  using F = Batch<T>;
  static constexpr std::size_t kMostSteps = 100;
  Page<T> page;
  std::vector<GjkStep> gjk;
  std::vector<EpaStep> epa;
  int left_out = 0;  ///< steps of EPA beyond the most that are kept

  void note(const CorePair<F>& pair, const KeptVertices3<F>& kept, const Vec<F, 3>& nearest,
            const DifferenceVertex3<F>& w) {
    GjkStep step{{}, page.point(plain<T>(nearest)), page.vertex(w)};
    const bool is_there[3] = {true, kept.has_1.value, kept.has_2.value};
    for (int v = 0; v < 3; ++v) {
      if (is_there[v]) step.simplex.push_back(page.vertex(difference_of(pair, kept.v[v])));
    }
    gjk.push_back(std::move(step));
  }
  void note(const Polytope3<T>& polytope, int nearest, const PolytopeVertex<T>& w, T best) {
    if (epa.size() == kMostSteps) {
      ++left_out;
      return;
    }
    const auto corners = [&](int at) {
      const auto& v = polytope.face[at].vertex;
      return std::array<int, 3>{v[0], v[1], v[2]};
    };
    EpaStep step{{},
                 {},
                 corners(nearest),
                 page.point(polytope.face[nearest].normal),
                 polytope.distance(nearest),
                 page.vertex(w),
                 best};
    for (int v = 0; v < polytope.vertex_count; ++v) {
      step.vertices.push_back(page.point(polytope.vertex[v].point));
    }
    for (int at = 0; at < polytope.face_count; ++at) {
      if (polytope.distance(at) < Polytope3<T>::none) step.faces.push_back(corners(at));
    }
    epa.push_back(std::move(step));
  }
};
/// EPA keeps a copy of its observer.
template <class T>
struct Observer {
  Recorder<T>* recorder;
  template <class... State>
  void note(const State&... state) const {
    recorder->note(state...);
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
template <class Rows>
void write_rows(const Rows& rows, Json& json) {
  json.array([&] {
    for (const auto& row : rows) json.numbers(row);
  });
}

template <class T>
class CoresOfPair {
 public:
  using F = Batch<T>;

  CoresOfPair(const SceneColumns<3, T>& scene, const Pair& pair)
      : is_flipped_(pair.a > pair.b), rows_(rows_of(scene)) {
    first_ = load(is_flipped_ ? pair.b : pair.a);
    second_ = load(is_flipped_ ? pair.a : pair.b);
    const Vec<F, 3> origin = first_.take_origin();
    second_.move_back(origin);
    origin_ = point_of(plain<T>(origin));
    page_.is_flipped = is_flipped_;
  }

  void write(Json& json) {
    const ConvexShape<T> shape_first = ConvexShapeLanes<F>(first_)[0];
    const ConvexShape<T> shape_second = ConvexShapeLanes<F>(second_)[0];
    const Surface<T> of_first(shape_first), of_second(shape_second);
    const CorePair<F> cores(first_, second_);
    const ShapePair<T> pair{shape_first, shape_second, plain<T>(cores.apart)};
    const Side side_first{center_of(first_), &of_first, first_.radius.value};
    const Side side_second{center_of(second_), &of_second, second_.radius.value};
    const Side& a = is_flipped_ ? side_second : side_first;
    const Side& b = is_flipped_ ? side_first : side_second;
    write_side("a", a, json);
    write_side("b", b, json);
    write_difference(a, b, json);

    Recorder<T> recorder;
    recorder.page = page_;
    Simplex3<F> simplex;
    gjk(cores, F(0) == F(0), GjkStart<F>(cores), F(kLargest<T>), simplex, recorder);
    const bool overlaps = simplex.is_overlap.value > 0;
    write_gjk(recorder, simplex, json);

    LeastExit<T> way{};
    if (overlaps) {
      const T size = size_of(pair);
      PolytopeVertex<T> vertices[4];
      const int count = static_cast<int>(simplex.size.value);
      for (int v = 0; v < count; ++v) vertices[v] = simplex_vertex(simplex, v, 0);
      const ConvexAnswers<F> answers(simplex);
      const auto search =
          std::make_unique<ExitSearch<T, Observer<T>>>(pair, size, Observer<T>{&recorder});
      way = search->find(vertices, count, answers.witness(0));
    }
    write_epa(recorder, overlaps, way, json);
    write_axes(pair, of_first, of_second, simplex, way, a, b, json);
  }

 private:
  /// A shape on the page.
  struct Side {
    Point center;
    const Surface<T>* core;
    T radius;
  };

  static SceneRows<3, T> rows_of(const SceneColumns<3, T>& scene) {
    SceneRows<3, T> rows;
    rows.update(scene, 0, Isa::scalar, one_thread());
    return rows;
  }
  ConvexLanes<F> load(std::int32_t id) const {
    PairRun<3, T> run{};
    run.library = rows_.hulls.numbers.plane();
    run.indices = rows_.hulls.indices.plane();
    const Kind kind = rows_.layout.kind_of(id);
    const auto k = static_cast<std::size_t>(kind);
    const std::int32_t row = rows_.layout.row(id) + rows_.rows_before[k];
    return ConvexLanes<F>::load(run, kind, rows_.rows[k].plane(), &row);
  }
  Point center_of(const ConvexLanes<F>& shape) const {
    Point center = point_of(plain<T>(shape.anchor + shape.middle));
    for (int k = 0; k < 3; ++k) center[k] += origin_[k];
    return center;
  }
  static void write_side(const char* name, const Side& side, Json& json) {
    json.key(name).object([&] {
      json.key("center").numbers(side.center);
      json.key("radius").number(side.radius);
      json.key("corners").array([&] {
        for (const Vec<T, 3>& corner : side.core->corners) json.numbers(point_of(corner));
      });
      json.key("faces");
      write_rows(side.core->faces, json);
      json.key("edges").array([&] {
        for (const auto& edge : side.core->edges)
          json.numbers(std::array<int, 2>{edge.from, edge.to});
      });
    });
  }
  /// The hull of all differences of corners; of flat ones the points alone.
  static void write_difference(const Side& a, const Side& b, Json& json) {
    std::vector<Point3> points;
    for (const Vec<T, 3>& p : a.core->corners) {
      for (const Vec<T, 3>& q : b.core->corners) {
        const Point3 point{a.center[0] - b.center[0] + (double{p[0]} - double{q[0]}),
                           a.center[1] - b.center[1] + (double{p[1]} - double{q[1]}),
                           a.center[2] - b.center[2] + (double{p[2]} - double{q[2]})};
        const bool is_finite =
            std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
        if (is_finite) points.push_back(point);
      }
    }
    std::vector<std::int32_t> chosen = first_of_equals(points);
    TriangleMesh mesh;
    if (chosen.size() > 3) find_triangle_hull(points, chosen, mesh);
    const auto* const corners = mesh.origin.data();
    // Only a few of the differences of large hulls are on the surface.
    if (mesh.size() > 0) {
      chosen.assign(corners, corners + mesh.size());
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
    const auto place = [&](std::int32_t point) {
      return static_cast<int>(std::lower_bound(chosen.begin(), chosen.end(), point) -
                              chosen.begin());
    };
    json.key("difference").object([&] {
      json.key("points").array([&] {
        for (const std::int32_t at : chosen) {
          const Point3& p = points[static_cast<std::size_t>(at)];
          json.numbers(Point{p.x, p.y, p.z});
        }
      });
      json.key("faces").array([&] {
        for (std::int32_t h = 0; h < mesh.size(); h += 3) {
          json.numbers(
              std::array<int, 3>{place(corners[h]), place(corners[h + 1]), place(corners[h + 2])});
        }
      });
    });
  }
  /// The numbers of the points that are not as one before.
  static std::vector<std::int32_t> first_of_equals(const std::vector<Point3>& points) {
    const auto at = [&](std::int32_t i) -> const Point3& {
      return points[static_cast<std::size_t>(i)];
    };
    std::vector<std::int32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
      const Point3 &p = at(i), &q = at(j);
      if (p.x != q.x) return p.x < q.x;
      if (p.y != q.y) return p.y < q.y;
      return p.z != q.z ? p.z < q.z : i < j;
    });
    const auto is_same = [&](std::int32_t i, std::int32_t j) { return at(i) == at(j); };
    order.erase(std::unique(order.begin(), order.end(), is_same), order.end());
    std::sort(order.begin(), order.end());
    return order;
  }
  void write_gjk(const Recorder<T>& recorder, const Simplex3<F>& simplex, Json& json) const {
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
      std::vector<Vertex> last;
      for (int v = 0; v < static_cast<int>(simplex.size.value); ++v) {
        last.push_back(page_.vertex(simplex.v[v]));
      }
      json.key("simplex");
      write_vertices(last, json);
      json.key("nearest").numbers(page_.point(plain<T>(simplex.nearest)));
      json.key("overlaps").boolean(simplex.is_overlap.value > 0);
    });
  }
  void write_epa(const Recorder<T>& recorder, bool overlaps, const LeastExit<T>& way,
                 Json& json) const {
    json.key("epa");
    if (!overlaps) return json.null();
    json.object([&] {
      json.key("depth").number(way.depth);
      json.key("normal").numbers(page_.point(way.direction));
      json.key("left_out").number(recorder.left_out);
      json.key("steps").array([&] {
        for (const EpaStep& step : recorder.epa) {
          json.object([&] {
            json.key("vertices");
            write_rows(step.vertices, json);
            json.key("faces");
            write_rows(step.faces, json);
            json.key("nearest").numbers(step.nearest);
            json.key("direction").numbers(step.direction);
            json.key("distance").number(step.distance);
            json.key("support");
            write_vertex(step.support, json);
            json.key("best").number(step.best);
          });
        }
      });
    });
  }

  /// Normals of all faces, cross products of edges whose arcs cross, and the way between cores that
  /// are apart by a vertex of both, or by a vertex of one and an edge of the other. Where none of
  /// them is an axis, as of cores in one line, the kernel's own way.
  void write_axes(const ShapePair<T>& pair, const Surface<T>& first, const Surface<T>& second,
                  const Simplex3<F>& simplex, const LeastExit<T>& way, const Side& a, const Side& b,
                  Json& json) const {
    const T reach = first_.radius.value + second_.radius.value;
    bool is_any = false;
    // `outward` leads from the first shape to the second.
    const auto write_axis = [&](const Vec<T, 3>& outward, const char* of, int of_a, int of_b) {
      is_any = true;
      const T overlap = dot(outward, farthest(pair, outward).point) + reach;
      const Point direction = page_.point(outward);
      const auto interval = [&](const Side& side) {
        std::array<double, 2> range{std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
        for (const Vec<T, 3>& p : side.core->corners) {
          double at = 0;
          for (int k = 0; k < 3; ++k) {
            at += (side.center[k] - a.center[k] + double{p[k]}) * direction[k];
          }
          range = {std::min(range[0], at - side.radius), std::max(range[1], at + side.radius)};
        }
        return range;
      };
      json.object([&] {
        json.key("direction").numbers(direction);
        json.key("of").string(of);
        json.key("edge").number(is_flipped_ && of == std::string_view("edges") ? of_b : of_a);
        json.key("other").number(is_flipped_ ? of_a : of_b);
        json.key("a").numbers(interval(a));
        json.key("b").numbers(interval(b));
        json.key("overlap").number(overlap);
      });
    };
    const auto write_faces = [&](bool is_first) {
      const auto& normals = is_first ? first.normals : second.normals;
      for (std::size_t f = 0; f < normals.size(); ++f) {
        write_axis(is_first ? normals[f] : -normals[f], is_first != is_flipped_ ? "a" : "b",
                   static_cast<int>(f), 0);
      }
    };
    json.key("axes").array([&] {
      write_faces(!is_flipped_);
      write_faces(is_flipped_);
      for (std::size_t i = 0; i < first.edges.size(); ++i) {
        for (std::size_t j = 0; j < second.edges.size(); ++j) {
          const auto &e = first.edges[i], &f = second.edges[j];
          if (!do_arcs_cross(first, e, second, f)) continue;
          const Vec<T, 3> u = first.along(e), v = second.along(f), n = across_edges(u, v);
          const T rounding = 8 * kRounding<T>;
          if (!(dot(n, n) > rounding * rounding * (dot(u, u) * dot(v, v)))) continue;
          Vec<T, 3> outward = unit_of(n);
          const auto turn_along = [&](const Surface<T>& of, int left, int right, T sign) {
            const Vec<T, 3> out = of.normals[static_cast<std::size_t>(left)] +
                                  of.normals[static_cast<std::size_t>(right)];
            if (sign * dot(outward, out) < 0) outward = -outward;
          };
          const int at_e = static_cast<int>(i), at_f = static_cast<int>(j);
          if (e.left >= 0) {
            turn_along(first, e.left, e.right, 1);
          } else if (f.left >= 0) {
            turn_along(second, f.left, f.right, -1);
          } else {
            write_axis(-outward, "edges", at_e, at_f);
          }
          write_axis(outward, "edges", at_e, at_f);
        }
      }
      const Vec<T, 3> nearest = plain<T>(simplex.nearest);
      if (!(simplex.is_overlap.value > 0) && simplex.size.value < 3) {
        write_axis(-unit_of(nearest), simplex.size.value < 2 ? "vertices" : "vertex and edge", 0,
                   0);
      }
      if (!is_any) write_axis(way.direction, "kernel", 0, 0);
    });
  }

  bool is_flipped_;
  SceneRows<3, T> rows_;
  ConvexLanes<F> first_, second_;  // from the first one's anchor on
  Point origin_;
  Page<T> page_;
};

}  // namespace

template <class T>
void answer3(const Request& request, Json& json) {
  SceneColumns<3, T> scene;
  add_shape(request.a, scene);
  add_shape(request.b, scene);
  const SceneLayout layout = layout_of(scene);
  const Pair pair{layout.id(request.a.kind, 0),
                  layout.id(request.b.kind, request.a.kind == request.b.kind ? 1 : 0)};
  write_answers(scene, pair, json);
  CoresOfPair<T>(scene, pair).write(json);
}

template void answer3<float>(const Request&, Json&);
template void answer3<double>(const Request&, Json&);

}  // namespace widephase::lab
