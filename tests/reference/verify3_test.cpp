// The checker in 3D with boxes, hulls and cylinders. Simple answers, from what the outermost
// features share, pass on every family of inputs; with one wrong number they do not.
// Labels: plain reference long

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/manifold3.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

constexpr std::array<Kind, 7> kKinds{Kind::sphere, Kind::capsule,  Kind::aabb,     Kind::box,
                                     Kind::hull,   Kind::cylinder, Kind::halfspace};

/// The first feature that contains a point of a hull's or cylinder's core; features of fewer
/// dimensions come first.
template <class T>
std::uint32_t listed_feature_at(const Solid<3>& solid, const Vec<3>& core_point, Real tolerance) {
  std::vector<std::uint32_t> features;
  if (solid.kind == Kind::hull) {
    const HullTopology<T>& surface = topology_of<T>(solid.vertices);
    const auto add = [&](Feature kind, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        features.push_back(feature_half(kind, static_cast<int>(i)));
      }
    };
    add(Feature::vertex, solid.vertices.size());
    add(Feature::edge, surface.edges.size());
    add(Feature::face, static_cast<std::size_t>(surface.face_count()));
  } else {
    for (int i = 0; i < 2 * kRimPoints; ++i) features.push_back(feature_half(Feature::vertex, i));
    for (int i = 0; i < 2 * kRimPoints; ++i) features.push_back(feature_half(Feature::edge, i));
    features.push_back(feature_half(Feature::face, 0));
    features.push_back(feature_half(Feature::face, 1));
    features.push_back(feature_half(Feature::edge, 2 * kRimPoints));
  }
  for (const std::uint32_t half : features) {
    if (feature_problem<T>(solid, half, core_point, tolerance).empty()) return half;
  }
  return 0;
}

/// The feature that contains a point of the core, from the point's coordinates.
template <class T>
std::uint32_t feature_at(const Solid<3>& solid, const Vec<3>& core_point, Real tolerance) {
  if (solid.kind == Kind::sphere || solid.kind == Kind::halfspace) return 0;
  if (solid.kind == Kind::capsule) {
    for (const int end : {0, 1}) {
      const Vec<3> at = widened(end == 0 ? solid.p : solid.q);
      if (length(minus(core_point, at)) <= tolerance) return feature_half(Feature::vertex, end);
    }
    return feature_half(Feature::edge, 0);
  }
  if (solid.kind == Kind::hull || solid.kind == Kind::cylinder) {
    return listed_feature_at<T>(solid, core_point, tolerance);
  }
  const Frame3 frame = frame_of(solid);
  const Vec<3> local = along_axes(frame.axes, minus(core_point, frame.center));
  int vertex = 0;
  int face = 0;
  std::vector<int> free;
  for (int k = 0; k < 3; ++k) {
    const bool is_upper = local[k] > 0;
    vertex |= (is_upper ? 1 : 0) << k;
    if (frame.half[k] - std::abs(local[k]) <= tolerance) {
      face = 2 * k + (is_upper ? 1 : 0);
    } else {
      free.push_back(k);
    }
  }
  if (free.empty()) return feature_half(Feature::vertex, vertex);
  if (free.size() > 1) return feature_half(Feature::face, face);
  // Without the bit of the edge's own axis.
  const int axis = free[0];
  const int below = vertex & ((1 << axis) - 1);
  const int above = vertex >> (axis + 1) << axis;
  return feature_half(Feature::edge, 4 * axis + (below | above));
}

/// The part that two flat shapes share, with the second one moved outward by `slack`, so that
/// rounding does not hide crossing edges and corners on faces.
Flat shared_by(const Flat& a, const Flat& b, double slack) {
  if (a.size() == 1) return a;
  if (b.size() == 1) return b;
  // Clips the narrower shape by the wider one, because narrow corners grow when they are moved
  // outward.
  if (b.size() >= 3 && width_of(b) >= width_of(a)) return clipped(a, b, -slack);
  if (a.size() >= 3) return clipped(b, a, -slack);
  const double length = distance_between(b[0], b[1]);
  const Point<2> side{-(b[1][1] - b[0][1]) * slack / length, (b[1][0] - b[0][0]) * slack / length};
  const Flat strip{{b[0][0] - side[0], b[0][1] - side[1]},
                   {b[1][0] - side[0], b[1][1] - side[1]},
                   {b[1][0] + side[0], b[1][1] + side[1]},
                   {b[0][0] + side[0], b[0][1] + side[1]}};
  return clipped(a, strip, -slack);
}

/// The point, seen along the normal, where the rim with the foremost point `start` crosses the line
/// of an edge. If the cap is nearly perpendicular to the normal, the foremost point is less exact.
Point<2> crossing_of_rim(const CylinderCore& cylinder, const Vec<3>& n, const Flat& edge,
                         const std::array<Vec<3>, 2>& tangents) {
  const Real side = dot(n, cylinder.axes[2]) < 0 ? -1 : 1;
  const Vec<3> cap = plus(cylinder.center, cylinder.axes[2], side * cylinder.half_height);
  Real angle = std::atan2(dot(n, cylinder.axes[1]), dot(n, cylinder.axes[0]));
  const Real x = edge[1][0] - edge[0][0], y = edge[1][1] - edge[0][1];
  const auto height = [&](const Vec<3>& v) {
    return x * dot(v, tangents[1]) - y * dot(v, tangents[0]);
  };
  const Real level = x * edge[0][1] - y * edge[0][0];
  Vec<3> point{};
  for (int round = 0; round < 4; ++round) {
    const Real c = cylinder.radius * std::cos(angle), s = cylinder.radius * std::sin(angle);
    point = plus(cap, cylinder.turned({c, s, 0}));
    const Real slope = height(cylinder.turned({-s, c, 0}));
    // Parallel to the edge, the rim touches it in one point, the foremost.
    if (std::abs(slope) > 1e-3L * cylinder.radius * std::hypot(x, y)) {
      angle -= (height(point) - level) / slope;
    }
  }
  return {static_cast<double>(dot(point, tangents[0])),
          static_cast<double>(dot(point, tangents[1]))};
}

/// The point of a flat shape that is nearest to `point`.
Point<2> nearest_of(const Flat& flat, const Point<2>& point) {
  bool is_inside = flat.size() >= 3;
  Point<2> best = flat[0];
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const Point<2>& u = flat[i];
    const Point<2>& v = flat[(i + 1) % flat.size()];
    const double x = v[0] - u[0], y = v[1] - u[1];
    const double square = x * x + y * y;
    const double along = x * (point[0] - u[0]) + y * (point[1] - u[1]);
    const double t = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
    const Point<2> near{u[0] + t * x, u[1] + t * y};
    if (distance_between(near, point) < distance_between(best, point)) best = near;
    is_inside = is_inside && height_over(u, v, point) >= 0;
  }
  return is_inside ? point : best;
}

/// `shared_by` of two shapes along `n`; points of rims use what determines them best.
Flat shared_along(const Solid<3>& a, const Solid<3>& b, const Vec<3>& n, const Vec<3>& origin,
                  Real slack) {
  const std::array<Vec<3>, 2> tangents = across(n);
  const Flat flat_a = outermost_of(a, origin, n, tangents, slack);
  const Flat flat_b = outermost_of(b, origin, times(n, -1), tangents, slack);
  const auto lean = [&](const Solid<3>& solid) {
    return is_cylinder(solid) ? length(cylinder_of(solid, origin).across(n)) : 2;
  };
  if (flat_a.size() == 1 && flat_b.size() == 1) return lean(a) >= lean(b) ? flat_a : flat_b;
  if (is_cylinder(a) && flat_a.size() == 1 && flat_b.size() == 2) {
    return {crossing_of_rim(cylinder_of(a, origin), n, flat_b, tangents)};
  }
  if (is_cylinder(b) && flat_b.size() == 1 && flat_a.size() == 2) {
    return {crossing_of_rim(cylinder_of(b, origin), times(n, -1), flat_a, tangents)};
  }
  const Flat shared = shared_by(flat_a, flat_b, static_cast<double>(slack));
  if (!shared.empty()) return shared;
  // A cap may just touch when its inscribed polygon does not.
  const auto middle = [&](const Solid<3>& solid) {
    const Vec<3> center = cylinder_of(solid, origin).center;
    return Point<2>{static_cast<double>(dot(center, tangents[0])),
                    static_cast<double>(dot(center, tangents[1]))};
  };
  if (!is_cylinder(b)) return {nearest_of(flat_b, middle(a))};
  if (!is_cylinder(a)) return {nearest_of(flat_a, middle(b))};
  const Point<2> from = middle(a), to = middle(b);
  const double share = a.size / distance_between(from, to);
  return {{from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])}};
}

/// An answer whose points are as deep as the pair.
template <class T>
Contact<3, T> plain_contact(const Solid<3>& a, const Solid<3>& b, const Reference<3>& reference) {
  Contact<3, T> contact;
  contact.normal = reference.normals[0];
  const auto depth_by = depths_of(a, b);
  Real least = depth_by(contact.normal);
  for (const Vec<3>& candidate : reference.normals) {
    const Real depth = depth_by(candidate);
    if (depth < least) contact.normal = candidate;
    least = std::min(least, depth);
  }
  const Vec<3> n = contact.normal;
  contact.depth = reference.depth;
  const bool is_first = a.kind == Kind::halfspace;
  const bool has_plane = is_first || b.kind == Kind::halfspace;
  const Vec<3> origin = widened(is_first ? b.p : a.p);
  const std::array<Vec<3>, 2> tangents = across(n);
  // As exact as points must be, and many times the slack of the checker.
  const Real tolerance = kDepthTolerance<T> * reference.size;
  const Real slack = tolerance / 4;
  const auto outer = [&](const Solid<3>& solid, const Vec<3>& direction) {
    return outermost_of(solid, origin, direction, tangents, slack);
  };
  Flat shared;
  if (has_plane) {
    shared = is_first ? outer(b, times(n, -1)) : outer(a, n);
  } else {
    shared = shared_along(a, b, n, origin, slack);
  }
  // The deepest plane of A, or that of B minus the depth.
  Real height = 0;
  if (is_first) {
    height = -(core_support(b, times(n, -1)) + dot(n, origin)) - radius_of(b) + contact.depth;
  } else {
    height = core_support(a, n) - dot(n, origin) + radius_of(a);
  }
  struct Row {
    std::uint32_t feature;
    Vec<3> point;
  };
  std::vector<Row> rows;
  for (const Point<2>& place : shared) {
    const Vec<3> point =
        plus(plus(plus(origin, n, height), tangents[0], place[0]), tangents[1], place[1]);
    const std::uint32_t half_a = feature_at<T>(a, plus(point, n, -radius_of(a)), 4 * tolerance);
    const std::uint32_t half_b =
        feature_at<T>(b, plus(point, n, radius_of(b) - contact.depth), 4 * tolerance);
    bool is_known = false;
    for (const Row& row : rows) {
      is_known = is_known || row.feature == (half_a << 16 | half_b);
    }
    if (!is_known) rows.push_back({half_a << 16 | half_b, point});
  }
  // Four points: the first, the farthest from it, the farthest from the line through both, and the
  // farthest outside of a side of these three.
  if (rows.empty()) return contact;
  std::vector<std::size_t> kept{0};
  const auto keep_best = [&](Real least, auto&& score) {
    std::size_t best = 0;
    Real most = least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Real value = score(rows[i].point);
      if (value > most) best = i;
      most = std::max(most, value);
    }
    if (std::find(kept.begin(), kept.end(), best) == kept.end()) kept.push_back(best);
  };
  const auto area = [&](const Vec<3>& u, const Vec<3>& v, const Vec<3>& at) {
    return dot(cross(minus(v, u), minus(at, u)), n);
  };
  const Vec<3> first = rows[0].point;
  keep_best(0, [&](const Vec<3>& at) { return length(minus(at, first)); });
  if (kept.size() == 2) {
    const Vec<3> far = rows[kept[1]].point;
    const Real least = tolerance * length(minus(far, first));
    keep_best(least, [&](const Vec<3>& at) { return std::abs(area(first, far, at)); });
    if (kept.size() == 3) {
      const Vec<3> top = rows[kept[2]].point;
      const Real turn = area(first, far, top) > 0 ? -1 : 1;
      keep_best(least, [&](const Vec<3>& at) {
        return std::max(
            {turn * area(first, far, at), turn * area(far, top, at), turn * area(top, first, at)});
      });
    }
  }
  std::sort(kept.begin(), kept.end(),
            [&](std::size_t i, std::size_t j) { return rows[i].feature < rows[j].feature; });
  for (const std::size_t i : kept) {
    contact.points.push_back(rows[i].point);
    contact.point_depths.push_back(contact.depth);
    contact.features.push_back(rows[i].feature);
  }
  return contact;
}

bool is_slow(Kind kind) { return kind == Kind::hull || kind == Kind::cylinder; }

template <class T>
std::vector<SolidPair<3>> every_family(Kind a, Kind b) {
  const std::size_t share = is_slow(a) || is_slow(b) ? 5 : 1;
  const auto count = [&](std::size_t full) { return scaled(full / share, full / 8); };
  std::vector<std::vector<SolidPair<3>>> families{random_pairs<3>(a, b, count(150), 51),
                                                  sized_pairs<3>(a, b, count(150), 52),
                                                  grid_pairs<3>(a, b, count(300), 53),
                                                  near_grid_pairs<3>(a, b, count(300), 54),
                                                  far_pairs<3>(random_pairs<3>(a, b, 30, 55), 56),
                                                  special_pairs<3>(a, b)};
  if (a != Kind::aabb && b != Kind::aabb) {
    families.push_back(turned_grid_pairs<3>(a, b, count(300), 59));
  }
  if (a != Kind::sphere && b != Kind::halfspace) {
    families.push_back(crossing_edges(a, b, count(200), 60));
  }
  if (a == Kind::box && b == Kind::box) {
    families.push_back(thin_boxes(scaled(200, 20), 61));
    families.push_back(concentric_boxes(scaled(200, 20), 62));
    families.push_back(stacked_boxes(scaled(300, 30), 63));
  }
  if ((is_slow(a) || is_slow(b)) && !is_thin(a) && a != Kind::aabb && b != Kind::halfspace) {
    families.push_back(stacked_solids(a, b, count(300), 64));
    families.push_back(concentric_solids(a, b, count(100), 65));
    families.push_back(corner_to_corner(a, b, count(200), 66));
  }
  std::vector<SolidPair<3>> all;
  for (const auto& family : families) {
    for (const SolidPair<3>& pair : family) all.push_back({stored<T>(pair.a), stored<T>(pair.b)});
  }
  return all;
}

/// The pairs with a box, hull or cylinder in their natural order.
template <class Check>
void for_each_turned_pair(Check&& check) {
  const auto is_turned = [](Kind kind) {
    return kind == Kind::box || kind == Kind::hull || kind == Kind::cylinder;
  };
  for (const Kind a : kKinds) {
    for (const Kind b : kKinds) {
      if (b < a || (!is_turned(a) && !is_turned(b))) continue;
      SCOPED_TRACE(std::string(kind_name(a, 3)) + " " + std::string(kind_name(b, 3)));
      check(a, b);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class T>
void plain_answers_pass() {
  for_each_turned_pair([](Kind kind_a, Kind kind_b) {
    std::array<std::size_t, 5> due{};
    std::size_t pair_count = 0, chord_count = 0;
    for (const auto& [a, b] : every_family<T>(kind_a, kind_b)) {
      const Reference<3> reference = reference_of(a, b);
      for (const double margin : {0.0, 0.5}) {
        if (reference.depth < -static_cast<Real>(margin)) continue;
        const auto contact = plain_contact<T>(a, b, reference);
        if (is_cylinder(a) && is_cylinder(b) &&
            contact_problem<3, T>(a, b, reference, margin, contact) ==
                "there are 1 points, the shapes share 2; ") {
          // A line that crosses a rim twice: the inscribed polygon has neither point.
          ++chord_count;
          continue;
        }
        ASSERT_EQ((contact_problem<3, T>(a, b, reference, margin, contact)), "")
            << describe(a) << "\n"
            << describe(b) << "\n"
            << describe(contact) << "\nmargin " << margin;
        ++pair_count;
        const Real tolerance = 1e-9L * reference.size;
        ++due[least_point_count(a, b, contact.normal, static_cast<Real>(margin), tolerance)];
      }
    }
    const bool has_cylinder = kind_a == Kind::cylinder || kind_b == Kind::cylinder;
    EXPECT_LE(chord_count, pair_count / 100);
    EXPECT_GT(pair_count, is_slow(kind_a) || is_slow(kind_b) ? scaled(100, 20) : scaled(300, 40));
    // Families contain edges on faces, and faces on faces.
    if (kind_a == Kind::sphere || (kind_a == Kind::capsule && has_cylinder)) return;
    EXPECT_GT(due[2], pair_count / 200);
    if (kind_a == Kind::capsule) return;
    EXPECT_GT(has_cylinder ? due[3] : due[4], pair_count / 50);
  });
}

TEST(verify3, plain_answers_pass_in_float) { plain_answers_pass<float>(); }
TEST(verify3, plain_answers_pass_in_double) { plain_answers_pass<double>(); }

/// Whether neighbouring features of a shape are all at one point.
bool is_sliver(const Solid<3>& solid) {
  const auto is_short = [](double length) { return length < 0.01; };
  if (solid.kind == Kind::box) return std::any_of(solid.q.begin(), solid.q.end(), is_short);
  if (solid.kind == Kind::cylinder) return is_short(solid.q[2]) || is_short(solid.size);
  if (solid.kind != Kind::hull) return false;
  // The opposite sides of a plate are not apart either, nor the corners of a short edge.
  const Polytope& surface = hull_polytope(solid.vertices);
  const bool is_flat =
      std::any_of(surface.normals.begin(), surface.normals.end(), [&](const Vec<3>& n) {
        const Real width = surface.support(n) + surface.support(times(n, -1));
        return is_short(static_cast<double>(width));
      });
  return is_flat || std::any_of(surface.edges.begin(), surface.edges.end(), [&](const auto& edge) {
           return is_short(static_cast<double>(
               length(minus(surface.corners[edge.to], surface.corners[edge.from]))));
         });
}

TEST(verify3, spoiled_answers_do_not_pass) {
  using Answered = Contact<3, double>;
  const std::vector<std::pair<const char*, void (*)(Answered&)>> spoils{
      {"depth",
       [](Answered& c) {
         c.depth += 1e-6L;
         for (Real& depth : c.point_depths) depth += 1e-6L;
       }},
      {"normal's length", [](Answered& c) { c.normal = times(c.normal, 1 + 1e-12L); }},
      {"normal",
       [](Answered& c) {
         const Vec<3> leaning = plus(c.normal, across(c.normal)[0], 0.1L);
         c.normal = times(leaning, 1 / length(leaning));
       }},
      {"sign", [](Answered& c) { c.normal = times(c.normal, -1); }},
      {"status", [](Answered& c) { c.status = 1; }},
      {"unknown status", [](Answered& c) { c.status = 3; }},
      {"no points",
       [](Answered& c) {
         c.points.clear();
         c.point_depths.clear();
         c.features.clear();
       }},
      {"too many points",
       [](Answered& c) {
         while (c.points.size() < 5) {
           c.points.push_back(c.points[0]);
           c.point_depths.push_back(c.point_depths[0]);
           c.features.push_back(c.features.back() + 1);
         }
       }},
      {"a point twice",
       [](Answered& c) {
         c.points.insert(c.points.begin(), c.points[0]);
         c.point_depths.insert(c.point_depths.begin(), c.point_depths[0]);
         c.features.insert(c.features.begin(), c.features[0]);
       }},
      {"no point of the pair's depth",
       [](Answered& c) {
         for (Real& depth : c.point_depths) depth -= 1e-13L;
       }},
      {"point along the normal",
       [](Answered& c) { c.points[0] = plus(c.points[0], c.normal, 1e-6L); }},
      {"point far along the normal",
       [](Answered& c) { c.points[0] = plus(c.points[0], c.normal, 1e-3L); }},
      {"point off both shapes",
       [](Answered& c) { c.points[0] = plus(c.points[0], across(c.normal)[0], 100); }},
      {"A's feature", [](Answered& c) { c.features[0] ^= 1u << 16; }},
      {"B's feature", [](Answered& c) { c.features[0] ^= 1u; }},
      {"A's kind of feature, whole",
       [](Answered& c) { c.features[0] = 5u << 16 | (c.features[0] & 0xffff); }},
      {"B's kind of feature, whole",
       [](Answered& c) { c.features[0] = (c.features[0] & 0xffff0000u) | 5u; }},
  };
  std::size_t count = 0;
  for_each_turned_pair([&](Kind kind_a, Kind kind_b) {
    for (const auto& [a, b] : random_pairs<3>(kind_a, kind_b, scaled(60, 20), 57)) {
      const Reference<3> reference = reference_of(a, b);
      // If another direction has nearly the same depth, a wrong one may pass as a tie.
      if (reference.depth < -0.5L || has_tie(a, b, reference, 1e-6L)) continue;
      if (is_sliver(a) || is_sliver(b)) continue;
      const Answered contact = plain_contact<double>(a, b, reference);
      ++count;
      for (const auto& [name, spoil] : spoils) {
        // On a round side, a point may be off by the square root of the depth's tolerance.
        if (has_round(a, b) && std::string_view(name) == "point along the normal") continue;
        Answered spoiled = contact;
        spoil(spoiled);
        EXPECT_NE((contact_problem<3, double>(a, b, reference, 0.5, spoiled)), "")
            << name << "\n"
            << describe(a) << "\n"
            << describe(b) << "\n"
            << describe(spoiled);
      }
    }
  });
  EXPECT_GT(count, scaled(150, 30));
}

/// The checker's message for two contacts of B above a face of A, z = 1, above the origin, with
/// features of B.
std::string two_points_problem(const Solid<3>& b, std::uint32_t first, std::uint32_t second) {
  const Solid<3> a = box({0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1});
  const std::uint32_t face = feature_half(Feature::face, 5) << 16;
  const Contact<3, double> contact{
      {0, 1}, {0, 0, 1}, 0, 0, {{0, 0, 1}, {0, 0, 1}}, {0, 0}, {face | first, face | second}};
  return contact_problem<3, double>(a, b, reference_of(a, b), 0, contact);
}

TEST(verify3, a_point_of_a_shape_without_extent_counts_once) {
  const auto vertex = [](int index) { return feature_half(Feature::vertex, index); };
  const auto edge = [](int index) { return feature_half(Feature::edge, index); };
  const std::string twice = "point 1 is there twice; ";
  const Quaternion level{0, 0, 0, 1};
  EXPECT_EQ(two_points_problem(capsule<3>({0, 0, 2}, {0, 0, 2}, 1), vertex(0), vertex(1)), twice);
  // Shorter than the checker's tolerance, but it has two ends.
  EXPECT_EQ(two_points_problem(capsule<3>({0, 0, 2}, {1e-15, 0, 2}, 1), vertex(0), vertex(1)), "");
  // A stick along z: corners 0 to 3 are at its lower end.
  const Solid<3> stick = box({0, 0, 1.5}, level, {0, 0, 0.5});
  EXPECT_EQ(two_points_problem(stick, vertex(1), vertex(2)), twice);
  EXPECT_EQ(two_points_problem(stick, vertex(3), edge(0)), twice);
  EXPECT_EQ(two_points_problem(box({0, 0, 1.5}, level, {1e-15, 0, 0.5}), vertex(0), vertex(1)), "");
  const Solid<3> needle = cylinder({0, 0, 1.5}, level, 0.5, 0);
  EXPECT_EQ(two_points_problem(needle, vertex(0), vertex(5)), twice);
  EXPECT_EQ(two_points_problem(needle, vertex(0), edge(15)), twice);
}

TEST(verify3, shared_faces_need_their_points) {
  // Quarters and rotations by 45 degrees: parallel edges are so only to rounding.
  std::array<std::size_t, 5> count{};
  for_each_turned_pair([&](Kind kind_a, Kind kind_b) {
    for (const auto& [a, b] : grid_pairs<3>(kind_a, kind_b, scaled(200, 40), 58)) {
      const Reference<3> reference = reference_of(a, b);
      if (reference.depth < 0) continue;
      Contact<3, double> contact = plain_contact<double>(a, b, reference);
      const std::size_t due = least_point_count(a, b, contact.normal, 0.25L, 1e-9L);
      ++count[due];
      while (contact.points.size() >= due && due > 1) {
        contact.points.pop_back();
        contact.point_depths.pop_back();
        contact.features.pop_back();
      }
      if (due < 2) continue;
      EXPECT_NE((contact_problem<3, double>(a, b, reference, 0.25, contact)), "")
          << describe(a) << "\n"
          << describe(b) << "\n"
          << describe(contact);
    }
  });
  EXPECT_GT(count[2], scaled(100, 10));
  EXPECT_GT(count[3], scaled(40, 4));
  EXPECT_GT(count[4], scaled(100, 10));
}

TEST(verify3, counts_of_shared_faces) {
  const Vec<3> up{0, 0, 1};
  const Quaternion level{0, 0, 0, 1};
  const Quaternion on_edge = about({0, 0, 1}, kEighthTurn);
  const Solid<3> cube = box({0, 0, 0}, level, {1, 1, 1});
  const auto count = [&](const Solid<3>& b) { return least_point_count(cube, b, up, 0, 1e-9L); };
  // The whole face, a corner's square of it, the octagon of two squares.
  EXPECT_EQ(count(box({0, 0, 1.875}, level, {1, 1, 1})), 4u);
  EXPECT_EQ(count(box({1.5, 1.5, 1.875}, level, {1, 1, 1})), 4u);
  EXPECT_EQ(count(box({0, 0, 1.875}, on_edge, {1, 1, 1})), 4u);
  // The corner of a square on its corner: a triangle.
  EXPECT_EQ(count(box({2, 0, 1.875}, on_edge, {1, 1, 1})), 3u);
  // An edge along the face; a single shared edge and a single shared corner are open.
  EXPECT_EQ(count(capsule<3>({0, 0, 1}, {3, 0, 1}, 0.25)), 2u);
  EXPECT_EQ(count(box({0, 0, 1}, about({1, 0, 0}, kEighthTurn), {2, 0.125, 0.125})), 2u);
  EXPECT_EQ(count(box({2, 0, 1.875}, level, {1, 1, 1})), 1u);
  EXPECT_EQ(count(box({2, 2, 1.875}, level, {1, 1, 1})), 1u);
  EXPECT_EQ(count(ball<3>({0, 0, 1}, 0.25)), 1u);
  // On the floor: a face, an edge, a corner.
  const auto on_floor = [&](const Quaternion& turn) {
    return least_point_count(box({0, 0, 0}, turn, {1, 1, 1}), halfspace<3>({0, 0, 1}, 0),
                             times(up, -1), 0, 1e-9L);
  };
  EXPECT_EQ(on_floor(level), 4u);
  EXPECT_EQ(on_floor(on_edge), 4u);
  EXPECT_EQ(on_floor(about({1, 0, 0}, kEighthTurn)), 2u);
  EXPECT_EQ(on_floor(about({1, 2, 3}, 1)), 1u);
}

TEST(verify3, counts_of_hulls_and_cylinders) {
  const Vec<3> up{0, 0, 1};
  const Quaternion level{0, 0, 0, 1};
  const Quaternion lying = about({0, 1, 0}, 2 * kEighthTurn);
  const auto count = [&](const Solid<3>& a, const Solid<3>& b) {
    return least_point_count(a, b, up, 0, 1e-9L);
  };
  const Solid<3> cube = hull({0, 0, 0}, level, block(1, 1, 1));
  const Solid<3> can = cylinder({0, 0, 0}, level, 1, 1);
  // Faces of many corners keep four; a triangle three; an edge along a face two; a corner one.
  EXPECT_EQ(count(cube, hull({0, 0, 1.875}, level, prism(regular(12, 1), 1))), 4u);
  EXPECT_EQ(count(cube, hull({0, 0, 1.875}, level, prism(regular(3, 0.5), 1))), 3u);
  EXPECT_EQ(count(cube, hull({0, 0, 1.875}, level, octahedron(1, 1, 1))), 1u);
  EXPECT_EQ(count(cube, hull({0, 0, 1.5}, about({1, 0, 0}, kEighthTurn), block(0.5, 0.5, 0.5))),
            2u);
  // A cap on a face or a cap, a part of it; its side along a face; its rim.
  for (const Solid<3>& below : {cube, can, box({0, 0, 0}, level, {1, 1, 1})}) {
    EXPECT_EQ(count(below, cylinder({0, 0, 1.875}, level, 1, 0.5)), 3u);
    EXPECT_EQ(count(below, cylinder({1, 0.5, 1.875}, level, 1, 1)), 3u);
    EXPECT_EQ(count(below, cylinder({0.5, 0, 1.375}, lying, 3, 0.5)), 2u);
    EXPECT_EQ(count(below, cylinder({0, 0, 1.875}, about({0, 1, 0}, 1), 1, 0.5)), 1u);
    EXPECT_EQ(count(below, cylinder({3, 0, 1.875}, level, 1, 0.5)), 1u);
  }
  const auto on_floor = [&](const Solid<3>& solid) {
    return least_point_count(solid, halfspace<3>({0, 0, 1}, 0), times(up, -1), 0, 1e-9L);
  };
  EXPECT_EQ(on_floor(can), 3u);
  EXPECT_EQ(on_floor(cylinder({0, 0, 0}, lying, 1, 1)), 2u);
  EXPECT_EQ(on_floor(cylinder({0, 0, 0}, about({0, 1, 0}, 1), 1, 1)), 1u);
  EXPECT_EQ(on_floor(hull({0, 0, 0}, level, prism(regular(7, 1), 1))), 4u);
}

TEST(verify3, features_of_a_box_by_their_numbers) {
  // Rotated by a quarter turn about z: its own x points along y, its own y along -x.
  const Solid<3> solid = box({10, 0, 0}, about({0, 0, 1}, 2 * kEighthTurn), {1, 2, 3});
  const auto is_at = [&](Feature kind, int index, const Vec<3>& point) {
    return feature_problem<double>(solid, feature_half(kind, index), point, 1e-9L).empty();
  };
  // Vertex 5 is on the upper side of x and z, on the lower one of y: x = 10 + 2, y = 1, z = 3.
  EXPECT_TRUE(is_at(Feature::vertex, 5, {12, 1, 3}));
  EXPECT_FALSE(is_at(Feature::vertex, 4, {12, 1, 3}));
  EXPECT_FALSE(is_at(Feature::vertex, 8, {12, 1, 3}));
  // Face 3 is the upper one of its own y: x = 8.
  EXPECT_TRUE(is_at(Feature::face, 3, {8, 0.5, -2}));
  EXPECT_FALSE(is_at(Feature::face, 3, {8, 1.5, -2}));
  EXPECT_FALSE(is_at(Feature::face, 2, {8, 0.5, -2}));
  EXPECT_FALSE(is_at(Feature::face, 6, {8, 0.5, -2}));
  // Edge 6 goes along its own y, axis 1, with bits 2: lower x, which is y = -1, upper z.
  EXPECT_TRUE(is_at(Feature::edge, 6, {9, -1, 3}));
  EXPECT_FALSE(is_at(Feature::edge, 5, {9, -1, 3}));
  EXPECT_FALSE(is_at(Feature::edge, 12, {9, -1, 3}));
  EXPECT_FALSE(is_at(Feature::whole, 0, {9, -1, 3}));
}

}  // namespace
}  // namespace widephase::test
