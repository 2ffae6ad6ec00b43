#include "support/owner_contacts.hpp"

namespace widephase::test {

std::vector<Axis> axes_of(const PlacedPart& a, const PlacedPart& b) {
  std::vector<Axis> axes;
  for (const bool is_a : {true, false}) {
    const PlacedPart& own = is_a ? a : b;
    const PlacedPart& other = is_a ? b : a;
    for (std::size_t edge = 0; edge < own.corners.size(); ++edge) {
      const Vec<2>& normal = own.normals[edge];
      Real least = std::numeric_limits<Real>::max();
      for (const Vec<2>& corner : other.corners) {
        least = std::min(least, dot(normal, minus(corner, own.corners[edge])));
      }
      axes.push_back({times(normal, is_a ? 1 : -1), least, !own.is_inner[edge]});
    }
  }
  return axes;
}

namespace {

/// The shortest vector from A to B, for parts that do not overlap.
Vec<2> gap_of(const PlacedPart& a, const PlacedPart& b) {
  Vec<2> least = minus(b.corners[0], a.corners[0]);
  const auto consider = [&](const Vec<2>& vector) {
    if (dot(vector, vector) < dot(least, least)) least = vector;
  };
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    for (std::size_t j = 0; j < b.corners.size(); ++j) {
      consider(to_segment(a.corners[i], b.corners[j], next_corner(b.corners, j)));
      consider(times(to_segment(b.corners[j], a.corners[i], next_corner(a.corners, i)), -1));
    }
  }
  return least;
}

/// Whether a direction is between the normals of two edges that meet. Neither may be an inner edge
/// unless `may_be_inner`.
bool is_in_a_cone(const PlacedPart& part, const Vec<2>& direction, Real tolerance,
                  bool may_be_inner) {
  const std::size_t count = part.corners.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t before = (i + count - 1) % count;
    if (!may_be_inner && (part.is_inner[i] || part.is_inner[before])) continue;
    const Vec<2>&from = part.normals[before], &to = part.normals[i];
    // Cones are narrower than half a turn.
    if (cross(from, direction) >= -tolerance && cross(direction, to) >= -tolerance &&
        dot(plus(from, to), direction) > 0) {
      return true;
    }
  }
  return false;
}

/// The numbers of a contact, as doubles.
struct PartContact {
  Vec<2> normal;
  Real depth;
  int status;
};

/// The effect of rounding: lengths in the units of the pair, directions in radians.
struct Slack {
  Real length;
  Real angle;
};

/// What is wrong with the contact of two parts of different owners; empty if nothing is.
std::string part_contact_problem(const PlacedPart& a, const PlacedPart& b,
                                 const PartContact& contact, const Slack& slack, PartTally& tally) {
  const std::vector<Axis> axes = axes_of(a, b);
  constexpr Real kNone = -std::numeric_limits<Real>::max();
  Real of_all = kNone, of_outline = kNone;
  for (const Axis& axis : axes) {
    of_all = std::max(of_all, axis.separation);
    if (axis.is_outline) of_outline = std::max(of_outline, axis.separation);
  }
  const bool has_outline = of_outline > kNone;
  const Real felt = has_outline ? of_outline : of_all;
  const auto is_near = [&](Real u, Real v) { return std::abs(u - v) <= slack.length; };
  const auto is_along = [&](const Vec<2>& u, Real tolerance) {
    return length(minus(u, contact.normal)) <= tolerance;
  };
  if (std::abs(length(contact.normal) - 1) > slack.angle) return "its normal is no unit vector";

  const Vec<2> gap = of_all > 0 ? gap_of(a, b) : Vec<2>{0, 0};
  const Real distance = length(gap);
  const bool is_apart = of_all > slack.length, is_together = of_all < -slack.length;
  if (is_together && !is_near(contact.depth, -felt)) {
    return "its depth should be " + std::to_string(static_cast<double>(-felt)) + ", over all " +
           "edges " + std::to_string(static_cast<double>(-of_all));
  }
  if (is_apart && !is_near(contact.depth, -distance)) {
    return "its depth should be " + std::to_string(static_cast<double>(-distance));
  }
  // If they touch to within rounding, both depths are right.
  if (!is_apart && !is_together && !is_near(contact.depth, -felt) &&
      !is_near(contact.depth, -distance)) {
    return "its depth is neither that of touching nor that of overlapping parts";
  }

  bool is_an_axis = false;
  bool is_one_way = true;
  const Axis* best = nullptr;
  for (const Axis& axis : axes) {
    if (has_outline && !axis.is_outline) continue;
    if (best == nullptr || axis.separation > best->separation) best = &axis;
    is_an_axis =
        is_an_axis || (is_near(axis.separation, felt) && is_along(axis.normal, slack.angle));
  }
  for (const Axis& axis : axes) {
    if (has_outline && !axis.is_outline) continue;
    // Edges that face each other count as one direction, unless their angle is a rounding or more.
    is_one_way = is_one_way && (!is_near(axis.separation, felt) ||
                                length(minus(axis.normal, best->normal)) <= slack.angle / 16);
  }
  bool is_corner = false;
  if (!is_an_axis && !is_together) {
    const Real angle = slack.angle + slack.length / std::max(distance, slack.length);
    is_corner = is_along(times(gap, 1 / distance), 2 * angle) &&
                is_in_a_cone(a, contact.normal, 2 * angle, !has_outline) &&
                is_in_a_cone(b, times(contact.normal, -1), 2 * angle, !has_outline);
  }
  if (!is_an_axis && !is_corner) {
    return contact.status == 0 ? "its normal is none of the outlines', with status 0"
                               : "its normal is none of the outlines'";
  }

  if (contact.status > 1) return "its status is 2";
  if (!has_outline && contact.status != 1) return "its status is 0, without an outline edge";
  if (has_outline && is_one_way && contact.status != 0) return "its status is 1, with one way out";

  tally.together += is_together;
  tally.over_inner += is_together && has_outline && of_all > of_outline + slack.length;
  tally.apart += is_apart;
  tally.corner += is_corner;
  tally.inner_only += !has_outline;
  tally.ties += has_outline && contact.status == 1;
  return "";
}

}  // namespace

template <class T>
OwnerScene<T>::OwnerScene(const std::vector<CutOutline>& outlines,
                          const std::vector<OwnerPair>& pairs) {
  auto& geometries = scene.geometries;
  geometries.offsets.push_back({0});
  std::vector<std::int32_t> first;
  for (const CutOutline& cut : outlines) {
    first.push_back(static_cast<std::int32_t>(geometries.offsets.size() - 1));
    for (std::size_t i = 0; i < cut.parts.vertices.size(); ++i) {
      geometries.vertices.push_back(
          {static_cast<T>(cut.parts.vertices(i, 0)), static_cast<T>(cut.parts.vertices(i, 1))});
      geometries.inner.push_back({cut.parts.inner[i]});
    }
    const std::int64_t base = geometries.offsets[geometries.offsets.size() - 1];
    for (std::size_t part = 1; part < cut.parts.offsets.size(); ++part) {
      geometries.offsets.push_back({base + cut.parts.offsets[part]});
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (const bool is_b : {false, true}) {
      const OutlineAt& at = is_b ? pairs[i].b : pairs[i].a;
      const std::size_t part_count = outlines[at.outline].parts.offsets.size() - 1;
      for (std::size_t part = 0; part < part_count; ++part) {
        scene.polygons.center.push_back(
            {static_cast<T>(at.center[0]), static_cast<T>(at.center[1])});
        scene.polygons.turn.push_back({static_cast<T>(at.turn)});
        scene.polygons.geometry.push_back({first[at.outline] + static_cast<std::int32_t>(part)});
        scene.polygons.owner.push_back({is_b ? 1 : 0});
        scene.polygons.world.push_back({static_cast<std::int32_t>(i)});
        rows.push_back({i, is_b, part});
      }
    }
  }
}

template <class T>
std::string owner_contacts_problem(const std::vector<CutOutline>& outlines,
                                   const std::vector<OwnerPair>& pairs, double margin,
                                   OwnerTally& tally) {
  const OwnerScene<T> input(outlines, pairs);
  ContactBuffer<2, T> touching, contacts;
  Workspace<2, T> workspace;
  CollideOptions options;
  collide<2, T>(input.scene, touching, workspace, options);
  options.margin = margin;
  options.order = Order::world;
  collide<2, T>(input.scene, contacts, workspace, options);

  std::vector<bool> are_touching(pairs.size(), false);
  for (std::size_t i = 0; i < touching.size(); ++i) {
    are_touching[input.rows[static_cast<std::size_t>(touching.pair[i].a)].pair] = true;
  }
  for (std::size_t at = 0, pair = 0; pair < pairs.size(); ++pair) {
    const auto told = [&](const std::string& problem) {
      std::ostringstream text;
      text.precision(17);
      for (const OutlineAt* one : {&pairs[pair].a, &pairs[pair].b}) {
        text << outlines[one->outline].name << " at (" << one->center[0] << ", " << one->center[1]
             << ") turned by " << one->turn << "; ";
      }
      text << problem;
      return text.str();
    };
    const Point<2>& origin = pairs[pair].a.center;
    const PlacedOutline a(outlines[pairs[pair].a.outline], pairs[pair].a, origin);
    const PlacedOutline b(outlines[pairs[pair].b.outline], pairs[pair].b, origin);
    const Real size = a.reach + b.reach +
                      length(minus(widened(pairs[pair].b.center), widened(pairs[pair].a.center)));
    const Real epsilon = std::numeric_limits<T>::epsilon();
    const Slack slack{8 * epsilon * size, 16 * epsilon};

    std::vector<bool> was_told(a.parts.size() * b.parts.size(), false);
    Real deepest = -std::numeric_limits<Real>::max();
    for (; at < contacts.size(); ++at) {
      const auto& row_a = input.rows[static_cast<std::size_t>(contacts.pair[at].a)];
      const auto& row_b = input.rows[static_cast<std::size_t>(contacts.pair[at].b)];
      if (row_a.pair != pair) break;
      if (row_b.pair != pair) return told("parts of two worlds meet");
      if (row_a.is_b == row_b.is_b) return told("two parts of one owner meet");
      const PartContact contact{{contacts.normal(at, 0), contacts.normal(at, 1)},
                                contacts.depth[at],
                                contacts.status[at]};
      const std::string problem =
          part_contact_problem(a.parts[row_a.part], b.parts[row_b.part], contact, slack, tally);
      if (!problem.empty()) {
        std::ostringstream text;
        text.precision(17);
        text << "the contact of parts " << row_a.part << " and " << row_b.part << ", normal ("
             << contact.normal[0] << ", " << contact.normal[1] << "), depth " << contact.depth
             << ": " << problem;
        return told(text.str());
      }
      deepest = std::max(deepest, contact.depth);
      was_told[row_a.part * b.parts.size() + row_b.part] = true;
    }
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
      for (std::size_t j = 0; j < b.parts.size(); ++j) {
        if (was_told[i * b.parts.size() + j]) continue;
        if (!a.parts[i].is_within(b.parts[j], margin)) continue;
        Real parted = -std::numeric_limits<Real>::max();
        for (const Axis& axis : axes_of(a.parts[i], b.parts[j])) {
          parted = std::max(parted, axis.separation);
        }
        if (parted > margin - slack.length) continue;
        if (parted > 0 && length(gap_of(a.parts[i], b.parts[j])) > margin - slack.length) continue;
        return told("parts " + std::to_string(i) + " and " + std::to_string(j) +
                    " have no contact");
      }
    }

    const Meeting meeting = meeting_of(a, b, slack.length);
    ++tally.meetings[static_cast<int>(meeting)];
    if (meeting != Meeting::unclear && are_touching[pair] != (meeting == Meeting::together)) {
      return told(are_touching[pair] ? "they are apart and have a contact"
                                     : "they touch and have no contact");
    }
    if (meeting == Meeting::unclear && deepest < -2 * slack.length) {
      return told("they nearly touch and have no contact within the margin");
    }
    if (are_touching[pair] != (deepest >= 0)) return told("the margin makes another contact");
  }
  return "";
}

#define WIDEPHASE_INSTANTIATE(T)                                                          \
  template struct OwnerScene<T>;                                                          \
  template std::string owner_contacts_problem<T>(const std::vector<CutOutline>& outlines, \
                                                 const std::vector<OwnerPair>& pairs,     \
                                                 double margin, OwnerTally& tally)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
