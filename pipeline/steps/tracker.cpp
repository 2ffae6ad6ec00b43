#include <widephase/tracker.hpp>

#include <atomic>

#include "kernels/core/basis/warm_words.hpp"
#include "pipeline/narrow/narrow_phase.hpp"
#include "pipeline/narrow/workspace.hpp"
#include "pipeline/rows/static_scene.hpp"
#include "pipeline/steps/patch_list.hpp"
#include "pipeline/steps/step_columns.hpp"
#include "pipeline/steps/warm_pairs.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/right_lengths.hpp"

namespace widephase {

namespace {

/// body(begin, end) over [0, count) in chunks.
template <class Body>
void run_over(const Crew& crew, std::size_t count, const Body& body) {
  crew.run_ranges(count, crew.chunk_count(count, kPairGrain), 1,
                  [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
}

Crew crew_for(const Threads& threads, std::size_t count) {
  return {&threads, count < 2 * kPairGrain ? 1 : thread_count(threads)};
}

/// The pairs with words, for `PairMatch`.
template <int D, class T>
struct WarmList {
  static constexpr bool kIsUnique = false;
  const WarmPairs& warm_pairs;
  const StepMatch& last_of_now;
  const StepShapes<D, T>& last;
  const StepShapes<D, T>& now;
  const Pair* pair;
  const WarmStart* last_words;
  WarmStart* words;

  bool enter(std::size_t i) const {
    words[i] = {};
    return warm_pairs.has(pair[i]);
  }
  Pair skipped(std::size_t) const { return kNoIds; }
  void leave(std::size_t, std::size_t) const {}
  Pair pair_at(std::size_t i) const { return pair[i]; }
  std::uint32_t tag_at(std::size_t) const { return 0; }
  Pair asked(Pair of_now) const { return by_last_ids(last_of_now, of_now); }
  std::uint32_t source_at(std::uint32_t place) const { return place; }
  std::uint32_t last_source_at(std::uint32_t place) const { return place; }
  void take(std::size_t i, std::uint32_t before) const {
    if (before == kNoPair) return;
    words[i] = last_words[before];
    if (last_of_now.is_identity()) return;
    // Words belong to the pair in its natural order.
    const Pair ids = asked(now.natural(pair[i]));
    if (last.natural(ids) != ids) words[i] = mirrored(words[i]);
  }
};

}  // namespace

template <int D, class T>
struct Tracker<D, T>::State {
  Step<D, T> last, now;
  PairMatch match;
  StepMatch last_of_now;
  std::span<const Pair> pairs;  ///< of the step in progress
  /// Whether the pairs are those that a call found: each then has a moving shape.
  bool are_found = false;
  bool has_begun = false;
  double steadiness = 0;
  std::array<double, D> period{};    ///< as in `PlaceMatch`
  PlacedScene<D, T> placed;          ///< of `begin_step`
  Column<std::uint8_t> has_gone_on;  ///< by contact of the last step
  PatchScratch patches;
  Column<std::int64_t> last_contact, last_point;
  EndedContacts ended;

  void carry_words(const Crew& crew, const WarmPairs& warm_pairs);
  /// Reads the frames for matching points by place, of a scene without bodies; nothing without
  /// steadiness.
  void read_frames(const SceneSpan<D, T>& placed_scene, const CollideOptions& options);
  /// Throws `Error` if a contact is not of this step's pairs.
  void match_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts);
  /// The same for contacts that are known to be, if no pair is in this or last step's list twice.
  void match_own_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts);
  void list_ended();
  /// There are no answers until a step has ended.
  void clear_answers() {
    has_begun = false;
    pairs = {};
    last_contact.clear();
    last_point.clear();
    ended.pair.clear();
    ended.key.clear();
    ended.world.clear();
    ended.contact.clear();
    ended.kept.clear();
  }

 private:
  /// Above the lower id of each pair of this step, and of the last one by its ids.
  std::size_t id_count() const {
    return are_found ? now.shapes.moving_count()
                     : std::max(now.shapes.count(), last.shapes.count());
  }
  /// Whether a contact of the last step was found by two pairs.
  bool was_any_taken_twice() const;
  /// The common part of both.
  OwnContactList begin_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts);
  /// Makes what steps with patches keep, if this one is such a step.
  void begin_patches(const Crew& crew, const ContactBuffer<D, T>& contacts);
  /// body(list, or the one that matches patches or by place too).
  template <class List, class Body>
  void match_list(const ContactBuffer<D, T>& contacts, const List& list, const Body& body) {
    const bool has_frames = !last.shapes.frames.empty() && !now.shapes.frames.empty();
    const PlaceMatch<D, T> match{last.shapes, now.shapes, last.point, contacts, steadiness, period};
    const AnyPlaceMatch by_place = has_frames ? AnyPlaceMatch(match) : AnyPlaceMatch();
    if (patches.are_asked) {
      body(PatchList<List>{list,
                           by_place,
                           contacts.size(),
                           contacts.source.plane(),
                           patches,
                           {contacts.feature, contacts.part},
                           {last.feature, last.part},
                           last.by_name.plane(),
                           now.by_name.plane(),
                           contacts.part,
                           now.part});
    } else if (has_frames) {
      body(PlacedList<List>{list, by_place});
    } else {
      body(list);
    }
  }
};

template <int D, class T>
void Tracker<D, T>::State::carry_words(const Crew& crew, const WarmPairs& warm_pairs) {
  const std::size_t count = warm_pairs.are_asked() ? pairs.size() : 0;
  resize_scratch(now.words, count);
  now.warm_pairs.begin(crew, count == 0 ? 0 : id_count(), count);
  if (count > 0) last.warm_pairs.cover(id_count());
  match.run(crew, last.warm_pairs, now.warm_pairs,
            WarmList<D, T>{warm_pairs, last_of_now, last.shapes, now.shapes, pairs.data(),
                           last.words.plane(), now.words.plane()});
}

template <int D, class T>
void Tracker<D, T>::State::read_frames(const SceneSpan<D, T>& placed_scene,
                                       const CollideOptions& options) {
  steadiness = options.steadiness;
  now.shapes.frames.clear();
  if (!(steadiness > 0)) return;
  for (int k = 0; k < D; ++k) {
    const auto& [min, max, is_periodic] = placed_scene.domain;
    period[k] = is_periodic[k] ? static_cast<double>(max[k] - min[k]) : 0;
  }
  now.shapes.frames.read(placed_scene, layout_of(placed_scene), options.threads);
}

template <int D, class T>
OwnContactList Tracker<D, T>::State::begin_contacts(const Crew& crew,
                                                    const ContactBuffer<D, T>& contacts) {
  const std::size_t count = contacts.size(), point_count = contacts.point_count();
  if (point_count >= kNoPair) throw Error("a tracker follows no more than 4294967294 points");
  now.contacts.begin(crew, id_count(), count);
  now.contacts.view().skip(count, static_cast<std::uint32_t>(point_count));
  last.contacts.cover(id_count());
  resize_scratch(now.feature, point_count);
  resize_scratch(last_contact, count);
  resize_scratch(last_point, point_count);
  begin_patches(crew, contacts);
  const bool has_frames = !now.shapes.frames.empty();
  resize_scratch(now.point, has_frames ? point_count : 0);
  for (int k = 0; has_frames && k < D; ++k) {
    run_over(crew, point_count, [&](std::size_t begin, std::size_t end) {
      std::copy(contacts.point.plane(k) + begin, contacts.point.plane(k) + end,
                now.point.plane(k) + begin);
    });
  }
  resize_scratch(has_gone_on, last.contacts.size());
  std::fill_n(has_gone_on.plane(), has_gone_on.size(), std::uint8_t{0});
  return {last_of_now,
          contacts.pair.plane(),
          contacts.offset.plane(),
          contacts.feature.plane(),
          last.contacts.view().links,
          last.source.empty() ? nullptr : last.source.plane(),
          last.feature.plane(),
          now.feature.plane(),
          has_gone_on.plane(),
          last_contact.plane(),
          last_point.plane()};
}

template <int D, class T>
void Tracker<D, T>::State::begin_patches(const Crew& crew, const ContactBuffer<D, T>& contacts) {
  patches.are_asked = !contacts.part.empty() || !last.part.empty();
  resize_scratch(now.part, contacts.part.size());
  resize_scratch(now.by_name, patches.are_asked ? contacts.point_count() : 0);
  if (!patches.are_asked) return;
  const std::size_t last_points = last.feature.size();
  patches.begin(last.contacts.size(), last_points);
  if (!last.by_name.empty()) return;
  // The last step had no patches: its contacts are of a pair each.
  resize_scratch(last.by_name, last_points);
  const PartNames names(last.feature, last.part);
  run_over(crew, last.contacts.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      names.sort(last.contacts[i].tag, last.contacts[i + 1].tag, false, last.by_name.plane());
    }
  });
}

template <int D, class T>
void Tracker<D, T>::State::match_own_contacts(const Crew& crew,
                                              const ContactBuffer<D, T>& contacts) {
  now.source.clear();
  match_list(contacts, begin_contacts(crew, contacts),
             [&](const auto& list) { match.run(crew, last.contacts, now.contacts, list); });
}

template <int D, class T>
void Tracker<D, T>::State::match_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts) {
  resize_scratch(now.source, contacts.size());
  bool is_right = true;
  const ContactList list{begin_contacts(crew, contacts), pairs, contacts.source.plane(),
                         now.source.plane(), &is_right};
  match_list(contacts, list,
             [&](const auto& any) { match.run(crew, last.contacts, now.contacts, any); });
  if (!is_right) {
    throw Error(Finding{"contacts", -1, "are not of the pairs that begin_step was given"});
  }
  if (!was_any_taken_twice()) return;
  std::fill_n(has_gone_on.plane(), has_gone_on.size(), std::uint8_t{0});
  if (patches.are_asked) patches.begin(last.contacts.size(), last.feature.size());
  match_list(contacts, list,
             [&](const auto& any) { match.run_again(crew, last.contacts, contacts.size(), any); });
}

template <int D, class T>
bool Tracker<D, T>::State::was_any_taken_twice() const {
  if (patches.are_asked) return patches.was_found_twice;
  const auto taken = std::count_if(last_contact.begin(), last_contact.end(),
                                   [](std::int64_t contact) { return contact >= 0; });
  return taken != std::count(has_gone_on.begin(), has_gone_on.end(), std::uint8_t{1});
}

template <int D, class T>
void Tracker<D, T>::State::list_ended() {
  const std::uint8_t* const begin = has_gone_on.plane();
  const std::uint8_t* const end = begin + has_gone_on.size();
  const auto next_zero = [&](const std::uint8_t* from) {
    if (from == end) return end;
    const void* const zero = std::memchr(from, 0, static_cast<std::size_t>(end - from));
    return zero == nullptr ? end : static_cast<const std::uint8_t*>(zero);
  };
  for (const std::uint8_t* at = next_zero(begin); at != end; at = next_zero(at + 1)) {
    const auto contact = static_cast<std::size_t>(at - begin);
    const Pair pair = last.contacts[contact].pair;
    if (pair.a < 0) continue;  // forgotten
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    ended.pair.push_back({pair});
    ended.key.push_back({last.shapes.key_of(a), last.shapes.key_of(b)});
    ended.world.push_back({std::max(last.shapes.world_of(a), last.shapes.world_of(b))});
    ended.contact.push_back({static_cast<std::int64_t>(contact)});
    const auto is_kept = [&](std::size_t id) -> std::uint8_t {
      return id < last.shapes.moving_count() ? 0 : 1;
    };
    ended.kept.push_back({is_kept(a), is_kept(b)});
  }
}

template <int D, class T>
Tracker<D, T>::Tracker() : state_(std::make_unique<State>()) {}
template <int D, class T>
Tracker<D, T>::~Tracker() = default;
template <int D, class T>
Tracker<D, T>::Tracker(Tracker&&) noexcept = default;
template <int D, class T>
Tracker<D, T>& Tracker<D, T>::operator=(Tracker&&) noexcept = default;

template <int D, class T>
const Column<std::int64_t>& Tracker<D, T>::last_contact() const {
  return state_->last_contact;
}
template <int D, class T>
const Column<std::int64_t>& Tracker<D, T>::last_point() const {
  return state_->last_point;
}
template <int D, class T>
const EndedContacts& Tracker<D, T>::ended() const {
  return state_->ended;
}

template <int D, class T>
void Tracker<D, T>::forget() {
  state_->last.clear();
}

template <int D, class T>
void Tracker<D, T>::forget(std::span<const std::uint8_t> worlds) {
  require_address("worlds", worlds);
  const StepShapes<D, T>& shapes = state_->last.shapes;
  require_entry_a_world("worlds", worlds.size(), shapes.world_count());
  const auto is_forgotten = [&](Pair pair) {
    const std::int32_t world = std::max(shapes.world_of(static_cast<std::size_t>(pair.a)),
                                        shapes.world_of(static_cast<std::size_t>(pair.b)));
    return world >= 0 && worlds[static_cast<std::size_t>(world)] != 0;
  };
  state_->last.warm_pairs.remove_if(is_forgotten);
  state_->last.contacts.remove_if(is_forgotten);
}

template <int D, class T>
std::size_t Tracker<D, T>::bytes() const {
  const State& state = *state_;
  return state.last.bytes() + state.now.bytes() + state.match.bytes() + state.last_of_now.bytes() +
         state.placed.bytes() + state.has_gone_on.bytes() + state.patches.bytes() +
         state.last_contact.bytes() + state.last_point.bytes() + state.ended.pair.bytes() +
         state.ended.key.bytes() + state.ended.world.bytes() + state.ended.contact.bytes() +
         state.ended.kept.bytes();
}

namespace {

/// Begins a step: if it throws, nothing of the last step is reported.
template <int D, class T>
void begin_call(const CollideOptions& options, ContactBuffer<D, T>& contacts,
                Tracker<D, T>& tracker) {
  contacts.clear();
  tracker.state().clear_answers();
  if (options.warm_starts.empty()) return;
  throw Error(Finding{"warm_starts", -1, "are the tracker's own; leave them empty"});
}

/// The pairs are of this scene; `placed` is the scene with its shapes placed.
template <int D, class T>
std::span<WarmStart> begin_with(const SceneSpan<D, T>& scene, const SceneSpan<D, T>& placed,
                                std::span<const Pair> pairs, Tracker<D, T>& tracker,
                                const CollideOptions& options, bool are_found) {
  auto& state = tracker.state();
  if (pairs.size() >= kNoPair) throw Error("a tracker follows no more than 4294967294 pairs");
  state.pairs = pairs;
  state.are_found = are_found;
  StepShapes<D, T>& shapes = state.now.shapes;
  shapes.layout = layout_of(scene);
  shapes.names.read(scene, shapes.layout, options.threads);
  shapes.kept = scene.kept == nullptr ? nullptr : scene.kept->state().named;
  const SceneLayout* const kept = shapes.kept == nullptr ? nullptr : &shapes.kept->layout;
  const Crew crew = crew_for(options.threads, pairs.size());
  state.last_of_now.match(crew, shapes, state.last.shapes);
  state.carry_words(crew, WarmPairs(shapes.layout, kept, D, options));
  state.read_frames(placed, options);
  state.has_begun = true;
  return {state.now.words.plane(), state.now.words.size()};
}

/// `is_own`: the contacts are of the step's pairs, none of which occurs twice.
template <int D, class T>
void end_with(const ContactBuffer<D, T>& contacts, Tracker<D, T>& tracker,
              const CollideOptions& options, bool is_own) {
  auto& state = tracker.state();
  const Crew crew = crew_for(options.threads, contacts.size());
  if (is_own && state.last.source.empty()) {
    state.match_own_contacts(crew, contacts);
  } else {
    state.match_contacts(crew, contacts);
    if (is_own) state.now.source.clear();
  }
  state.list_ended();
  state.last.make_room_of(state.now);  // before they are swapped: it may fail
  std::swap(state.last, state.now);
  state.has_begun = false;
  state.pairs = {};
}

/// Throws `Error` for an id out of range.
template <int D, class T>
void require_pairs(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                   const CollideOptions& options) {
  const SceneLayout layout = reported_layout(scene);
  require_threads(options.threads);
  require_address("pairs", pairs);
  bool is_right = true;
  bool* const flag = &is_right;
  run_over(crew_for(options.threads, pairs.size()), pairs.size(),
           [&, flag](std::size_t begin, std::size_t end) {
             const auto count = static_cast<std::uint32_t>(layout.shape_count());
             bool is_wrong = false;
             for (const Pair pair : pairs.subspan(begin, end - begin)) {
               is_wrong |= (static_cast<std::uint32_t>(pair.a) >= count) |
                           (static_cast<std::uint32_t>(pair.b) >= count) | (pair.a == pair.b);
             }
             if (is_wrong) std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
           });
  if (!is_right) throw Error(validate_pairs(layout, pairs).front());
}

/// The rest of a call, after the pairs. `is_own`: no pair occurs twice.
template <int D, class T>
void find_tracked_contacts(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                           ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                           Tracker<D, T>& tracker, const CollideOptions& options, bool is_own) {
  const Stopwatch before;
  CollideOptions own = options;
  if (!is_own) require_pairs(scene, pairs, options);
  own.warm_starts = begin_with<D, T>(scene, workspace.state().rows.placed_scene(scene), pairs,
                                     tracker, options, is_own);
  const double seconds = before.seconds();
  try {
    find_contacts<D, T>(scene, pairs, contacts, workspace, own);
    const Stopwatch after;
    end_with(contacts, tracker, options, is_own);
    workspace.state().stats.track_seconds = seconds + after.seconds();
  } catch (...) {
    tracker.state().clear_answers();
    contacts.clear();
    throw;
  }
}

}  // namespace

template <int D, class T>
const Step<D, T>& last_step(Tracker<D, T>& tracker) {
  return tracker.state().last;
}

template <int D, class T>
void replace_last_step(Tracker<D, T>& tracker, const StepColumns<D, T>& columns) {
  const Crew alone;
  Step<D, T>& step = tracker.state().now;
  step.clear();
  StepShapes<D, T>& shapes = step.shapes;
  shapes.layout = columns.layout;
  shapes.names.count = columns.key.size();
  shapes.names.key = columns.key;
  shapes.names.world = columns.world;
  shapes.frames.layout = columns.layout;
  shapes.frames.frame = columns.frame;
  shapes.kept = tracker.state().last.shapes.kept;
  const auto put = [&](PairChains& chains, const Column<Pair>& pairs, const auto& tag_of) {
    chains.begin(alone, shapes.count(), pairs.size());
    const PairChains::View view = chains.view();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto place = static_cast<std::uint32_t>(i);
      if (i > 0 && pairs[i] == pairs[i - 1]) {
        view.skip(i, tag_of(i), pairs[i]);
      } else {
        view.push(view.chain_of(ascending(pairs[i])), place, pairs[i], tag_of(i), false);
      }
    }
  };
  put(step.warm_pairs, columns.warm_pair, [](std::size_t) { return 0u; });
  step.words = columns.words;
  put(step.contacts, columns.pair, [&](std::size_t i) { return columns.offset[i]; });
  const std::size_t points = columns.feature.size();
  step.contacts.view().skip(columns.pair.size(), static_cast<std::uint32_t>(points));
  step.feature = columns.feature;
  step.part = columns.part;
  step.point = columns.point;
  step.by_name.resize_uninitialized(columns.part.empty() ? 0 : points);
  const PartNames names(step.feature, step.part);
  for (std::size_t i = 0, end = 0; i < columns.pair.size() && !columns.part.empty(); i = end) {
    for (end = i + 1; end < columns.pair.size() && columns.pair[end] == columns.pair[i];) ++end;
    names.sort(columns.offset[i], columns.offset[end], false, step.by_name.plane());
  }
  std::swap(tracker.state().last, step);
}

template <int D, class T>
std::span<WarmStart> begin_step(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                Tracker<D, T>& tracker, const CollideOptions& options) {
  auto& state = tracker.state();
  state.clear_answers();
  if (!has_right_lengths(scene)) {
    for (const Finding& finding : validate(scene, 0, kNoCap)) {
      if (finding.row < 0) throw Error(finding);
    }
  }
  require_pairs<D, T>(scene, pairs, options);
  if (!(options.steadiness > 0) || scene.bodies.empty()) {
    return begin_with<D, T>(scene, scene, pairs, tracker, options, false);
  }
  // The stages report faulty poses; here they match nothing.
  state.placed.place(scene, scene.bodies, options.threads, PoseFaults::not_a_number);
  return begin_with<D, T>(scene, state.placed.scene(), pairs, tracker, options, false);
}

template <int D, class T>
void end_step(const ContactBuffer<D, T>& contacts, Tracker<D, T>& tracker,
              const CollideOptions& options) {
  require_threads(options.threads);
  if (!tracker.state().has_begun) {
    throw Error(Finding{"contacts", -1, "have no begin_step before them; call it once for each"});
  }
  try {
    end_with(contacts, tracker, options, false);
  } catch (...) {
    tracker.state().clear_answers();
    throw;
  }
}

template <int D, class T>
void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
             Tracker<D, T>& tracker, const CollideOptions& options) {
  begin_call(options, contacts, tracker);
  const CollideOptions own = with_chosen_isa(options);
  update_bounds<D, T>(scene, workspace, own);
  find_pairs<D, T>(scene, workspace, own);
  const Column<Pair>& pairs = workspace.pairs();
  find_tracked_contacts<D, T>(scene, {pairs.plane(), pairs.size()}, contacts, workspace, tracker,
                              own, true);
}

template <int D, class T>
void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                   ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                   Tracker<D, T>& tracker, const CollideOptions& options) {
  begin_call(options, contacts, tracker);
  const CollideOptions own = with_chosen_isa(options);
  update_bounds<D, T>(scene, workspace, own);
  find_tracked_contacts<D, T>(scene, pairs, contacts, workspace, tracker, own, false);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template class Tracker<D, T>;                                                                 \
  template void collide(SceneArgument<D, T>, ContactBuffer<D, T>&, Workspace<D, T>&,            \
                        Tracker<D, T>&, const CollideOptions&);                                 \
  template void collide_pairs(SceneArgument<D, T>, std::span<const Pair>, ContactBuffer<D, T>&, \
                              Workspace<D, T>&, Tracker<D, T>&, const CollideOptions&);         \
  template std::span<WarmStart> begin_step(SceneArgument<D, T>, std::span<const Pair>,          \
                                           Tracker<D, T>&, const CollideOptions&);              \
  template void end_step(const ContactBuffer<D, T>&, Tracker<D, T>&, const CollideOptions&);     \
  template const Step<D, T>& last_step(Tracker<D, T>&);                                         \
  template void replace_last_step(Tracker<D, T>&, const StepColumns<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
