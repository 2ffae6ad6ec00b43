#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// Contacts of the last step whose pairs are in contact no longer, in the order in which they were.
struct EndedContacts {
  Column<Pair> pair;             ///< ids in the last step, A the one first named there
  Column<std::int64_t, 2> key;   ///< of A and B
  Column<std::int32_t> world;    ///< the one that both were in, -1 for two shapes of world -1
  Column<std::int64_t> contact;  ///< its place among last step's contacts

  /// How many ended.
  std::size_t size() const { return pair.size(); }
};

/// What goes on from step to step: which contacts begin, persist and end, which of their points
/// were there before, and where the search of each pair begins.
///
/// Shapes are told by world and `key` (which is the id where a scene gives none), so that ids may
/// shift as shapes come and go, and the two of a pair may change places. Of a pair that is in a
/// list several times the k-th goes on as the k-th. A world that a step leaves out has no contacts
/// in it: they end, and begin anew when it is back. Answers depend neither on threads nor on the
/// order of the contacts. A tracker belongs to one call at a time; a step as large as those before
/// allocates nothing.
template <int D, class T>
class WIDEPHASE_API Tracker {
 public:
  /// One before its first step.
  Tracker();
  ~Tracker();
  ///@{
  /// Takes another one's steps. Not copied; what was moved from may only be assigned to or end.
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;
  ///@}

  /// By contact: where its pair's contact was among last step's; -1: it begins.
  const Column<std::int64_t>& last_contact() const;
  /// By point: where the point of its pair with its feature was among last step's points; -1:
  /// there was none. No point of the last step is named twice. With `CollideOptions::steadiness`
  /// in both steps, points that features leave over are matched by place within it, on the shape
  /// that was A, as that has moved and turned: what is carried on by it, such as an impulse, is
  /// that of the nearest place, whose feature may be another.
  const Column<std::int64_t>& last_point() const;
  /// Last step's contacts that are none in this one.
  const EndedContacts& ended() const;

  /// As if there had been no step before: nothing is kept, and nothing ends by it.
  void forget();
  /// The same of the worlds with a byte other than 0; those beyond the bytes, and pairs of two
  /// shapes of world -1, go on.
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

/// `collide` as the tracker's next step, with warm starts of its own (`options.warm_starts` must
/// be empty). What `Tracker` tells is then of `contacts`. A step that throws is none: the next one
/// goes on from the one before it.
template <int D, class T>
WIDEPHASE_API void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts,
                           Workspace<D, T>& workspace, Tracker<D, T>& tracker,
                           const CollideOptions& options = {});

/// The same for a caller's own pairs.
template <int D, class T>
WIDEPHASE_API void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                 ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                                 Tracker<D, T>& tracker, const CollideOptions& options = {});

/// The first part of a step, for who calls the stages: matches the pairs of a scene with those of
/// the last step and answers a warm start each, or none where nothing would read them, for
/// `find_contacts` to read and write. The pairs must stay where they are until `end_step`; where
/// shapes are, for points that are matched by place, is read here. Throws `Error` for an id out of
/// range.
template <int D, class T>
WIDEPHASE_API std::span<WarmStart> begin_step(SceneArgument<D, T> scene,
                                              std::span<const Pair> pairs, Tracker<D, T>& tracker,
                                              const CollideOptions& options = {});
/// The second part: matches the contacts that `find_contacts` found of the pairs of `begin_step`.
/// Throws `Error` for contacts of other pairs.
template <int D, class T>
WIDEPHASE_API void end_step(const ContactBuffer<D, T>& contacts, Tracker<D, T>& tracker,
                            const CollideOptions& options = {});

}  // namespace widephase
