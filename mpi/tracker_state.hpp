#pragma once

// What a `DistributedTracker` keeps on a rank, and how what it keeps of pairs goes to other ranks.

#include <vector>

#include <widephase/distributed_tracker.hpp>

#include "mpi/messages.hpp"
#include "pipeline/steps/step_columns.hpp"
#include "soa/ascending.hpp"

namespace widephase {

/// Some pairs of a step with all that is kept of them, apart from the rank that had them.
template <int D, class T>
struct Parcel {
  Column<std::int32_t> shape;  ///< ids in the whole world, ascending
  Column<std::int64_t> key;    ///< by shape, as the next two
  Column<std::int32_t> world;
  Column<ShapeFrame<D, T>> frame;    ///< may be empty
  Column<Pair> pair;                 ///< places in `shape`, or ~row for a kept shape
  Column<std::uint8_t> has_words;    ///< by pair, as the next two
  Column<WarmStart> words;           ///< empty if no pair has words
  Column<std::int32_t> contacts;     ///< how many the pair has
  Column<std::int64_t> number;       ///< by contact, as the next two
  Column<std::int64_t> first_point;  ///< its number
  Column<std::int32_t> points;       ///< how many the contact has
  Column<std::uint32_t> feature;     ///< by point, as the next two
  Column<std::int32_t, 2> part;      ///< may be empty
  Column<PositionOf<T>, D> point;    ///< may be empty
};

template <class Op, class P>
void for_each_parcel_column(const Op& op, P& parcel) {
  op(parcel.shape), op(parcel.key), op(parcel.world), op(parcel.frame);
  op(parcel.pair), op(parcel.has_words), op(parcel.words), op(parcel.contacts);
  op(parcel.number), op(parcel.first_point), op(parcel.points);
  op(parcel.feature), op(parcel.part), op(parcel.point);
}

/// No place in a list.
inline constexpr std::uint32_t kNowhere = 0xffffffffu;

/// A pair by its ids, ascending, the lower one in the high half.
inline std::uint64_t word_of(Pair pair) {
  const Pair ids = ascending(pair);
  return static_cast<std::uint64_t>(ids.a) << 32 | static_cast<std::uint32_t>(ids.b);
}

/// A pair by the names of its shapes, alike on all ranks.
struct PairName {
  std::array<std::int64_t, 2> key;
  std::array<std::int32_t, 2> world;  ///< -3 - world for a kept shape
  friend auto operator<=>(const PairName&, const PairName&) = default;
};

struct PairNames {
  Column<std::int64_t, 2> key;
  Column<std::int32_t, 2> world;

  std::size_t size() const { return key.size(); }
  PairName operator[](std::size_t i) const { return {key.row(i), world.row(i)}; }
  void push_back(const PairName& name) {
    key.push_back(name.key);
    world.push_back(name.world);
  }
};

/// What a tracker sees of a step before contacts are found.
template <int D, class T>
struct StepPairs {
  const SceneSpan<D, T>& scene;          ///< own shapes and copies, with their keys
  std::span<const Pair> pairs;           ///< that this rank answers
  const Column<std::int32_t>& world_id;  ///< by id here, ascending
  const Column<std::uint8_t>& is_inner;  ///< by id here: no other rank has the shape
  const SceneLayout& layout;             ///< of the whole world
};

template <int D, class T>
struct DistributedTracker<D, T>::State {
  Tracker<D, T> tracker;                       ///< of the pairs that this rank answers
  std::unique_ptr<Communicator> communicator;  ///< none before the first step
  Column<std::int64_t> last_contact, last_point;
  EndedContacts ended;
  /// Contacts and points of all ranks before those of a rank.
  struct Firsts {
    std::vector<std::int64_t> contact, point;
  };
  Firsts before;                                ///< of the step that `last_contact` tells of
  std::int64_t sent_pairs = 0, sent_bytes = 0;  ///< of the step in progress

  /// Before a step; collective.
  void begin(const Communicator& ranks);
  /// Looks up which pairs were this rank's before, and which are missing.
  void find_movers(const StepPairs<D, T>& step);
  /// Brings what other ranks have of this rank's pairs, and theirs to them; collective.
  void exchange();
  /// Takes what came.
  void settle();
  /// After `end_step`.
  void number_answers();
  /// Makes the step the last one, when it has succeeded on all ranks; collective.
  void end(const StepPairs<D, T>& step, const ContactBuffer<D, T>& contacts);

  void carry(const Column<std::int64_t>& numbers, const std::vector<std::int64_t>& firsts,
             std::span<const std::byte> last, std::size_t size, std::span<std::byte> now) const;
  void forget();
  void forget(std::span<const std::uint8_t> worlds);
  std::size_t bytes() const;

 private:
  /// A pair of the last step here: its places among those with words and among contacts.
  struct Record {
    std::uint64_t ids;  ///< `word_of` the pair
    Pair pair;          ///< as it was named
    std::uint32_t warm, contact;
  };
  PairName name_of(const StepShapes<D, T>& shapes, Pair pair) const;
  void list_records();
  Parcel<D, T> parcel_of(const std::vector<std::uint32_t>& chosen);
  std::int64_t number_of(std::size_t contact) const;
  std::int64_t number_of_point(std::size_t point) const;

  bool has_last_ = false;                       ///< the same on all ranks
  SceneLayout world_layout_;                    ///< of the whole world in the last step
  Column<std::int32_t> world_id_;               ///< by last step's id here
  Column<std::uint8_t> was_inner_;              ///< likewise
  Column<std::int64_t> number_, point_number_;  ///< of last step's; empty: as this rank gave them
  Firsts last_;                                 ///< of the last step
  std::vector<Record> records_;                 ///< of the last step
  std::vector<std::vector<std::uint32_t>> offered_;  ///< records, by the rank that matches them
  std::vector<PairNames> offers_, asks_;             ///< by that rank
  std::vector<std::uint8_t> leaves_;                 ///< by record
  std::vector<Parcel<D, T>> arrived_;
};

}  // namespace widephase
