#include "pipeline/robots/listed_pairs.hpp"

#include <algorithm>

#include "pipeline/narrow/narrow_phase.hpp"
#include "pipeline/narrow/pair_distances.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "soa/kind_traits.hpp"
#include "soa/optional_default.hpp"

namespace widephase {

namespace {

/// Pairs that are asked together: their rows stay in the caches.
constexpr std::size_t kPairsAPart = 1024;

using Shapes = SceneColumns<3, double>;

}  // namespace

/// Asks some pairs at a time.
class ListAsker {
 public:
  explicit ListAsker(const ListedPairs& list)
      : list_(list), table_(kernel_table<3, double>(chosen_isa(list.options_.isa))) {
    threads_.count = 1;
    placed_at_.resize(list.robot_.columns().bodies.name.size(), kNowhere);
  }

  /// Reads the shapes of the pairs, so that they can be asked.
  template <class T>
  void read(const Configurations<T>& q, std::span<const ListedPair> pairs) {
    place_bodies(q, pairs);
    for (std::vector<Row>& of_kind : rows_of_kind_) of_kind.clear();
    shapes_.bodies.position.clear();
    shapes_.bodies.turn.clear();
    sides_.clear();
    std::size_t place = 0;
    begin_configuration();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i > 0 && pairs[i].configuration != pairs[i - 1].configuration) {
        ++place;
        begin_configuration();
      }
      add(pairs[i].pair, place);
    }
    gather();
    SceneSpan<3, double> scene = shapes_;
    scene.for_each_geometry_column([](auto, auto, auto& span, const auto& own) { span = own; },
                                   scene, list_.libraries_);
    rows_.update(scene, 0, table_.isa, threads_, {}, list_.geometries_, Bounds::unwanted);
    pairs_.resize_uninitialized(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs_[i] = {id_of(sides_[2 * i]), id_of(sides_[2 * i + 1])};
    }
    narrow_.bucket(rows_, {pairs_.plane(), pairs_.size()}, true, table_, threads_);
  }

  void test(std::span<std::uint8_t> is_touching) {
    const CollideOptions& options = list_.options_;
    narrow_.test({rows_, domain_, options.margin, options.method, table_, {}}, threads_,
                 is_touching);
  }

  /// Writes rows from `first` on.
  void find_distances(std::size_t first, DistanceBuffer<3, double>& distances) {
    resize_uninitialized(found_, pairs_.size());
    CollideStats stats;
    const std::size_t answers = narrow_.find_distances({rows_,
                                                        domain_,
                                                        kAnyDistance<double>,
                                                        list_.options_.method,
                                                        table_,
                                                        {},
                                                        Question::deepest},
                                                       threads_, found_, stats);
    require_all_distances(answers, pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const std::size_t to = first + i;
      // A is the kernels', unless that is not the pair's `shape`.
      const bool is_swapped = sides_[2 * i].is_other;
      distances.distance[to] = found_.distance[i];
      distances.feature[to] = found_.feature[i];
      distances.status[to] = found_.status[i];
      for (int k = 0; k < 3; ++k) {
        const double normal = found_.normal(i, k);
        distances.normal(to, k) = is_swapped ? -normal : normal;
        distances.point_a(to, k) = is_swapped ? found_.point_b(i, k) : found_.point_a(i, k);
        distances.point_b(to, k) = is_swapped ? found_.point_a(i, k) : found_.point_b(i, k);
      }
    }
  }

 private:
  static constexpr std::int32_t kNowhere = -1;
  struct Row {
    std::int32_t row;   ///< of the robot's or the obstacles' table
    std::int32_t body;  ///< of the scene
    bool is_obstacle;
  };
  struct Side {
    std::int32_t kind, row;  ///< of the scene
    bool is_other;           ///< whether it is not the pair's `shape`
  };

  /// Poses of all bodies in the configurations of the pairs.
  template <class T>
  void place_bodies(const Configurations<T>& q, std::span<const ListedPair> pairs) {
    if (placed_at_.empty()) return;
    values_.clear();
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::size_t row = pairs[i].configuration;
      if (i > 0 && row == pairs[i - 1].configuration) continue;
      for (std::size_t v = 0; v < q.width; ++v) values_.push_back(value_at(q, row, v));
      ++count;
    }
    Configurations<double> part(values_, q.width);
    part.count = count;  // of a robot without joints too
    RobotOptions placing;
    placing.threads = threads_;
    placing.isa = table_.isa;
    place(list_.robot_, part, poses_, placing);
  }

  void begin_configuration() { std::fill(placed_at_.begin(), placed_at_.end(), kNowhere); }

  /// The scene's body with the pose of one of the robot's.
  std::int32_t body_of(std::int32_t shape, std::size_t place) {
    const std::int32_t body = list_.body_[static_cast<std::size_t>(shape)];
    if (body < 0 || placed_at_.empty()) return -1;
    std::int32_t& at = placed_at_[static_cast<std::size_t>(body)];
    if (at == kNowhere) {
      at = static_cast<std::int32_t>(shapes_.bodies.position.size());
      const std::size_t pose = place * placed_at_.size() + static_cast<std::size_t>(body);
      shapes_.bodies.position.push_back(poses_.position.row(pose));
      shapes_.bodies.turn.push_back(poses_.turn.row(pose));
    }
    return at;
  }

  void add(const RobotPair& pair, std::size_t place) {
    const auto add_side = [&](bool is_other) {
      const bool is_obstacle = is_other && pair.obstacle >= 0;
      const SceneLayout& layout = is_obstacle ? list_.of_obstacles_ : list_.of_robot_;
      const std::int32_t id = !is_other ? pair.shape : is_obstacle ? pair.obstacle : pair.other;
      const Kind kind = layout.kind_of(id);
      std::vector<Row>& rows = rows_of_kind_[static_cast<std::size_t>(kind)];
      sides_.push_back(
          {static_cast<std::int32_t>(kind), static_cast<std::int32_t>(rows.size()), is_other});
      rows.push_back({layout.row(id), is_obstacle ? -1 : body_of(id, place), is_obstacle});
    };
    // In the order of scenes, for each pair anew: the second of one kind has the higher id.
    const bool is_swapped =
        list_.place_of_other(pair) < list_.place_of_shape_[static_cast<std::size_t>(pair.shape)];
    add_side(is_swapped);
    add_side(!is_swapped);
  }
  std::int32_t id_of(const Side& side) const { return rows_.layout.first[side.kind] + side.row; }

  void gather() {
    const auto gather_table = [&](const auto& of_robot, const auto& of_obstacles, auto& to) {
      using Table = std::remove_cvref_t<decltype(to)>;
      const std::vector<Row>& rows = rows_of_kind_[static_cast<std::size_t>(Table::kind)];
      const auto gather_column = [&](const Field& field, const auto& robot, const auto& obstacles,
                                     auto& column) {
        using Number = typename std::remove_cvref_t<decltype(column)>::value_type;
        const bool is_there = !robot.empty() || !obstacles.empty();
        column.resize_uninitialized(is_there ? rows.size() : 0);
        for (int w = 0; is_there && w < std::remove_cvref_t<decltype(column)>::width; ++w) {
          Number* next = column.plane(w);
          for (const Row& row : rows) {
            const auto& from = row.is_obstacle ? obstacles : robot;
            *next++ = from.empty() ? optional_default<Number>(field.name)
                                   : from.plane(w)[static_cast<std::size_t>(row.row)];
          }
        }
      };
      Table::for_each_own(gather_column, of_robot, of_obstacles, to);
      gather_column(optional("margin", Rule::non_negative), of_robot.margin, of_obstacles.margin,
                    to.margin);
      to.body.resize_uninitialized(shapes_.bodies.position.empty() ? 0 : rows.size());
      for (std::size_t i = 0; i < to.body.size(); ++i) to.body[i] = rows[i].body;
      if constexpr (requires { to.geometry; }) {
        const std::int32_t before = geometries_before<Table>();
        for (std::size_t i = 0; i < rows.size(); ++i) {
          to.geometry[i] += rows[i].is_obstacle ? before : 0;
        }
      }
    };
    Shapes::for_each(gather_table, list_.robot_.shapes(), list_.obstacles_, shapes_);
  }
  /// How many geometries of a kind the robot has, before those of the obstacles.
  template <class Table>
  std::int32_t geometries_before() const {
    const Shapes& shapes = list_.robot_.shapes();
    if constexpr (traits_of(Table::kind).is_surface) {
      return std::is_same_v<Table, decltype(shapes_.meshes)>
                 ? geometry_count(shapes.mesh_geometries.vertex_offsets)
                 : geometry_count(shapes.heightfield_geometries.offsets);
    } else {
      return geometry_count(shapes.geometries.offsets);
    }
  }

  const ListedPairs& list_;
  const KernelTable<3, double>& table_;
  Threads threads_;
  const Domain<3, double> domain_{};
  std::vector<double> values_;
  BodyTable<Owned<3, double>> poses_;
  std::vector<std::int32_t> placed_at_;  ///< of each of the robot's bodies, in the configuration
  std::array<std::vector<Row>, kKindCount> rows_of_kind_;
  std::vector<Side> sides_;  ///< two of each pair
  Shapes shapes_;
  SceneRows<3, double> rows_;
  Column<Pair> pairs_;
  NarrowPhase<3, double> narrow_;
  DistanceBuffer<3, double> found_;
};

ListedPairs::ListedPairs(const Robot& robot, const Environment& environment,
                         Workspace<3, double>& workspace, const CollideOptions& options)
    : robot_(robot),
      obstacles_(environment.shapes()),
      options_(options),
      of_robot_(layout_of(robot.shapes())),
      of_obstacles_(layout_of(environment.shapes())) {
  const Shapes& shapes = robot.shapes();
  libraries_.for_each_geometry_column([](auto, auto, auto& own, const auto& from) { own = from; },
                                      libraries_, shapes);
  append_libraries(libraries_, obstacles_);
  workspace.state().rows.update(libraries_, 0, chosen_isa(options.isa), options.threads, {},
                                nullptr, Bounds::unwanted);
  geometries_ = &workspace.state().rows;
  Column<std::int32_t> world;
  const SceneSpan<3, double> span = shapes;
  const auto join = [&](auto member, std::int32_t otherwise, Column<std::int32_t>& to) {
    join_column<std::int32_t>(column_of_kinds<std::int32_t>(span, member), of_robot_, {1, {}},
                              otherwise, to);
  };
  join([](const auto& table) { return table.world; }, 0, world);
  Column<std::int32_t> body;
  join([](const auto& table) { return table.body; }, -1, body);
  const auto count = static_cast<std::size_t>(of_robot_.shape_count());
  body_.assign(count, -1);
  std::copy(body.begin(), body.end(), body_.begin());
  place_of_shape_.resize(count);
  // In each kind what is in all worlds comes first: the robot's, then obstacles, unless these are
  // kept apart, behind all others.
  const bool is_beside = can_move_beside(shapes);
  std::int32_t next = 0;
  for (int k = 0; k < kKindCount; ++k) {
    const auto place_shapes = [&](bool is_shared) {
      for (std::int32_t id = of_robot_.first[k]; id < of_robot_.first[k + 1]; ++id) {
        const auto row = static_cast<std::size_t>(id);
        if (is_shared == (!world.empty() && world[row] == -1)) place_of_shape_[row] = next++;
      }
    };
    const auto place_obstacles = [&] {
      first_obstacle_[static_cast<std::size_t>(k)] = next;
      next += of_obstacles_.count(static_cast<Kind>(k));
    };
    place_shapes(true);
    if (!is_beside) place_obstacles();
    place_shapes(false);
    if (is_beside) place_obstacles();
  }
}

std::int32_t ListedPairs::place_of_other(const RobotPair& pair) const {
  if (pair.obstacle < 0) return place_of_shape_[static_cast<std::size_t>(pair.other)];
  const Kind kind = of_obstacles_.kind_of(pair.obstacle);
  return first_obstacle_[static_cast<std::size_t>(kind)] + of_obstacles_.row(pair.obstacle);
}

std::array<std::int32_t, 2> ListedPairs::order_of(const RobotPair& pair) const {
  const std::int32_t a = place_of_shape_[static_cast<std::size_t>(pair.shape)];
  const std::int32_t b = place_of_other(pair);
  return {std::min(a, b), std::max(a, b)};
}

template <class T, class Ask>
void ListedPairs::for_each_part(const Configurations<T>& q, std::span<const ListedPair> pairs,
                                const Ask& ask) const {
  const std::size_t parts = (pairs.size() + kPairsAPart - 1) / kPairsAPart;
  const auto for_parts = [&](ListAsker& asker, std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) {
      const std::size_t first = part * kPairsAPart;
      const std::size_t count = std::min(kPairsAPart, pairs.size() - first);
      asker.read(q, pairs.subspan(first, count));
      ask(asker, first, count);
    }
  };
  // An asker of each thread, for some parts.
  const auto workers =
      std::min(parts, static_cast<std::size_t>(4 * thread_count(options_.threads)));
  for_chunks(options_.threads, workers, [&](std::size_t worker) {
    ListAsker asker(*this);
    for_parts(asker, worker * parts / workers, (worker + 1) * parts / workers);
  });
}

template <class T>
void ListedPairs::find_touching(const Configurations<T>& q, std::span<const ListedPair> pairs,
                                std::span<std::uint8_t> is_touching) const {
  for_each_part(q, pairs, [&](ListAsker& asker, std::size_t first, std::size_t count) {
    asker.test(is_touching.subspan(first, count));
  });
}

template <class T>
void ListedPairs::find_distances(const Configurations<T>& q, std::span<const ListedPair> pairs,
                                 DistanceBuffer<3, double>& distances) const {
  resize_uninitialized(distances, pairs.size());
  for_each_part(q, pairs, [&](ListAsker& asker, std::size_t first, std::size_t) {
    asker.find_distances(first, distances);
  });
}

#define WIDEPHASE_INSTANTIATE(T)                                                                   \
  template void ListedPairs::find_touching(const Configurations<T>&, std::span<const ListedPair>,  \
                                           std::span<std::uint8_t>) const;                         \
  template void ListedPairs::find_distances(const Configurations<T>&, std::span<const ListedPair>, \
                                            DistanceBuffer<3, double>&) const;
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
