#pragma once

// Makes very many random pairs of two kinds in 3D, collides them in both orders, and judges them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "support/generate.hpp"
#include "support/judge3.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// Two kinds. Hulls have `corners` corners or half as many.
struct ManyPairs {
  Kind a;
  Kind b;
  int corners = 0;
};

inline std::string name_of(const ManyPairs& pairs) {
  std::string name = std::string(kind_name(pairs.a, 3)) + "_" + std::string(kind_name(pairs.b, 3));
  if (pairs.corners != 0) name += "_of_" + std::to_string(pairs.corners) + "_corners";
  return name;
}
inline void PrintTo(const ManyPairs& pairs, std::ostream* out) { *out << name_of(pairs); }

/// Hulls that many shapes share: 64 of every size, fewer in runs of less than a tenth, one in eight
/// a prism.
template <class T>
struct HullLibrary {
  GeometryTable<Owned<3, SizeOf<T>>> table;
  std::vector<FastPolytope> polytopes;

  HullLibrary() = default;
  explicit HullLibrary(int corners) {
    Random random(static_cast<std::uint64_t>(corners));
    const std::size_t each = std::min<std::size_t>(64, scaled(640, 9));
    for (const int count : {corners / 2, corners}) {
      for (std::size_t i = 0; i < each; ++i) add(vertices(random, count, i % 8 == 0));
    }
  }

  /// The row of a geometry with these vertices, which is added if it is new.
  std::int32_t row_of(const std::vector<Point<3>>& points) {
    const auto [known, is_new] =
        rows_.emplace(points_key(points), static_cast<std::int32_t>(polytopes.size()));
    if (is_new) add(points);
    return known->second;
  }

 private:
  std::map<std::vector<double>, std::int32_t> rows_;

  static std::vector<double> points_key(const std::vector<Point<3>>& points) {
    std::vector<double> key;
    for (const Point<3>& point : points) key.insert(key.end(), point.begin(), point.end());
    return key;
  }
  static std::vector<Point<3>> vertices(Random& random, int count, bool is_prism) {
    const double size = random.uniform(0.3, 1);
    if (is_prism) return prism(regular(count / 2, size), size * random.uniform(0.1, 1));
    const Point<3> axes = random.point<3>(0.2, 1);
    std::vector<Point<3>> points;
    for (int i = 0; i < count; ++i) {
      Point<3> point = random.direction<3>();
      for (int k = 0; k < 3; ++k) point[k] *= size * axes[k];
      points.push_back(point);
    }
    return points;
  }
  void add(const std::vector<Point<3>>& points) {
    const Column<SizeOf<T>, 3> column = points_column<SizeOf<T>>(points);
    add_hull(table, column.span());
    std::vector<Point<3>> kept;
    for (auto i = static_cast<std::size_t>(table.offsets[table.offsets.size() - 2]);
         i < table.vertices.size(); ++i) {
      kept.push_back({static_cast<double>(table.vertices(i, 0)),
                      static_cast<double>(table.vertices(i, 1)),
                      static_cast<double>(table.vertices(i, 2))});
    }
    polytopes.push_back(fast_polytope(kept));
    const FastPolytope& last = polytopes.back();
    EXPECT_EQ(last.corners.size() + last.faces.size(), last.edges.size() + 2);
  }
};

template <class T>
const HullLibrary<T>& hull_library(int corners);

/// A row of a scene, as stored.
template <class T>
FastShape fast_shape(const SceneColumns<3, T>& scene, Kind kind, std::size_t row,
                     const std::vector<FastPolytope>& polytopes);

/// Counted as a fault; whether a few are allowed is for the test to say.
inline constexpr const char* kOpenName = "status 2";

/// Results by fault, with texts of the first few of each.
struct ManyTally {
  std::size_t pairs = 0, contacts = 0, overlapping_cores = 0, second_looks = 0;
  std::array<std::size_t, 3> statuses{};
  double worst = 0;  ///< the largest error, in tolerances
  std::map<std::string, std::size_t> faults;
  std::map<std::string, std::string> texts;

  template <class Describe>
  void add(const std::string& fault, Describe&& describe_pair) {
    if (++faults[fault] <= 3) texts[fault] += describe_pair();
  }
  std::string text() const {
    std::ostringstream out;
    for (const auto& [fault, count] : faults) {
      out << count << " of " << pairs << ": " << fault << texts.at(fault) << "\n";
    }
    return out.str();
  }
};

template <class T>
class ManyPairsRun {
 public:
  ManyPairsRun(const ManyPairs& kinds, double margin, std::uint64_t seed,
               Method method = Method::automatic)
      : kinds_(kinds), random_(seed), margin_(margin) {
    options_.order = Order::source;
    options_.method = method;
    options_.threads.count = 1;
    if (kinds.corners != 0) library_ = &hull_library<T>(kinds.corners);
  }

  virtual ~ManyPairsRun() = default;

  ManyTally run(std::size_t count) {
    constexpr std::size_t kChunk = 1 << 15;
    for (std::size_t begin = 0; begin < count; begin += kChunk) {
      make(std::min(kChunk, count - begin));
      collide();
      judge();
    }
    return tally_;
  }

  /// Here: sizes are equal or differ by up to a factor of 10; positions range from concentric to
  /// apart.
  virtual void make(std::size_t count) {
    scene_ = {};
    if (library_ != nullptr) scene_.geometries = library_->table;
    std::vector<std::array<std::int32_t, 2>> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const double size = random_.chance(0.7) ? 1 : std::pow(10, random_.uniform(-1, 1));
      const Point<3> center = random_.template point<3>(-2, 2);
      Point<3> other = random_.template direction<3>();
      const double distance = random_.uniform(0, 1.3) * (1 + size);
      for (int k = 0; k < 3; ++k) other[k] = center[k] + distance * other[k];
      rows.push_back({add(kinds_.a, center, 1), add(kinds_.b, other, size)});
    }
    name_pairs(rows);
  }
  const std::vector<Pair>& pairs() const { return pairs_; }
  FastShape shape(std::int32_t id) const {
    return fast_shape(scene_, layout_.kind_of(id), static_cast<std::size_t>(layout_.row(id)),
                      polytopes());
  }
  Solid<3> solid(std::int32_t id) const { return solid_of(scene_, id); }
  std::string describe_pair(const Pair& pair) const {
    const Solid<3> a = solid(pair.a), b = solid(pair.b);
    std::ostringstream out;
    out.precision(12);
    out << "\n    A " << describe(a) << "\n    B " << describe(b) << "\n    least depth "
        << static_cast<double>(reference_of(a, b).depth);
    return out.str();
  }

  /// Pairs without a contact are asked again with a margin that includes all: that answer proves
  /// that they are apart.
  void collide() {
    update_bounds<3, T>(scene_, workspace_, options_);
    const auto find = [&](const std::vector<Pair>& pairs, double margin,
                          ContactBuffer<3, T>& contacts) {
      options_.margin = margin;
      find_contacts<3, T>(scene_, pairs, contacts, workspace_, options_);
    };
    find(pairs_, margin_, contacts_);
    find(swapped_, margin_, mirrored_);
    missed_.clear();
    std::size_t next = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (next < contacts_.size() && contacts_.source[next] == static_cast<std::int64_t>(i)) {
        ++next;
        continue;
      }
      missed_.push_back(pairs_[i]);
    }
    find(missed_, far_margin_, far_);
  }

  static double tolerance_of(const FastShape& a, const FastShape& b) {
    return static_cast<double>(kDepthTolerance<T>) * Judge::size_of(a, b);
  }
  Verdict verdict_of(const FastShape& a, const FastShape& b, const FastAnswer& answer) {
    const double unit = 4 * static_cast<double>(kUnitTolerance<T>);
    const double place = 4 * static_cast<double>(kUnitTolerance<PositionOf<T>>);
    return judge_(a, b, answer, tolerance_of(a, b), unit, place * length(answer.point));
  }
  static FastAnswer answer_at(const ContactBuffer<3, T>& contacts, std::size_t i) {
    FastAnswer answer;
    answer.normal = {contacts.normal(i, 0), contacts.normal(i, 1), contacts.normal(i, 2)};
    answer.depth = contacts.depth[i];
    auto row = static_cast<std::size_t>(contacts.offset[i]);
    const auto end = static_cast<std::size_t>(contacts.offset[i + 1]);
    while (row + 1 < end && !(contacts.point_depth[row] == contacts.depth[i])) ++row;
    answer.point = {contacts.point(row, 0), contacts.point(row, 1), contacts.point(row, 2)};
    answer.point_depth = contacts.point_depth[row];
    return answer;
  }
  /// With status 2 a translation that is a little shorter than the answer's is not a fault.
  static bool is_said(int status, const Verdict& verdict, double error, const FastShape& a,
                      const FastShape& b) {
    const bool is_longer = verdict.fault == Fault::beaten || verdict.fault == Fault::unproven;
    const double above = static_cast<double>(kOpenTolerance) * Judge::size_of(a, b);
    return status == 2 && is_longer && error <= tolerance_of(a, b) + above;
  }
  const ContactBuffer<3, T>& contacts() const { return contacts_; }

 protected:
  /// Takes the rows of both shapes of each pair; every other pair is named the other way round.
  void name_pairs(const std::vector<std::array<std::int32_t, 2>>& rows) {
    layout_ = layout_of(scene_);
    pairs_.clear();
    swapped_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Pair pair{layout_.id(kinds_.a, rows[i][0]), layout_.id(kinds_.b, rows[i][1])};
      if (i % 2 != 0) std::swap(pair.a, pair.b);
      pairs_.push_back(pair);
      swapped_.push_back({pair.b, pair.a});
    }
  }

  ManyPairs kinds_;
  Random random_;
  double far_margin_ = 1000;
  SceneColumns<3, T> scene_;
  const HullLibrary<T>* library_ = nullptr;

 private:
  std::int32_t add(Kind kind, const Point<3>& center, double size) {
    if (kind != Kind::hull) return append(scene_, random_solid<3>(random_, kind, center, size));
    const Quaternion turn = random_orientation(random_);
    const auto cast = [](double value) { return static_cast<SizeOf<T>>(value); };
    auto& hulls = scene_.hulls;
    hulls.center.push_back(as_row<3, PositionOf<T>>(center));
    hulls.turn.push_back({cast(turn[0]), cast(turn[1]), cast(turn[2]), cast(turn[3])});
    const int last = static_cast<int>(library_->polytopes.size()) - 1;
    hulls.geometry.push_back({random_.integer(0, last)});
    hulls.radius.push_back({cast(random_.chance(0.5) ? 0 : size * random_.uniform(0, 0.4))});
    return static_cast<std::int32_t>(hulls.radius.size() - 1);
  }

  void judge() {
    tally_.pairs += pairs_.size();
    tally_.contacts += contacts_.size();
    const double margin = margin_;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      judge(contacts_, i);
      if (!(contacts_.depth[i] >= static_cast<SizeOf<T>>(-margin))) {
        tally_.add("reported beyond the margin", [&] { return text(contacts_, i); });
      }
    }
    if (mirrored_.size() != contacts_.size()) {
      tally_.add("named the other way round, other pairs meet", [] { return std::string(); });
    }
    for (std::size_t i = 0; i < std::min(contacts_.size(), mirrored_.size()); ++i) {
      if (contacts_.source[i] == mirrored_.source[i] && is_mirror(i)) continue;
      tally_.add("named the other way round, no mirror image",
                 [&] { return text(contacts_, i) + "\n    swapped:" + text(mirrored_, i); });
    }
    if (far_.size() != missed_.size()) {
      tally_.add("no answer within a margin that includes all", [&] {
        std::size_t i = 0;
        while (i < far_.size() && far_.source[i] == static_cast<std::int64_t>(i)) ++i;
        return describe_pair(missed_[i]);
      });
    }
    for (std::size_t i = 0; i < far_.size(); ++i) {
      const double tolerance = judge(far_, i);
      if (!(far_.depth[i] <= tolerance - margin)) {
        tally_.add("not reported within the margin", [&] { return text(far_, i); });
      }
    }
  }

  const std::vector<FastPolytope>& polytopes() const {
    static const std::vector<FastPolytope> none;
    return library_ == nullptr ? none : library_->polytopes;
  }

  /// Judges one contact and returns the tolerance of its depth.
  double judge(const ContactBuffer<3, T>& contacts, std::size_t i) {
    const FastShape a = shape(contacts.pair[i].a), b = shape(contacts.pair[i].b);
    const FastAnswer answer = answer_at(contacts, i);
    const double tolerance = tolerance_of(a, b);
    Verdict verdict = verdict_of(a, b, answer);
    const bool is_over_plane = a.kind == Kind::halfspace || b.kind == Kind::halfspace;
    if (verdict.fault == Fault::points_farther || verdict.fault == Fault::unproven ||
        (is_over_plane && verdict.fault == Fault::other_depth_along_normal)) {
      // The points may be off by more than the depth, too far to prove it; the search came to no
      // end; or a point is so near to a plane that doubles cannot tell. The slow reference can.
      ++tally_.second_looks;
      const auto exact = reference_of(solid(contacts.pair[i].a), solid(contacts.pair[i].b));
      if (std::abs(answer.depth - static_cast<double>(exact.depth)) <= tolerance) {
        verdict = {};
      } else if (verdict.fault == Fault::unproven &&
                 answer.depth < static_cast<double>(exact.depth)) {
        // The answer's own direction beats the reference, so it has missed the least one too.
        const double radius = a.radius + b.radius;
        verdict = judge_.least_direction(a, b, answer.depth - radius, tolerance, true);
        verdict.number += radius;
      } else {
        verdict.number = static_cast<double>(exact.depth);
      }
    }
    if (answer.depth > a.radius + b.radius) ++tally_.overlapping_cores;
    ++tally_.statuses[std::min<std::size_t>(contacts.status[i], 2)];
    if (verdict.fault != Fault::none) {
      const bool is_length = verdict.fault == Fault::point_outside;
      const double error = is_length ? verdict.number : std::abs(verdict.number - answer.depth);
      tally_.worst = std::max(tally_.worst, error / tolerance);
      if (!is_said(contacts.status[i], verdict, error, a, b)) {
        tally_.add(kFaultNames[static_cast<std::size_t>(verdict.fault)], [&] {
          std::ostringstream out;
          out.precision(12);
          out << ": " << verdict.number << ", tolerance " << tolerance;
          return "\n   " + out.str() + text(contacts, i);
        });
      }
    }
    if (contacts.status[i] > 1) tally_.add(kOpenName, [&] { return text(contacts, i); });
    return tolerance;
  }

  /// Whether contact i is in both lists, as mirror images bit by bit. The contact in the order of
  /// ids comes first: the points of the other are the partners of its points.
  bool is_mirror(std::size_t i) const {
    // Where a kernel takes the higher kind first, that one does.
    const bool is_halfspace = layout_.kind_of(contacts_.pair[i].a) == Kind::halfspace;
    const bool has_halfspace =
        is_halfspace || layout_.kind_of(contacts_.pair[i].b) == Kind::halfspace;
    const bool is_ordered =
        has_halfspace ? !is_halfspace : contacts_.pair[i].a < contacts_.pair[i].b;
    const ContactBuffer<3, T>& first = is_ordered ? contacts_ : mirrored_;
    const ContactBuffer<3, T>& second = is_ordered ? mirrored_ : contacts_;
    bool same =
        bits(first.depth[i]) == bits(second.depth[i]) && first.status[i] == second.status[i];
    for (int k = 0; k < 3; ++k) {
      // 0 - x, because a zero of a normal never has a sign.
      same = same && bits(SizeOf<T>(0) - first.normal(i, k)) == bits(second.normal(i, k));
    }
    const auto begin = static_cast<std::size_t>(first.offset[i]);
    const auto end = static_cast<std::size_t>(first.offset[i + 1]);
    const auto other_begin = static_cast<std::size_t>(second.offset[i]);
    const auto other_end = static_cast<std::size_t>(second.offset[i + 1]);
    same = same && end - begin == other_end - other_begin;
    for (std::size_t row = begin; row < end && same; ++row) {
      const std::uint32_t feature = first.feature[row] << 16 | first.feature[row] >> 16;
      std::size_t other = other_begin;
      while (other < other_end && second.feature[other] != feature) ++other;
      if (other == other_end) return false;
      same = bits(first.point_depth[row]) == bits(second.point_depth[other]);
      for (int k = 0; k < 3; ++k) {
        using Position = PositionOf<T>;
        const Position step = Position(first.point_depth[row]) * Position(first.normal(i, k));
        const Position partner = first.point(row, k) - step;
        same = same && bits(partner) == bits(second.point(other, k));
      }
    }
    return same;
  }
  template <class Number>
  static std::uint64_t bits(Number value) {
    std::uint64_t result = 0;
    std::memcpy(&result, &value, sizeof(value));
    return result;
  }

  std::string text(const ContactBuffer<3, T>& contacts, std::size_t i) const {
    return describe_pair(contacts.pair[i]) + "\n    reported " + describe(contact_at(contacts, i));
  }

  double margin_;
  CollideOptions options_;
  SceneLayout layout_;
  std::vector<Pair> pairs_, swapped_, missed_;
  ContactBuffer<3, T> contacts_, mirrored_, far_;
  Workspace<3, T> workspace_;
  Judge judge_;
  ManyTally tally_;
};
extern template class ManyPairsRun<float>;
extern template class ManyPairsRun<double>;
extern template class ManyPairsRun<Mixed>;

}  // namespace widephase::test
