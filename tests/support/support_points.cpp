#include "support/support_points.hpp"

#include "support/features3.hpp"

namespace widephase::test {

namespace {

/// A scene of the shapes, and the questions in the form that a caller uses.
template <int D, class T>
struct Questions {
  SceneColumns<D, T> scene;
  std::vector<Solid<D>> solids;  ///< as stored in `T`
  std::vector<std::int32_t> ids;
  Column<T, D> direction;

  explicit Questions(const std::vector<Question<D>>& questions) {
    std::vector<std::int32_t> rows;
    for (const auto& [solid, along] : questions) {
      solids.push_back(stored<T>(solid));
      rows.push_back(append(scene, solids.back()));
      direction.push_back(as_row<D, T>(along));
    }
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ids.push_back(layout.id(solids[i].kind, rows[i]));
    }
  }
};

template <int D, class T>
SupportBuffer<D, T> ask_support(const SceneColumns<D, T>& scene, std::span<const std::int32_t> ids,
                                const ColumnSpan<T, D>& direction, Isa isa,
                                Workspace<D, T>& workspace) {
  SupportBuffer<D, T> answers;
  CollideOptions options;
  options.isa = isa;
  support_points<D, T>(scene, ids, direction, answers, workspace, options);
  return answers;
}

template <int D, class T>
SupportBuffer<D, T> ask_support(const SceneColumns<D, T>& scene, std::span<const std::int32_t> ids,
                                const ColumnSpan<T, D>& direction, Isa isa = Isa::widest) {
  Workspace<D, T> workspace;
  return ask_support<D, T>(scene, ids, direction, isa, workspace);
}

}  // namespace

template <int D, class T>
::testing::AssertionResult same_rows(const SupportBuffer<D, T>& left,
                                     const SupportBuffer<D, T>& right) {
  if (left.point.size() != right.point.size() || left.feature.size() != right.feature.size()) {
    return ::testing::AssertionFailure() << "the counts differ";
  }
  for (std::size_t i = 0; i < left.point.size(); ++i) {
    if (row_bits(left, i) != row_bits(right, i)) {
      return ::testing::AssertionFailure() << "row " << i << " differs";
    }
  }
  return ::testing::AssertionSuccess();
}

template <int D>
Real place_of(const Solid<D>& solid) {
  Real place = 0;
  for (const double value : solid.p) place = std::max<Real>(place, std::abs(value));
  for (const double value : solid.q) place = std::max<Real>(place, std::abs(value));
  return place;
}

namespace {

/// The vertices in the order of their feature numbers; not for round cores.
template <int D>
std::vector<Vec<D>> numbered_vertices(const Solid<D>& solid) {
  std::vector<Vec<D>> vertices;
  const auto turned = [&](const Vec<D>& local) {
    if constexpr (D == 2) {
      return turned_by(solid.angle, local);
    } else {
      const auto axes = axes_of(solid.orientation);
      return plus(plus(times(axes[0], local[0]), axes[1], local[1]), axes[2], local[2]);
    }
  };
  switch (solid.kind) {
    case Kind::sphere:
      return {widened(solid.p)};
    case Kind::capsule:
      return {widened(solid.p), widened(solid.q)};
    case Kind::polygon:
    case Kind::hull:
      for (const Point<D>& v : solid.vertices) {
        vertices.push_back(plus(widened(solid.p), turned(widened(v))));
      }
      return vertices;
    case Kind::aabb:
    case Kind::box:
      break;
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return vertices;  // have no vertices
  }
  for (int i = 0; i < 1 << D; ++i) {
    Vec<D> corner;
    for (int k = 0; k < D; ++k) {
      const bool is_upper = (i >> k & 1) != 0;
      corner[k] = is_upper ? solid.q[k] : solid.kind == Kind::aabb ? solid.p[k] : -solid.q[k];
    }
    vertices.push_back(solid.kind == Kind::aabb ? corner : plus(widened(solid.p), turned(corner)));
  }
  return vertices;
}

/// What is wrong with the position in the answer of a round core; empty if nothing is.
std::string round_point_problem(const Solid<3>& solid, const Vec<3>& core, std::uint32_t feature,
                                Real tolerance) {
  std::ostringstream text;
  const Real off = distance_to_core_surface(solid, core);
  if (!(off <= tolerance)) text << "is off the surface by " << off << "; ";
  const std::string problem = feature_problem<double>(solid, feature, core, tolerance);
  if (!problem.empty()) text << "the feature " << describe_feature(feature) << ' ' << problem;
  return text.str();
}

/// The same for any other kind.
template <int D>
std::string vertex_problem(const Solid<D>& solid, const Vec<D>& core, std::uint32_t feature,
                           Real tolerance) {
  const std::vector<Vec<D>> vertices = numbered_vertices(solid);
  const bool is_whole = solid.kind == Kind::sphere;
  const auto number = static_cast<std::size_t>(feature & 0x3fff);
  const Feature kind = is_whole ? Feature::whole : Feature::vertex;
  if (feature >> 14 != static_cast<std::uint32_t>(kind) || number >= vertices.size()) {
    return "has no vertex's feature: " + describe_feature(feature);
  }
  const bool is_there = length(minus(core, vertices[number])) <= tolerance;
  return is_there ? "" : "has another vertex's feature: " + describe_feature(feature);
}

/// What is wrong with a row; empty if nothing is.
template <class T, int D>
std::string support_problem(const Solid<D>& solid, const Vec<D>& direction, const Vec<D>& point,
                            std::uint32_t feature) {
  std::ostringstream text;
  text.precision(12);
  const Vec<D> n = times(direction, 1 / length(direction));
  const Real radius = radius_of(solid);
  const Real size = core_reach(solid) + radius;
  const Real tolerance = kDepthTolerance<T> * size + 4 * kUnitTolerance<T> * place_of(solid);
  // No point of the core, to within its rounding, is farther; and the point is not farther than
  // these.
  Real farthest = -std::numeric_limits<Real>::infinity();
  const bool is_round = is_cylinder(solid) || is_searched(solid);
  if (is_round) {
    farthest = core_support(solid, n) + radius;
  } else {
    for (const Vec<D>& vertex : numbered_vertices(solid)) {
      farthest = std::max(farthest, dot(n, vertex) + radius);
    }
  }
  const Real reached = dot(n, point);
  if (!(std::abs(reached - farthest) <= tolerance)) {
    text << "reaches " << reached << ", the farthest is " << farthest << "; ";
  }
  const Vec<D> core = plus(point, n, -radius);
  if constexpr (D == 3) {
    if (is_round) {
      return text.str() + round_point_problem(solid, core, feature, tolerance);
    }
  }
  return text.str() + vertex_problem(solid, core, feature, tolerance);
}

}  // namespace

template <class T, int D>
void check_support(const std::vector<Question<D>>& list) {
  const Questions<D, T> questions(list);
  for (const Isa isa : usable_isas()) {
    const auto answers =
        ask_support<D, T>(questions.scene, questions.ids, questions.direction.span(), isa);
    ASSERT_EQ(answers.point.size(), list.size());
    ASSERT_EQ(answers.feature.size(), list.size());
    int wrong_count = 0;
    for (std::size_t i = 0; i < list.size() && wrong_count < 5; ++i) {
      Vec<D> direction, point;
      for (int k = 0; k < D; ++k) {
        direction[k] = questions.direction(i, k);
        point[k] = answers.point(i, k);
      }
      const std::string problem =
          support_problem<T>(questions.solids[i], direction, point, answers.feature[i]);
      if (problem.empty()) continue;
      ++wrong_count;
      std::ostringstream where;
      where.precision(12);
      for (int k = 0; k < D; ++k) where << ' ' << point[k];
      where << " along";
      for (int k = 0; k < D; ++k) where << ' ' << direction[k];
      ADD_FAILURE() << isa_name(isa) << ", question " << i << ":" << where.str() << ' ' << problem
                    << "\n  " << describe(questions.solids[i]);
    }
  }
}

namespace {

template <int D>
std::vector<Kind> bounded_kinds() {
  std::vector<Kind> bounded(kinds(D).begin(), kinds(D).end());
  std::erase(bounded, Kind::halfspace);
  return bounded;
}

}  // namespace

template <int D>
std::vector<Question<D>> random_questions(Kind kind, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Question<D>> list;
  for (const auto& family :
       {random_pairs<D>(kind, kind, count, seed), grid_pairs<D>(kind, kind, count, seed + 1),
        near_grid_pairs<D>(kind, kind, count, seed + 2),
        sized_pairs<D>(kind, kind, count, seed + 3),
        far_pairs<D>(random_pairs<D>(kind, kind, count, seed + 4), seed + 5)}) {
    for (const SolidPair<D>& pair : family) {
      for (const Solid<D>& solid : {pair.a, pair.b}) {
        Point<D> along = random.direction<D>();
        // Sometimes along an axis or a diagonal.
        if (random.chance(0.3)) {
          for (double& value : along) value = random.integer(-1, 1);
          along[D - 1] = 1;
        }
        const double size = std::pow(10, random.uniform(-3, 3));
        for (double& value : along) value *= size;
        list.push_back({solid, along});
      }
    }
  }
  return list;
}

template <int D>
std::vector<Question<D>> mixed_questions(std::size_t count, std::uint64_t seed) {
  std::vector<Question<D>> all;
  for (const Kind kind : bounded_kinds<D>()) {
    const auto some = random_questions<D>(kind, count, seed);
    all.insert(all.end(), some.begin(), some.end());
  }
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1],
              all[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return all;
}

template <int D>
std::vector<Question<D>> special_questions() {
  std::vector<Question<D>> list;
  for (const Kind kind : bounded_kinds<D>()) {
    for (const Solid<D>& solid : special_solids<D>(kind)) {
      const int ways = D == 2 ? 9 : 27;
      for (int way = 0; way < ways; ++way) {
        if (way == ways / 2) continue;  // the zero vector
        Point<D> along;
        for (int k = 0, rest = way; k < D; ++k, rest /= 3) along[k] = rest % 3 - 1;
        list.push_back({solid, along});
      }
    }
  }
  return list;
}

template <int D>
void check_answers(const std::vector<SupportAnswer<D>>& expected) {
  const auto check = [&]<class T>(T) {
    std::vector<Question<D>> list;
    for (const auto& answer : expected) list.push_back({answer.solid, answer.direction});
    const Questions<D, T> questions(list);
    for (const Isa isa : usable_isas()) {
      const auto answers =
          ask_support<D, T>(questions.scene, questions.ids, questions.direction.span(), isa);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;
        std::string trace = std::string(isa_name(isa)) +
                            (sizeof(T) == 4 ? " float, " : " double, ") +
                            describe(expected[i].solid) + " along";
        for (const double value : expected[i].direction) trace += " " + std::to_string(value);
        SCOPED_TRACE(trace);
        for (int k = 0; k < D; ++k) {
          EXPECT_NEAR(answers.point(i, k), expected[i].point[k], tolerance) << "axis " << k;
        }
        EXPECT_EQ(answers.feature[i], expected[i].feature)
            << describe_feature(answers.feature[i]) << " instead of "
            << describe_feature(expected[i].feature);
      }
    }
  };
  check(float{});
  check(double{});
}

template <int D>
void check_directions_of_any_length() {
  const auto check = []<class T>(T) {
    const int most = sizeof(T) == 4 ? 18 : 150;
    for (const Kind kind : bounded_kinds<D>()) {
      auto list = random_questions<D>(kind, 3, 63);
      for (std::size_t i = 0; i < list.size(); ++i) {
        Random random(i);
        list[i].second = random.direction<D>();
        const double size = std::pow(10, random.integer(-most, most));
        for (double& value : list[i].second) value *= size;
      }
      check_support<T>(list);
    }
  };
  check(float{});
  check(double{});
}

template <int D>
void check_directions_of_any_stride() {
  const auto check = []<class T>(T) {
    const Questions<D, T> questions(mixed_questions<D>(3, 64));
    const std::size_t count = questions.ids.size();
    const auto expected = ask_support<D, T>(questions.scene, questions.ids,
                                            questions.direction.span(), usable_isas().front());
    std::vector<T> rows;
    struct Record {
      char before;
      T direction[D];
      char after[3];
    };
    std::vector<Record> records;
    std::array<std::vector<T>, D> backwards;
    for (std::size_t i = 0; i < count; ++i) {
      Record record{'a', {}, {'b', 'c', 'd'}};
      for (int k = 0; k < D; ++k) {
        record.direction[k] = questions.direction(i, k);
        rows.push_back(record.direction[k]);
        auto& plane = backwards[static_cast<std::size_t>(k)];
        plane.insert(plane.begin(), record.direction[k]);
      }
      records.push_back(record);
    }
    std::array<const T*, D> last;
    for (std::size_t k = 0; k < D; ++k) last[k] = &backwards[k][count - 1];
    const auto step = static_cast<std::ptrdiff_t>(sizeof(T));
    using Span = ColumnSpan<T, D>;
    for (const Isa isa : usable_isas()) {
      for (const Span& direction : {Span::interleaved(rows.data(), count),
                                    Span::interleaved(records[0].direction, count, sizeof(Record)),
                                    Span::planes(last, count, -step)}) {
        EXPECT_TRUE(
            same_rows(ask_support<D, T>(questions.scene, questions.ids, direction, isa), expected))
            << isa_name(isa);
      }
      // One direction for all rows.
      T one[D];
      for (int k = 0; k < D; ++k) one[k] = T(0.6) - static_cast<T>(k);
      Column<T, D> repeated;
      for (std::size_t i = 0; i < count; ++i) repeated.push_back(std::to_array(one));
      EXPECT_TRUE(same_rows(
          ask_support<D, T>(questions.scene, questions.ids, Span::repeated(one, count), isa),
          ask_support<D, T>(questions.scene, questions.ids, repeated.span(), isa)))
          << isa_name(isa);
    }
  };
  check(float{});
  check(double{});
}

template <int D>
void check_lists_of_any_length() {
  const auto check = []<class T>(T) {
    // Runs of one kind, and mixed kinds.
    auto list = mixed_questions<D>(1, 65);
    for (const Kind kind : bounded_kinds<D>()) {
      const auto run = random_questions<D>(kind, 4, 66);
      list.insert(list.end(), run.begin(), run.end());
    }
    const Questions<D, T> questions(list);
    const auto expected = ask_support<D, T>(questions.scene, questions.ids,
                                            questions.direction.span(), usable_isas().front());
    Workspace<D, T> workspace;  // one for all lists: it keeps what was computed for the hulls
    for (const Isa isa : usable_isas()) {
      for (std::size_t count = 0; count <= 40; ++count) {
        for (const std::size_t begin :
             {std::size_t{0}, std::size_t{17}, list.size() / 2, list.size() - count}) {
          std::vector<T> rows;
          for (std::size_t i = 0; i < count; ++i) {
            for (int k = 0; k < D; ++k) rows.push_back(questions.direction(begin + i, k));
          }
          const auto some =
              ask_support<D, T>(questions.scene, std::span(questions.ids).subspan(begin, count),
                                ColumnSpan<T, D>::interleaved(rows.data(), count), isa, workspace);
          ASSERT_EQ(some.point.size(), count);
          ASSERT_EQ(some.feature.size(), count);
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(row_bits(some, i), row_bits(expected, begin + i))
                << isa_name(isa) << ", " << count << " questions from " << begin;
          }
        }
      }
    }
  };
  check(float{});
  check(double{});
}

template <int D, class T>
Finding finding_of(const SceneColumns<D, T>& scene, const std::vector<std::int32_t>& ids,
                   const Column<T, D>& direction) {
  try {
    ask_support<D, T>(scene, ids, direction.span());
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding().has_value()) << error.what();
    return error.finding().value_or(Finding{});
  }
  ADD_FAILURE() << "no error";
  return {};
}

template <int D>
void check_wrong_questions() {
  const auto check = []<class T>(T) {
    SceneColumns<D, T> scene;
    append(scene, ball<D>({}, 1));
    append(scene, capsule<D>({}, {1}, 1));
    append(scene, halfspace<D>({1}, 0));
    Column<T, D> good;
    for (int row = 0; row < 3; ++row) good.push_back(as_row<D, T>({1}));
    const auto expect = [&](const std::vector<std::int32_t>& ids, const Column<T, D>& direction,
                            const char* array, std::int64_t row) {
      const Finding finding = finding_of<D, T>(scene, ids, direction);
      EXPECT_EQ(finding.array, array);
      EXPECT_EQ(finding.row, row);
      EXPECT_FALSE(finding.message.empty());
    };
    expect({0, 1, 3}, good, "ids", 2);
    expect({0, -1, 3}, good, "ids", 1);
    expect({2, 1, 0}, good, "ids", 0);
    expect({1, 0, 2}, good, "ids", 2);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const T infinity = std::numeric_limits<T>::infinity();
    // A direction whose squared length underflows is invalid: its rounding would move the point off
    // the surface.
    const T tiny = std::sqrt(std::numeric_limits<T>::min()) / 16;
    for (std::size_t row = 0; row < 3; ++row) {
      for (int k = 0; k < D; ++k) {
        for (const T value : {nan, infinity, -infinity, T(0), tiny}) {
          Column<T, D> wrong = good;
          wrong(row, 0) = value == value && std::abs(value) < 1 ? 0 : 1;
          wrong(row, k) = value;
          expect({0, 1, 0}, wrong, "direction", static_cast<std::int64_t>(row));
        }
      }
    }
    expect({0, 1}, good, "direction", -1);
    const auto answers = ask_support<D, T>(scene, std::vector<std::int32_t>{0, 1, 0}, good.span());
    EXPECT_EQ(answers.point.size(), 3u);
  };
  check(float{});
  check(double{});
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                      \
  template ::testing::AssertionResult same_rows<D, T>(const SupportBuffer<D, T>& left,   \
                                                      const SupportBuffer<D, T>& right); \
  template void check_support<T, D>(const std::vector<Question<D>>& list);               \
  template Finding finding_of<D, T>(const SceneColumns<D, T>& scene,                     \
                                    const std::vector<std::int32_t>& ids,                \
                                    const Column<T, D>& direction)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
#undef WIDEPHASE_INSTANTIATE

#define WIDEPHASE_INSTANTIATE(D)                                                               \
  template Real place_of<D>(const Solid<D>& solid);                                            \
  template std::vector<Question<D>> random_questions<D>(Kind kind, std::size_t count,          \
                                                        std::uint64_t seed);                   \
  template std::vector<Question<D>> mixed_questions<D>(std::size_t count, std::uint64_t seed); \
  template std::vector<Question<D>> special_questions<D>();                                    \
  template void check_answers<D>(const std::vector<SupportAnswer<D>>& expected);               \
  template void check_directions_of_any_length<D>();                                           \
  template void check_directions_of_any_stride<D>();                                           \
  template void check_lists_of_any_length<D>();                                                \
  template void check_wrong_questions<D>()
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
