#pragma once

#include <optional>
#include <vector>

#include <widephase/bodies.hpp>
#include <widephase/distributed_scene.hpp>

#include "mpi/messages.hpp"
#include "mpi/point_sets.hpp"
#include "mpi/rows.hpp"
#include "mpi/tracker_state.hpp"
#include "mpi/wrapped_boxes.hpp"

namespace widephase {

/// Work of a shape, and of a pair beside that of its shapes.
inline constexpr double kShapeCost = 1;
inline constexpr double kPairCost = 0.5;

template <int D, class T>
struct DistributedScene<D, T>::State {
  State(MPI_Comm given, const DistributedOptions& options_wanted);

  void take(const SceneSpan<D, T>& part,
            const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
            const ColumnSpan<std::int32_t>& bodies);
  void step(ContactBuffer<D, T>& contacts, DistributedTracker<D, T>* tracker,
            const CollideOptions& options);
  void cast(const RaySpan<D, T>& rays, RayHits<D, T>& hits, const CastOptions& options);
  void send_to_owners(std::span<const std::int32_t> ids, std::span<const std::byte> rows,
                      std::size_t size, std::vector<std::int32_t>& own_ids,
                      std::vector<std::byte>& own_rows) const;
  std::size_t bytes() const;

  Communicator communicator;
  DistributedOptions options;
  std::unique_ptr<Partition> zoltan;
  Partition* partition = nullptr;
  Division division = Division::space;  ///< that `options` say, or that was chosen

  SceneColumns<D, T> common;  ///< excluded pairs, domain: alike on all ranks
  PointSets<D, T> sets;       ///< of own shapes and copies
  const StaticScene<D, T>* kept = nullptr;
  SceneLayout layout;  ///< of the whole world
  Present present;
  bool has_bodies = false;
  Rows<D, T> own;
  Rows<D, T> moved;  ///< scratch of `own`
  Rows<D, T> local;  ///< own and copied shapes, placed
  DistributedStats stats;

 private:
  void agree_on_columns(const SceneSpan<D, T>& part);
  void fill_defaults();
  /// The layout of the world, of which all ranks together have each row and each body once.
  SceneLayout checked_layout(const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
                             const ColumnSpan<std::int32_t>& bodies) const;

  /// Where each own shape and body counts as being. Shapes of bodies are with them.
  template <class Op>
  void for_each_item(const Op& op) const;
  void check_own() const;
  void divide();
  std::int64_t world_count() const;
  std::vector<double> work_of_worlds(std::int64_t worlds) const;
  void place_worlds(std::span<const double> work);
  void divide_worlds();
  bool can_deal_out_worlds();
  int owner_of_world(std::int32_t world) const;
  /// A rank that a partition named.
  int checked(int rank) const;
  void choose_owners();
  void migrate();
  std::int32_t place_of_set(std::size_t library, Kind kind, std::int32_t number,
                            std::size_t row) const;
  static void add_named_sets(const Rows<D, T>& rows,
                             const std::array<std::size_t, kKindCount>& first, SetNumbers& named);
  static void unpack_message(const Message& message, const Present& columns, Rows<D, T>& to,
                             std::vector<NamedSets>& named);
  void name_sets_here(SceneSpan<D, T>& scene);
  std::int32_t place_of_body(std::int32_t body) const;
  void name_bodies_here(FilterSpan& filters, Column<std::int32_t>& body,
                        Column<std::int32_t, 2>& excluded) const;

  /// Own shapes with their bodies' poses, as the calls take them.
  SceneSpan<D, T> own_scene();
  static void check_options(const CollideOptions& options);
  void read_own(const CollideOptions& options);
  void choose_copies();
  void copy_to_neighbours();
  void find_ranks(std::size_t id, std::int32_t world, bool is_unbounded,
                  const BoundsBuffer<D, PositionOf<T>>& bounds);
  SceneSpan<D, T> local_scene();
  void name_shapes();
  void find_own_pairs(const CollideOptions& options);
  void find_own_contacts(ContactBuffer<D, T>& contacts, const CollideOptions& options);
  void collide_tracked(ContactBuffer<D, T>& contacts,
                       typename DistributedTracker<D, T>::State& tracker,
                       const CollideOptions& options);
  void give_world_ids(ContactBuffer<D, T>& contacts) const;
  bool is_ours(const Pair& pair) const;
  void find_cost();

  Failure failure_of(const Rows<D, T>& rows, const std::exception& error) const;
  void together(const Rows<D, T>& rows, const std::function<void()>& work) const;

  WrappedBoxes<D> boxes_;
  std::vector<int> world_owner_;                      ///< with `Division::worlds`
  bool has_work_ = false;  ///< `pairs_` and `local` are those of the own shapes in the last step
  std::array<std::vector<double>, kKindCount> cost_;  ///< of own shapes, while they are divided
  bool is_divided_ = false;
  std::array<Column<std::int32_t>, kKindCount> body_place_;  ///< column `body`, by place in `own`
  std::array<Column<std::int32_t>, kKindCount> set_place_;   ///< column `geometry`, by place
  PlacedScene<D, T> placed_;
  SceneSpan<D, T> placed_view_;  ///< with the world's numbers of bodies, point sets
  std::vector<RowLists> lists_;  ///< by rank
  std::vector<int> ranks_;
  std::vector<int> image_ranks_;
  double own_work_ = 0;
  std::array<std::vector<std::uint8_t>, kKindCount>
      is_inner_;  ///< own shapes that no other rank has
  Column<std::int32_t> world_id_;      ///< by local id
  Column<std::int32_t> local_owner_;   ///< the rank that owns it, likewise
  Column<std::uint8_t> local_inner_;   ///< whether no other rank has it, likewise
  Column<std::int32_t> local_world_;
  SceneColumns<D, T> excluded_here_;
  std::vector<Pair> pairs_;
  SceneSpan<D, T> here_;  ///< of the step: own shapes and copies
  SceneLayout here_layout_;
  std::array<Column<std::int64_t>, kKindCount> keys_;  ///< of tables without keys, for trackers
  StaticScene<D, T> asked_;                            ///< own shapes, for rays
  Workspace<D, T> rays_workspace_;
  /// First for the bounds of own shapes, then for the call: point sets are read once.
  Workspace<D, T> workspace_;
};

/// Numbers the pairs in contact, which ascend: `source` becomes the place of a contact's pair.
template <int D, class T>
void number_sources(ContactBuffer<D, T>& contacts) {
  std::int64_t source = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i == 0 || !(contacts.pair[i] == contacts.pair[i - 1])) ++source;
    contacts.source[i] = source;
  }
}

}  // namespace widephase
