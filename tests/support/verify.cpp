#include "support/verify.hpp"

#include "reference/outline.hpp"
#include "reference/zonotope.hpp"
#include "support/compare.hpp"
#include "support/distinct_points.hpp"
#include "support/manifold3.hpp"
#include "support/methods.hpp"

namespace widephase::test {

template <int D, class T>
Contact<D, T> contact_at(const ContactBuffer<D, T>& contacts, std::size_t i) {
  Contact<D, T> contact;
  contact.pair = contacts.pair[i];
  for (int k = 0; k < D; ++k) contact.normal[k] = contacts.normal(i, k);
  contact.depth = contacts.depth[i];
  contact.status = contacts.status[i];
  for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
    const auto row = static_cast<std::size_t>(j);
    contact.points.emplace_back();
    for (int k = 0; k < D; ++k) contact.points.back()[k] = contacts.point(row, k);
    contact.point_depths.push_back(contacts.point_depth[row]);
    contact.features.push_back(contacts.feature[row]);
  }
  return contact;
}

template <int D, class T>
std::string describe(const Contact<D, T>& contact) {
  std::ostringstream text;
  text.precision(sizeof(PositionOf<T>) == 4 ? 9 : 17);
  const auto write = [&](const Vec<D>& v) {
    text << '(';
    for (int k = 0; k < D; ++k) text << (k == 0 ? "" : ", ") << v[k];
    text << ')';
  };
  text << "normal ";
  write(contact.normal);
  text << " depth " << contact.depth << " status " << contact.status;
  for (std::size_t i = 0; i < contact.points.size(); ++i) {
    text << "\n    point ";
    write(contact.points[i]);
    text << " depth " << contact.point_depths[i] << ", A "
         << describe_feature(contact.features[i] >> 16) << ", B "
         << describe_feature(contact.features[i] & 0xffff);
  }
  return text.str();
}

namespace {

/// `feature_problem` for a box or polygon.
std::string turned_feature_problem(const Solid<2>& solid, Feature kind, int index,
                                   const Vec<2>& core_point, Real tolerance) {
  const bool is_box = solid.kind == Kind::box;
  // Corners and sides are computed anew, because the numbers of features are part of the contract.
  const auto corner = [&](int i) {
    const Vec<2> local = is_box ? Vec<2>{(i & 1) != 0 ? solid.q[0] : -solid.q[0],
                                         (i & 2) != 0 ? solid.q[1] : -solid.q[1]}
                                : widened(solid.vertices[static_cast<std::size_t>(i)]);
    return plus(widened(solid.p), turned_by(solid.angle, local));
  };
  const int count = is_box ? 4 : static_cast<int>(solid.vertices.size());
  if (index >= count) return "is beyond the last";
  if (kind == Feature::vertex) {
    return length(minus(core_point, corner(index))) <= tolerance
               ? ""
               : "is another vertex than the point's";
  }
  if (kind != (is_box ? Feature::face : Feature::edge)) return "is of no kind that the shape has";
  int from = index;
  int to = (index + 1) % count;
  if (is_box) {
    // Face 2 k is on the lower side of axis k, face 2 k + 1 on the upper side.
    const int side = (index & 1) << (index >> 1);
    from = side;
    to = side + ((index >> 1) == 0 ? 2 : 1);
  }
  return length(to_segment(core_point, corner(from), corner(to))) <= tolerance
             ? ""
             : "is another side than the point's";
}

}  // namespace

template <class T, int D>
std::string feature_problem(const Solid<D>& solid, std::uint32_t half, const Vec<D>& core_point,
                            Real tolerance) {
  const auto kind = static_cast<Feature>(half >> 14);
  const int index = static_cast<int>(half & 0x3fff);
  const auto is_at = [&](const Vec<D>& vertex) {
    return length(minus(core_point, vertex)) <= tolerance;
  };
  if (solid.kind == Kind::sphere || solid.kind == Kind::ellipsoid ||
      solid.kind == Kind::halfspace) {
    return half == 0 ? "" : "is not whole 0";
  }
  if (solid.kind == Kind::capsule) {
    if (kind == Feature::edge) return index == 0 ? "" : "is no edge of a capsule";
    if (kind != Feature::vertex || index > 1) return "is no feature of a capsule";
    return is_at(widened(index == 0 ? solid.p : solid.q)) ? "" : "is another end than the point's";
  }
  if constexpr (D == 2) {
    if (has_outline(solid)) {
      return turned_feature_problem(solid, kind, index, core_point, tolerance);
    }
  } else {
    if (solid.kind == Kind::hull) {
      return hull_feature_problem<SizeOf<T>>(solid, kind, index, core_point, tolerance);
    }
    if (solid.kind == Kind::cylinder) {
      return cylinder_feature_problem(solid, kind, index, core_point, tolerance);
    }
    if (solid.kind == Kind::cone) {
      return cone_feature_problem(solid, kind, index, core_point, tolerance);
    }
    return box_feature_problem(solid, kind, index, core_point, tolerance);
  }
  if (kind == Feature::vertex) {
    if (index >= 1 << D) return "is no vertex of an aabb";
    Vec<D> vertex;
    for (int k = 0; k < D; ++k) vertex[k] = (index >> k & 1) != 0 ? solid.q[k] : solid.p[k];
    return is_at(vertex) ? "" : "is another vertex than the point's";
  }
  if (kind == Feature::edge) return index < 4 ? "" : "is no edge of an aabb";
  if (kind != Feature::face || index >= 2 * D) return "is no feature of an aabb";
  const int axis = index / 2;
  const Real plane = index % 2 != 0 ? solid.q[axis] : solid.p[axis];
  return std::abs(core_point[axis] - plane) <= tolerance ? "" : "is another face than the point's";
}

namespace {

/// The sides of an outline with both ends outermost along `n`, to within `slack`, as intervals
/// along `tangent`.
std::vector<std::pair<Real, Real>> outermost_sides(const Outline& outline, const Vec<2>& n,
                                                   const Vec<2>& tangent, Real slack) {
  std::vector<std::pair<Real, Real>> sides;
  const Real least = support(outline, n) - slack;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec<2>& from = outline[i];
    const Vec<2>& to = next_corner(outline, i);
    if (dot(from, n) < least || dot(to, n) < least) continue;
    sides.push_back(std::minmax(dot(tangent, from), dot(tangent, to)));
  }
  return sides;
}

}  // namespace

std::size_t facing_point_count(const Solid<2>& a, const Solid<2>& b, const Vec<2>& n, Real margin,
                               Real tolerance) {
  if (!(depth_along(a, b, n) > tolerance - margin)) return 1;
  // Less than the allowed difference of the depths of both ends; a side that leans more is not
  // judged.
  const Real slack = tolerance / 128;
  const Vec<2> origin = widened(a.p);
  const Vec<2> tangent{-n[1], n[0]};
  const auto sides_a = outermost_sides(outline_of(a, origin), n, tangent, slack);
  if (b.kind == Kind::halfspace) {
    for (const auto& [low, high] : sides_a) {
      if (!(high - low > tolerance)) return 1;
    }
    return sides_a.empty() ? 1 : 2;
  }
  const auto sides_b = outermost_sides(outline_of(b, origin), times(n, -1), tangent, slack);
  if (sides_a.empty() || sides_b.empty()) return 1;
  for (const auto& [low_a, high_a] : sides_a) {
    for (const auto& [low_b, high_b] : sides_b) {
      if (!(std::min(high_a, high_b) - std::max(low_a, low_b) > tolerance)) return 1;
    }
  }
  return 2;
}

template <int D>
std::size_t least_point_count(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n, Real margin,
                              Real tolerance) {
  // A halfspace comes last, whatever its kind's number.
  const bool is_plane = b.kind == Kind::halfspace;
  if (a.kind == Kind::halfspace || (!is_plane && b.kind < a.kind)) {
    return least_point_count(b, a, times(n, -1), margin, tolerance);
  }
  if constexpr (D == 2) {
    if (has_outline(a) || has_outline(b)) {
      return facing_point_count(a, b, n, margin, tolerance);
    }
  } else {
    if (has_polytope(a) || has_polytope(b) || has_round(a, b)) {
      return facing_point_count(a, b, n, margin, tolerance);
    }
  }
  const Zonotope<D> core_a = core_of(a);
  const Zonotope<D> core_b = core_of(b);
  const auto is_deep = [&](Real depth) { return depth > tolerance - margin; };
  if (b.kind == Kind::halfspace) {
    if (a.kind == Kind::sphere) return 1;
    // The generators that are exactly parallel to the plane span the points that lie on it.
    std::size_t count = 1;
    for (const Vec<D>& g : core_a.generators) {
      if (dot(g, plane_of(b).normal) == 0 && length(g) > tolerance) count *= 2;
    }
    return is_deep(depth_along(a, b, n)) ? count : 1;
  }
  if (a.kind == Kind::sphere || !is_deep(depth_along(a, b, n))) return 1;
  // In 3D, corners within 1e-4 of the smaller face may count as one.
  const Real one =
      D == 2 ? tolerance : std::max(tolerance, 2e-4L * std::min(core_reach(a), core_reach(b)));
  if (a.kind == Kind::aabb) {
    int axis = 0;
    for (int k = 0; k < D; ++k) axis = std::abs(n[k]) > 0.999L ? k : axis;
    if (std::abs(n[axis]) < 1 - 1e-9L) return 1;
    std::size_t count = 1;
    for (int k = 0; k < D; ++k) {
      const Real shared = std::min<Real>(a.q[k], b.q[k]) - std::max<Real>(a.p[k], b.p[k]);
      if (k == axis) continue;
      if (shared < -tolerance) return 1;
      if (shared > one) count *= 2;
    }
    return count;
  }
  if (core_a.generators.empty()) return 1;
  const Vec<D> half = core_a.generators[0];
  Real low = -1;
  Real high = 1;
  if (b.kind == Kind::capsule) {
    if (core_b.generators.empty()) return 1;
    const Vec<D> other = core_b.generators[0];
    const Real cosine = dot(half, other) / (length(half) * length(other));
    const Vec<D> apart = minus(times(other, 1 / length(other)), times(half, cosine / length(half)));
    if (length(apart) > 1e-18L || std::abs(dot(half, n)) > tolerance) return 1;
    const Real middle = dot(minus(core_b.center, core_a.center), half) / dot(half, half);
    const Real reach = length(other) / length(half);
    low = std::max(low, middle - reach);
    high = std::min(high, middle + reach);
  } else {
    int axis = -1;
    for (int k = 0; k < D; ++k) axis = std::abs(n[k]) > 1 - 1e-9L ? k : axis;
    if (axis < 0 || half[axis] != 0) return 1;
    for (int k = 0; k < D; ++k) {
      if (k == axis) continue;
      const Real c = core_a.center[k];
      if (half[k] == 0) {
        if (c < b.p[k] - tolerance || c > b.q[k] + tolerance) return 1;
        continue;
      }
      const Real t0 = (b.p[k] - c) / half[k];
      const Real t1 = (b.q[k] - c) / half[k];
      low = std::max(low, std::min(t0, t1));
      high = std::min(high, std::max(t0, t1));
    }
  }
  return (high - low) * length(half) > one ? 2 : 1;
}

template <int D, class T>
std::string contact_problem(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference,
                            double margin, const Contact<D, T>& contact) {
  std::ostringstream text;
  text.precision(12);
  const Real tolerance = kDepthTolerance<T> * (reference.size + static_cast<Real>(margin));
  const Vec<D>& n = contact.normal;
  if (!(std::abs(length(n) - 1) <= 4 * kUnitTolerance<T>)) {
    text << "the normal's length is " << length(n) << "; ";
  }
  // With nearly equal depths along an arc, EPA may give an upper bound.
  const bool is_on_round = has_round(a, b);
  const bool is_open = may_be_open(a, b);
  const Real above = is_open && contact.status == 2 ? kOpenTolerance * reference.size : 0;
  if (!(contact.depth - reference.depth <= tolerance + above) ||
      !(reference.depth - contact.depth <= tolerance)) {
    text << "the depth should be " << reference.depth << "; ";
  }

  const bool has_halfspace = a.kind == Kind::halfspace || b.kind == Kind::halfspace;
  if (has_halfspace) {
    if (!(length(minus(n, reference.normals[0])) <= 4 * kUnitTolerance<T>)) {
      text << "the normal is not the halfspace's; ";
    }
  } else {
    const Real taken = depth_along(a, b, n);
    if (!(taken <= reference.depth + tolerance + above)) {
      text << "leaving along the normal takes " << taken << ", the least is " << reference.depth
           << "; ";
    }
    // If one core is a point, or both are boxes, the direction is as exact as the distance.
    const bool is_well_posed = a.kind == Kind::sphere || b.kind == Kind::sphere ||
                               (a.kind == Kind::aabb && b.kind == Kind::aabb);
    const Vec<D> error = minus(times(n, reference.core_distance), reference.core_gap);
    if (is_well_posed && !(length(error) <= tolerance)) {
      text << "the normal is off by " << length(error) / reference.core_distance << "; ";
    }
  }

  if (contact.status > (is_open ? 2 : 1)) text << "the status is no answer; ";
  if (contact.status == 1 && !has_tie(a, b, reference, 4 * tolerance)) {
    text << "the status claims a tie and the direction is unique; ";
  }

  // Points are rounded like positions.
  Real place = 0;
  for (const Solid<D>& solid : {a, b}) {
    if (solid.kind == Kind::halfspace) continue;
    for (const double value : solid.p) place = std::max<Real>(place, std::abs(value));
    for (const double value : solid.q) place = std::max<Real>(place, std::abs(value));
  }
  // On a round side, a depth that is larger by rounding may belong to a point that is the square
  // root of rounding away.
  const Real aside = is_on_round ? above + std::sqrt(kDepthTolerance<T>) * reference.size : 0;
  const Real exact_tolerance = 4 * tolerance + 4 * kUnitTolerance<PositionOf<T>> * place;
  const Real point_tolerance = exact_tolerance + aside;
  const std::size_t count = contact.points.size();
  if (count < 1 || count > (D == 2 ? 2 : 4)) text << "there are " << count << " points; ";
  const std::size_t least_count =
      least_point_count(a, b, n, static_cast<Real>(margin), 8 * exact_tolerance);
  bool lacks_points = count < least_count;
  if constexpr (D == 3) {
    const Real slack = exact_tolerance / 64;  // as `facing_point_count` judges what is outermost
    lacks_points = lacks_points && !has_joined_faces<SizeOf<T>>(a, n, slack) &&
                   !has_joined_faces<SizeOf<T>>(b, times(n, -1), slack);
  }
  if (lacks_points) {
    text << "there are " << count << " points, the shapes share " << least_count << "; ";
  }
  Real deepest = -1e300L;
  const Real support_a = a.kind == Kind::halfspace ? 0 : core_support(a, n);
  const Real support_b = b.kind == Kind::halfspace ? 0 : -core_support(b, times(n, -1));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "point " + std::to_string(i);
    const Real point_depth = contact.point_depths[i];
    deepest = std::max(deepest, point_depth);
    const Vec<D> core_a = plus(contact.points[i], n, -radius_of(a));
    const Vec<D> core_b = plus(contact.points[i], n, radius_of(b) - point_depth);
    const Real off_a = distance_to_core_surface(a, core_a);
    const Real off_b = distance_to_core_surface(b, core_b);
    if (!(off_a <= point_tolerance)) text << name << " is off A's surface by " << off_a << "; ";
    if (!(off_b <= point_tolerance)) {
      text << name << "'s partner is off B's surface by " << off_b << "; ";
    }
    if (point_depth > contact.depth) text << name << " is deeper than the pair; ";
    const bool is_support_a =
        a.kind == Kind::halfspace || dot(n, core_a) >= support_a - point_tolerance;
    const bool is_support_b =
        b.kind == Kind::halfspace || dot(n, core_b) <= support_b + point_tolerance;
    if (point_depth == contact.depth && !(is_support_a && is_support_b)) {
      text << name << " is as deep as the pair but not outermost on both; ";
    }
    if constexpr (D == 2) {
      if (!is_support_a && !is_support_b) text << name << " is on neither's outermost feature; ";
    } else {
      if (!is_support_a && !is_on_foremost(a, n, core_a, point_tolerance)) {
        text << name << " is not on A's foremost face; ";
      }
      if (!is_support_b && !is_on_foremost(b, times(n, -1), core_b, point_tolerance)) {
        text << name << " is not on B's foremost face; ";
      }
    }
    if (point_depth < -static_cast<Real>(margin) - tolerance) {
      text << name << " is beyond the margin; ";
    }
    const std::uint32_t feature = contact.features[i];
    const std::string problem_a = feature_problem<T>(a, feature >> 16, core_a, 4 * point_tolerance);
    if (!problem_a.empty()) text << name << ": A's feature " << problem_a << "; ";
    const std::string problem_b =
        feature_problem<T>(b, feature & 0xffff, core_b, 4 * point_tolerance);
    if (!problem_b.empty()) text << name << ": B's feature " << problem_b << "; ";
    if (i > 0 && contact.features[i - 1] >= feature) {
      text << name << "'s feature does not ascend; ";
    }
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint32_t other = contact.features[j];
      if (length(minus(contact.points[i], contact.points[j])) == 0 &&
          point_depth == contact.point_depths[j] &&
          (names_vertex(feature) || names_vertex(other)) &&
          is_one_place(a, feature >> 16, other >> 16) &&
          is_one_place(b, feature & 0xffff, other & 0xffff)) {
        text << name << " is there twice; ";
      }
    }
  }
  if (deepest != contact.depth) text << "no point has the pair's depth; ";
  return text.str();
}

template <int D, class T>
Expected expected_contact(const Reference<D>& reference, double margin) {
  const Real tolerance = kDepthTolerance<T> * (reference.size + static_cast<Real>(margin));
  if (reference.depth > tolerance - static_cast<Real>(margin)) return Expected::yes;
  if (reference.depth < -tolerance - static_cast<Real>(margin)) return Expected::no;
  return Expected::either;
}

namespace {

/// The answers to both questions for a list of pairs.
template <int D, class T>
struct Answers {
  ContactBuffer<D, T> contacts;
  std::vector<std::uint8_t> is_contact;

  Answers(const PairScene<D, T>& input, const CollideOptions& options, Workspace<D, T>& workspace)
      : is_contact(input.pairs.size(), 2) {
    CollideOptions with_same_starts = options;
    std::vector<WarmStart> starts(options.warm_starts.begin(), options.warm_starts.end());
    with_same_starts.warm_starts = starts;
    collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
    EXPECT_EQ(workspace.stats().isa, options.isa);
    test_pairs<D, T>(input.scene, input.pairs, is_contact, workspace, with_same_starts);
  }
};

CollideOptions pair_options(double margin, Isa isa, Method method) {
  CollideOptions options;
  options.margin = margin;
  options.order = Order::source;
  options.isa = isa;
  options.method = method;
  options.threads.count = 1;
  return options;
}

/// Contacts already found right at one margin, by pair, as bits.
using RightAnswers = std::vector<std::vector<std::uint64_t>>;

/// Checks every answer that is not in `right`, and adds those that are right. Reports at most five
/// wrong pairs.
template <int D, class T>
void check_answers(const std::vector<SolidPair<D>>& solids,
                   const std::vector<Reference<D>>& references, const std::vector<Pair>& pairs,
                   const CollideOptions& options, const Answers<D, T>& answers,
                   RightAnswers& right) {
  const ContactBuffer<D, T>& contacts = answers.contacts;
  right.resize(solids.size());
  int wrong_count = 0;
  std::size_t next = 0, open_count = 0;
  for (std::size_t i = 0; i < solids.size() && wrong_count < 5; ++i) {
    const Solid<D>& a = solids[i].a;
    const Solid<D>& b = solids[i].b;
    std::string problem;
    const bool is_reported =
        next < contacts.size() && contacts.source[next] == static_cast<std::int64_t>(i);
    const Expected expected = expected_contact<D, T>(references[i], options.margin);
    if (is_reported && expected == Expected::no) problem += "reported, but apart; ";
    if (!is_reported && expected == Expected::yes) problem += "not reported; ";
    if (answers.is_contact[i] != (is_reported ? 1 : 0)) {
      problem += "test_pairs says " + std::to_string(answers.is_contact[i]) + "; ";
    }
    std::string answer;
    if (is_reported) {
      if (contacts.pair[next] != pairs[i]) problem += "another pair is named; ";
      std::vector<std::uint64_t> bits = answer_bits(contacts, next);
      if (bits != right[i]) {
        const Contact<D, T> contact = contact_at(contacts, next);
        const std::string wrong =
            contact_problem<D, T>(a, b, references[i], options.margin, contact);
        if (wrong.empty()) right[i] = std::move(bits);
        problem += wrong;
        if (!problem.empty()) answer = "\n  " + describe(contact);
      }
      if (contacts.status[next] == 2) ++open_count;
      ++next;
    }
    if (problem.empty()) continue;
    ++wrong_count;
    ADD_FAILURE() << isa_name(options.isa) << (options.method == Method::gjk_epa ? " gjk_epa" : "")
                  << ", pair " << i << ", margin " << options.margin << ": " << problem << "\n  A "
                  << describe(a) << "\n  B " << describe(b) << "\n  least depth "
                  << static_cast<double>(references[i].depth) << answer;
  }
  if (wrong_count == 0) {
    EXPECT_EQ(next, contacts.size());
  }
  EXPECT_LE(open_count, most_open(contacts.size()))
      << "of " << contacts.size() << " contacts with status 2, " << isa_name(options.isa)
      << (options.method == Method::gjk_epa ? " gjk_epa" : "");
}

}  // namespace

template <int D, class T>
void check_pairs(const std::vector<SolidPair<D>>& solids,
                 const std::vector<Reference<D>>& references, double margin, Isa isa, Method method,
                 std::span<WarmStart> warm_starts) {
  const PairScene<D, T> input(solids);
  Workspace<D, T> workspace;
  CollideOptions options = pair_options(margin, isa, method);
  options.warm_starts = warm_starts;
  const Answers<D, T> answers(input, options, workspace);
  RightAnswers right;
  check_answers(solids, references, input.pairs, options, answers, right);
}

template <int D, class T>
void check_pairs_everywhere(std::vector<SolidPair<D>> solids,
                            std::initializer_list<double> margins) {
  std::vector<Reference<D>> references;
  for (SolidPair<D>& pair : solids) {
    pair.a = stored<T>(pair.a);
    pair.b = stored<T>(pair.b);
    references.push_back(reference_of(pair.a, pair.b));
  }
  const PairScene<D, T> input(solids);
  Workspace<D, T> workspace;
  const std::vector<Isa> isas = usable_isas();
  for (const double margin : margins) {
    RightAnswers right;
    for (const Method method : kMethods) {
      CollideOptions options = pair_options(margin, isas[0], method);
      const Answers<D, T> answers(input, options, workspace);
      check_answers(solids, references, input.pairs, options, answers, right);
      for (std::size_t i = 1; i < isas.size(); ++i) {
        options.isa = isas[i];
        const Answers<D, T> others(input, options, workspace);
        EXPECT_TRUE(same_contacts(answers.contacts, others.contacts)) << isa_name(isas[i]);
        EXPECT_EQ(answers.is_contact, others.is_contact) << isa_name(isas[i]);
      }
      if (method != Method::automatic) continue;
      const Answers<D, T> by_axes(input, pair_options(margin, isas[0], Method::sat), workspace);
      EXPECT_TRUE(same_contacts(answers.contacts, by_axes.contacts)) << "sat";
      EXPECT_EQ(answers.is_contact, by_axes.is_contact) << "sat";
    }
  }
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                            \
  template Contact<D, T> contact_at<D, T>(const ContactBuffer<D, T>& contacts, std::size_t i); \
  template std::string describe<D, T>(const Contact<D, T>& contact);                           \
  template std::string feature_problem<T, D>(const Solid<D>& solid, std::uint32_t half,        \
                                             const Vec<D>& core_point, Real tolerance);        \
  template std::string contact_problem<D, T>(const Solid<D>& a, const Solid<D>& b,             \
                                             const Reference<D>& reference, double margin,     \
                                             const Contact<D, T>& contact);                    \
  template Expected expected_contact<D, T>(const Reference<D>& reference, double margin);      \
  template void check_pairs<D, T>(const std::vector<SolidPair<D>>& solids,                     \
                                  const std::vector<Reference<D>>& references, double margin,  \
                                  Isa isa, Method method, std::span<WarmStart> warm_starts);   \
  template void check_pairs_everywhere<D, T>(std::vector<SolidPair<D>> solids,                 \
                                             std::initializer_list<double> margins)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(2, Mixed);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
WIDEPHASE_INSTANTIATE(3, Mixed);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(D)                                                                   \
  template std::size_t least_point_count<D>(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n, \
                                            Real margin, Real tolerance)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
