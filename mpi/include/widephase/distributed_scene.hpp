#pragma once

// One huge world on the ranks of a communicator: who owns which shapes, what is copied, and that
// each contact exists once, with the bits that one machine gives it.

#include <mpi.h>

#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <widephase/export.h>
#include <widephase/collide.hpp>
#include <widephase/distributed_tracker.hpp>
#include <widephase/partition.hpp>
#include <widephase/rays.hpp>

namespace widephase {

/// How a world is divided among ranks.
enum class Division {
  /// `worlds` if no rank then has more than `most_imbalance` times the mean of shapes, with those of
  /// world -1; else `space`. A `partition` of the caller's is of `space`.
  automatic,
  space,   ///< by a `Partition`; shapes near the borders are copied in every step
  worlds,  ///< each world (`Tags::world`) lies on one rank, and only shapes of world -1 are copied
};

/// How a `DistributedScene` works. None of it changes a bit of the contacts.
struct DistributedOptions {
  Division division = Division::automatic;  ///< by what ranks own shapes
  /// A number >= 1: shapes are divided anew when the last step's work of the busiest rank was more
  /// than this times the mean.
  double most_imbalance = 1.1;
  /// The caller's partition, which must outlive the scene; null: Zoltan's.
  Partition* partition = nullptr;
};

/// What a step did, on this rank unless it says otherwise.
struct DistributedStats {
  std::int64_t own_shapes = 0;      ///< that this rank owns
  std::int64_t copied_shapes = 0;   ///< that others own and this rank was sent for the step
  std::int64_t candidates = 0;      ///< pairs that the local broad phase found
  std::int64_t pairs = 0;           ///< of these, the pairs that are this rank's to answer
  std::int64_t contacts = 0;        ///< of these pairs
  std::int64_t moved_rows = 0;      ///< shapes and bodies sent to another rank that owns them now
  std::int64_t moved_bytes = 0;     ///< of these, with the point sets that others lacked
  std::int64_t copied_bytes = 0;    ///< sent to others for the step, with such point sets
  int neighbours = 0;               ///< ranks that were sent copies
  std::int64_t moved_pairs = 0;     ///< of a tracker, sent to another rank that answers them now
  std::int64_t tracker_bytes = 0;   ///< sent for these, and to find out which they are
  std::int64_t point_sets = 0;      ///< of polygons, hulls, ... that this rank holds
  bool was_divided = false;         ///< the step began with a new division
  Division division = Division::automatic;  ///< that `take` chose; the same on all ranks
  double imbalance = 1;             ///< the busiest rank's work over the mean; the same on all ranks
  std::size_t bytes = 0;            ///< that the scene holds on this rank, with what rays left
};

/// A world of shapes of which every rank owns some. All ranks call the same members in the same
/// order. Rows of shapes and bodies are those of one table of the whole world, kind by kind, and so
/// are the ids in contacts: `layout().first[kind] + row`.
///
/// A pair is answered by the rank that owns the lower corner of the overlap of its two bounds.
/// Every shape is copied to the ranks that own a point of its bounds, so no pair is missed however
/// large the shapes are. Halfspaces are copied to all. Point sets go where the shapes are that name
/// them, with the height fields around theirs. `excluded...` and the domain are on every rank.
///
/// If a rank finds something wrong, all throw the same `Error`, with the row of the whole world.
/// After want of memory in `take` the world may be empty.
template <int D, class T>
class WIDEPHASE_API DistributedScene {
 public:
  /// An empty world on the ranks of `communicator`, which is duplicated; collective.
  explicit DistributedScene(MPI_Comm communicator, const DistributedOptions& options = {});
  ~DistributedScene();
  ///@{
  /// Takes another one's shapes. Not copied; what was moved from may only be assigned to or end.
  DistributedScene(DistributedScene&&) noexcept;
  DistributedScene& operator=(DistributedScene&&) noexcept;
  ///@}

  /// Makes the world that of `scene`, which every rank has in whole, and takes this rank's part of
  /// its rows; collective. A `kept` scene must outlive the steps; every rank has its own copy of
  /// all of it. Throws `Error` for columns of unequal length and for a body that the scene does
  /// not have.
  void take_whole(const SceneSpan<D, T>& scene);
  /// The same from parts. Row r of a table of `part` is row `rows[kind][r]` of the world's, which
  /// has each row on one rank; body b is body `bodies[b]`. A shape lies where its body does, and
  /// names it by its number in the world. Which optional columns there are, and whether bodies are
  /// rotated, is agreed: others' rows get the defaults. Point sets, excluded pairs (ids of the
  /// world), domain and kept scene must be alike on all ranks. After the call a rank holds the
  /// point sets of its own shapes alone.
  void take(const SceneSpan<D, T>& part,
            const std::array<ColumnSpan<std::int32_t>, kKindCount>& rows,
            const ColumnSpan<std::int32_t>& bodies);

  /// This rank's shapes and bodies, by row of the world within each kind. Between steps their
  /// numbers may be written: positions, turns, poses. Rows may not come or go, nor columns. The
  /// point sets are not among them; `geometry` is a number of the whole world's, and may become
  /// that of another shape of this rank.
  SceneColumns<D, T>& own();
  /// The rows of the world that `own()` has of a kind, ascending.
  const Column<std::int32_t>& own_rows(Kind kind) const;
  /// The numbers of the bodies that `own()` has, ascending.
  const Column<std::int32_t>& own_bodies() const;
  /// Where each kind's ids begin in the whole world.
  const SceneLayout& layout() const;

  /// Divides the shapes anew if need be, moves those that now belong elsewhere, and finds the
  /// contacts of this rank's pairs; collective. They are in order `id`, with ids of the world.
  /// `source` is the place among this rank's pairs in contact.
  ///
  /// With the contacts of all ranks together (`gather`), each has the bits of one machine's
  /// `collide`, whatever the number of ranks, the partition and the threads. Kept shape i has the
  /// id `layout().shape_count() + i`. Bodies' shapes are those that `place` gives: this differs
  /// from one machine's only for point sets that lie apart from their frame's origin.
  ///
  /// All ranks give the same `options`, but for threads and instruction set. Caps count per rank.
  /// Throws `Error` for a world mask or status, and for warm starts.
  void step(ContactBuffer<D, T>& contacts, const CollideOptions& options = {});
  /// The same as the tracker's next step, which has the bits of one machine's `collide` with a
  /// `Tracker`. A call that throws is not a step; after want of memory all may be forgotten.
  void step(ContactBuffer<D, T>& contacts, DistributedTracker<D, T>& tracker,
            const CollideOptions& options = {});

  /// Brings rows about shapes, such as what contacts push them by, to the ranks that own the
  /// shapes in this step; collective. `ids` are of shapes in this rank's contacts of the last step;
  /// rows of kept shapes stay behind. What comes is ascending by id, that of one id in the order
  /// of ranks, then as they gave it. Throws `Error` on all ranks for other ids or lengths on one.
  template <class V>
  void send_to_owners(std::span<const std::int32_t> ids, std::span<const V> rows,
                      std::vector<std::int32_t>& own_ids, std::vector<V>& own_rows) const {
    static_assert(std::is_trivially_copyable_v<V>);
    std::vector<std::byte> bytes;
    send_bytes_to_owners(ids, std::as_bytes(rows), sizeof(V), own_ids, bytes);
    own_rows.resize(own_ids.size());
    if (!bytes.empty()) std::memcpy(own_rows.data(), bytes.data(), bytes.size());
  }
  /// The same of rows of `size` > 0 bytes each.
  void send_bytes_to_owners(std::span<const std::int32_t> ids, std::span<const std::byte> rows,
                            std::size_t size, std::vector<std::int32_t>& own_ids,
                            std::vector<std::byte>& own_rows) const;

  /// What each ray meets first among the shapes of all ranks, as `own()` has them now: the bits
  /// that one machine's `cast_rays` gives, with ids of the world; collective. All ranks give the
  /// same rays and options, but for threads and instruction set, and each gets all answers. Column
  /// `filters.excluded` has ids of the world.
  ///
  /// Throws `Error` as `cast_rays` does, with a kept scene, which answers for itself, and for a
  /// world mask or status. `stats` counts this rank's work.
  void cast_rays(const RaySpan<D, T>& rays, RayHits<D, T>& hits, const CastOptions& options = {});

  /// What the last step did.
  const DistributedStats& stats() const;

  /// \cond  The library's own.
  struct State;
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

/// The contacts of all ranks on rank `root`, ascending by pair; collective. `gathered` is empty on
/// the others. It is what one machine's `collide_pairs` gives for the pairs in contact, ascending,
/// to the hash. Throws `Error` for a root that `communicator` does not have.
template <int D, class T>
WIDEPHASE_API void gather(MPI_Comm communicator, const ContactBuffer<D, T>& contacts,
                          ContactBuffer<D, T>& gathered, int root = 0);

/// `content_hash` of the contacts of all ranks, the same on each; collective.
template <int D, class T>
WIDEPHASE_API std::uint64_t content_hash(MPI_Comm communicator,
                                         const ContactBuffer<D, T>& contacts);

}  // namespace widephase
