#pragma once

// Contacts of a `DistributedScene` from step to step.

#include <memory>
#include <span>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/tracker.hpp>

namespace widephase {

/// A `Tracker` for the steps of a `DistributedScene`, on all of its ranks: which contacts begin,
/// persist and end, which points existed before, and where searches begin. What a rank keeps of a
/// pair goes to the rank that answers the pair next. The matches are those of one machine's
/// `Tracker` for any number of ranks, if no two shapes of a world have one `key`.
///
/// Contacts and points have numbers: those of rank 0 from 0 on, as its step gave them, then those
/// of rank 1, and so on.
template <int D, class T>
class WIDEPHASE_API DistributedTracker {
 public:
  /// A tracker before its first step. Its steps must all be on the same ranks.
  DistributedTracker();
  ~DistributedTracker();
  ///@{
  /// Takes another one's steps. Not copied; what was moved from may only be assigned to or end.
  DistributedTracker(DistributedTracker&&) noexcept;
  DistributedTracker& operator=(DistributedTracker&&) noexcept;
  ///@}

  /// Per contact of this rank: the number of its pair's contact among last step's; -1: it begins.
  const Column<std::int64_t>& last_contact() const;
  /// Per point of this rank: the number of its pair's point among last step's points; -1: none.
  const Column<std::int64_t>& last_point() const;
  /// Contacts that ended, each on one rank: column `pair` has ids of the world in the last step,
  /// `contact` numbers.
  const EndedContacts& ended() const;

  /// Brings a row per contact of the last step, such as a colour, to this step's contacts;
  /// collective. `last` has a row per contact that this rank had, `now` one per contact that it
  /// has, zero bytes where it begins. Throws `Error` on all ranks for other lengths on one.
  template <class V>
  void carry_contacts(std::span<const V> last, std::span<V> now) const {
    static_assert(std::is_trivially_copyable_v<V>);
    carry_contact_bytes(std::as_bytes(last), sizeof(V), std::as_writable_bytes(now));
  }
  /// The same per point, such as an impulse.
  template <class V>
  void carry_points(std::span<const V> last, std::span<V> now) const {
    static_assert(std::is_trivially_copyable_v<V>);
    carry_point_bytes(std::as_bytes(last), sizeof(V), std::as_writable_bytes(now));
  }
  ///@{
  /// The same of rows of `size` > 0 bytes each.
  void carry_contact_bytes(std::span<const std::byte> last, std::size_t size,
                           std::span<std::byte> now) const;
  void carry_point_bytes(std::span<const std::byte> last, std::size_t size,
                         std::span<std::byte> now) const;
  ///@}

  /// Forgets all steps, on all ranks alike: nothing is kept, and no contact ends.
  void forget();
  /// The same for the worlds with a byte other than 0; collective. Pairs of two shapes of world -1
  /// go on. Throws `Error` if the last step had more worlds than there are bytes.
  void forget(std::span<const std::uint8_t> worlds);

  /// Bytes held on this rank.
  std::size_t bytes() const;

  /// \cond  The library's own.
  struct State;
  State& state() { return *state_; }
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

}  // namespace widephase
