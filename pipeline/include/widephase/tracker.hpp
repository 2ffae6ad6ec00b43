#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// Contacts of the last step whose pairs are no longer in contact, in their order there.
struct EndedContacts {
  Column<Pair> pair;             ///< ids in the last step, A the one first named there
  Column<std::int64_t, 2> key;   ///< of A and B
  Column<std::int32_t> world;    ///< the one that both were in, -1 for two shapes of world -1
  Column<std::int64_t> contact;  ///< its place among last step's contacts
  Column<std::uint8_t, 2> kept;  ///< of A and B: 1 for a shape of the kept scene, else 0

  /// How many ended.
  std::size_t size() const { return pair.size(); }
};

/// Follows contacts from step to step: which begin, persist and end, which of their points existed
/// before, and where the search of each pair begins.
///
/// Shapes are identified by world and `key` (which is the id if a scene gives none). So ids may
/// shift as shapes come and go, and the two of a pair may change places. If a list has a pair
/// several times, the k-th matches the k-th. The patches of a pair with a surface must lie
/// together, as calls give them. A world that a step leaves out has no contacts in it: they end,
/// and begin anew when it is back. Answers depend neither on threads nor on the order of the
/// contacts. A tracker belongs to one call at a time. A step as large as those before allocates
/// nothing.
template <int D, class T>
class WIDEPHASE_API Tracker {
 public:
  /// A tracker before its first step.
  Tracker();
  ~Tracker();
  ///@{
  /// Takes another one's steps. Not copied; what was moved from may only be assigned to or end.
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;
  ///@}

  /// Per contact: the place of its pair's contact among last step's contacts; -1: it begins. For a
  /// patch of several it is the one that had the most of its points. Those that share no point are
  /// matched in their order, so that a ball rolls on in one contact.
  const Column<std::int64_t>& last_contact() const;
  /// Per point: the place of its pair's point with its feature, and part, among last step's points,
  /// in whichever patch; -1: there was none. No point of the last step is named twice.
  ///
  /// With `CollideOptions::steadiness` in both steps, points left unmatched by feature are matched
  /// by place within it. The place is that on the shape that was A, as it has moved and rotated. A
  /// value that is carried on, such as an impulse, then belongs to the nearest place, whose feature
  /// may be another.
  const Column<std::int64_t>& last_point() const;
  /// Last step's contacts that are not contacts in this one.
  const EndedContacts& ended() const;

  /// Forgets all steps: nothing is kept, and no contact ends.
  void forget();
  /// The same for the worlds with a byte other than 0. Pairs of two shapes of world -1 go on.
  /// Throws `Error` if the last step had more worlds than there are bytes.
  void forget(std::span<const std::uint8_t> worlds);

  /// Bytes held.
  std::size_t bytes() const;

  /// \cond  The library's own.
  struct State;
  State& state() { return *state_; }
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

/// `collide` as the tracker's next step, with warm starts of its own (`options.warm_starts` must be
/// empty). The `Tracker` then describes `contacts`. A call that throws is not a step: the next one
/// continues from the one before it.
template <int D, class T>
WIDEPHASE_API void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts,
                           Workspace<D, T>& workspace, Tracker<D, T>& tracker,
                           const CollideOptions& options = {});

/// The same for the caller's own pairs.
template <int D, class T>
WIDEPHASE_API void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                 ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                                 Tracker<D, T>& tracker, const CollideOptions& options = {});

/// The first part of a step, for callers of the stages: matches the pairs of a scene with those of
/// the last step. Returns one warm start per pair, or none if nothing would read them, for
/// `find_contacts` to read and write. The pairs must stay in place until `end_step`. Points that
/// are matched by place use the shapes' positions as read here. Throws `Error` for an id out of
/// range.
template <int D, class T>
WIDEPHASE_API std::span<WarmStart> begin_step(SceneArgument<D, T> scene,
                                              std::span<const Pair> pairs, Tracker<D, T>& tracker,
                                              const CollideOptions& options = {});
/// The second part: matches the contacts that `find_contacts` found for the pairs of `begin_step`.
/// Throws `Error` for contacts of other pairs.
template <int D, class T>
WIDEPHASE_API void end_step(const ContactBuffer<D, T>& contacts, Tracker<D, T>& tracker,
                            const CollideOptions& options = {});

}  // namespace widephase
