#include <widephase/tracker.hpp>

#include "core/warm_words.hpp"
#include "narrow_phase.hpp"
#include "pair_rows.hpp"
#include "shape_names.hpp"

namespace widephase {

namespace {

/// What is kept of a step.
struct Step {
  ShapeNames shapes;
  Column<Pair> pairs;                     ///< as they were named
  PairRows rows;                          ///< of `pairs`
  Column<WarmStart> words;                ///< by pair; empty: none were kept
  Column<std::uint32_t> contact_of_pair;  ///< or kNoPair
  Column<std::uint32_t> pair_of_contact;
  Column<std::int64_t> offset;  ///< of contacts into the points
  Column<std::uint32_t> feature;

  void clear() {
    shapes.clear();
    pairs.clear();
    rows.clear();
    words.clear();
    contact_of_pair.clear();
    pair_of_contact.clear();
    offset.clear();
    feature.clear();
  }
  /// Steps change places: either must have the other's room, so that only what grows allocates.
  void make_room_of(const Step& other) {
    const auto make_room = [](auto& column, const auto& of) { column.reserve(of.capacity()); };
    make_room(pairs, other.pairs);
    rows.make_room_of(other.rows);
    make_room(words, other.words);
    make_room(contact_of_pair, other.contact_of_pair);
    make_room(pair_of_contact, other.pair_of_contact);
    make_room(offset, other.offset);
    make_room(feature, other.feature);
  }
  std::size_t bytes() const {
    return shapes.bytes() + pairs.bytes() + rows.bytes() + words.bytes() + contact_of_pair.bytes() +
           pair_of_contact.bytes() + offset.bytes() + feature.bytes();
  }
};

/// body(begin, end) over [0, count) in chunks.
template <class Body>
void run_over(const Crew& crew, std::size_t count, const Body& body) {
  crew.run_ranges(count, crew.chunk_count(count, kPairGrain), 1,
                  [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
}

Crew crew_for(const Threads& threads, std::size_t count) {
  return {&threads, count < 2 * kPairGrain ? 1 : thread_count(threads)};
}

template <class C>
void copy(const Crew& crew, const C& from, C& to) {
  resize_scratch(to, from.size());
  run_over(crew, from.size(), [&](std::size_t begin, std::size_t end) {
    std::copy(from.plane() + begin, from.plane() + end, to.plane() + begin);
  });
}

/// Whether kernels read words of a step's pairs.
template <int D, class T>
bool reads_words(const SceneSpan<D, T>& scene, const CollideOptions& options) {
  if constexpr (D == 2) {
    return false;
  } else {
    return row_count(scene.hulls) > 0 || row_count(scene.cylinders) > 0 ||
           options.method == Method::gjk_epa || options.steadiness > 0;
  }
}

constexpr std::uint32_t mirrored_feature(std::uint32_t feature) {
  return feature << 16 | feature >> 16;
}

}  // namespace

template <int D, class T>
struct Tracker<D, T>::State {
  Step last, now;
  bool has_begun = false;  ///< `now` has its pairs and waits for their contacts
  ShapeMatch now_of_last;
  PairRows last_rows;  ///< of last step's pairs by this step's ids, where those are others
  PairRowScratch scratch;
  Column<std::uint32_t> last_pair;   ///< by pair: its place in last step's list, or kNoPair
  Column<std::uint8_t> has_gone_on;  ///< by contact of the last step
  Column<std::int64_t> last_contact, last_point;
  EndedContacts ended;

  void match_pairs(const Crew& crew);
  void carry_words(const Crew& crew);
  /// Throws `Error` where a contact is not of this step's pairs.
  void match_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts);
  void match_points(const ContactBuffer<D, T>& contacts, std::int64_t begin, std::int64_t end,
                    std::int64_t last_begin, std::int64_t last_end, bool is_swapped);
  void list_ended();
  /// Until a step has ended there are none.
  void clear_answers() {
    last_contact.clear();
    last_point.clear();
    ended.pair.clear();
    ended.key.clear();
    ended.world.clear();
    ended.contact.clear();
  }
};

template <int D, class T>
void Tracker<D, T>::State::match_pairs(const Crew& crew) {
  const std::size_t shape_count = now.shapes.count;
  now.rows.build(
      crew, shape_count, now.pairs.size(), [&](std::size_t i) { return ascending(now.pairs[i]); },
      scratch);
  now_of_last.match(crew, last.shapes, now.shapes);
  if (now_of_last.is_identity()) {
    now.rows.match(crew, shape_count, last.rows, scratch, last_pair);
    return;
  }
  // Pairs that lost a shape go to a row of no shape.
  const auto none = static_cast<std::int32_t>(shape_count);
  last_rows.build(
      crew, shape_count + 1, last.pairs.size(),
      [&](std::size_t i) {
        const Pair pair{now_of_last(last.pairs[i].a), now_of_last(last.pairs[i].b)};
        return pair.a < 0 || pair.b < 0 ? Pair{none, none} : ascending(pair);
      },
      scratch);
  now.rows.match(crew, shape_count, last_rows, scratch, last_pair);
}

template <int D, class T>
void Tracker<D, T>::State::carry_words(const Crew& crew) {
  resize_scratch(now.words, now.pairs.size());
  run_over(crew, now.pairs.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t before = last.words.empty() ? kNoPair : last_pair[i];
      now.words[i] = before == kNoPair ? WarmStart{} : last.words[before];
      if (before == kNoPair || now_of_last.is_identity()) continue;
      // Words are of the pair with its lower id first.
      const std::int32_t first = now_of_last(ascending(last.pairs[before]).a);
      if (first != ascending(now.pairs[i]).a) now.words[i] = mirrored(now.words[i]);
    }
  });
}

template <int D, class T>
void Tracker<D, T>::State::match_contacts(const Crew& crew, const ContactBuffer<D, T>& contacts) {
  const std::size_t pair_count = now.pairs.size(), count = contacts.size();
  const std::size_t last_count = last.pair_of_contact.size();
  resize_scratch(now.contact_of_pair, pair_count);
  resize_scratch(now.pair_of_contact, count);
  resize_scratch(last_contact, count);
  resize_scratch(last_point, contacts.point_count());
  resize_scratch(has_gone_on, last_count);
  std::fill_n(has_gone_on.plane(), last_count, std::uint8_t{0});
  run_over(crew, pair_count, [&](std::size_t begin, std::size_t end) {
    std::fill(now.contact_of_pair.plane() + begin, now.contact_of_pair.plane() + end, kNoPair);
  });
  bool is_right = true;
  bool* const flag = &is_right;
  run_over(crew, count, [&, flag](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto place = static_cast<std::size_t>(contacts.source[i]);
      const Pair pair = contacts.pair[i];
      if (place >= pair_count || now.pairs[place] != pair) {
        __atomic_store_n(flag, false, __ATOMIC_RELAXED);
        return;
      }
      now.pair_of_contact[i] = static_cast<std::uint32_t>(place);
      now.contact_of_pair[place] = static_cast<std::uint32_t>(i);
      const std::int64_t first = contacts.offset[i], point_end = contacts.offset[i + 1];
      const std::uint32_t last_place = last_pair[place];
      const std::uint32_t before =
          last_place == kNoPair ? kNoPair : last.contact_of_pair[last_place];
      std::fill(last_point.plane() + first, last_point.plane() + point_end, std::int64_t{-1});
      last_contact[i] = before == kNoPair ? std::int64_t{-1} : std::int64_t{before};
      if (before == kNoPair) continue;
      has_gone_on[before] = 1;
      match_points(contacts, first, point_end, last.offset[before], last.offset[before + 1],
                   now_of_last(last.pairs[last_place].a) != pair.a);
    }
  });
  if (!is_right) {
    throw Error(Finding{"contacts", -1, "are not of the pairs that begin_step was given"});
  }
}

/// Features are told apart within a manifold; were one there twice, each would be named once.
template <int D, class T>
void Tracker<D, T>::State::match_points(const ContactBuffer<D, T>& contacts, std::int64_t begin,
                                        std::int64_t end, std::int64_t last_begin,
                                        std::int64_t last_end, bool is_swapped) {
  const std::uint32_t* const own = contacts.feature.plane();
  const std::uint32_t* const others = last.feature.plane();
  std::uint32_t is_left = (1u << (last_end - last_begin)) - 1;
  for (std::int64_t p = begin; p < end; ++p) {
    const std::uint32_t feature = is_swapped ? mirrored_feature(own[p]) : own[p];
    for (std::uint32_t left = is_left; left != 0; left &= left - 1) {
      const std::int64_t point = last_begin + std::countr_zero(left);
      if (others[point] != feature) continue;
      last_point.plane()[p] = point;
      is_left &= ~(left & (0 - left));
      break;
    }
  }
}

template <int D, class T>
void Tracker<D, T>::State::list_ended() {
  const std::uint8_t* const begin = has_gone_on.plane();
  const std::uint8_t* const end = begin + has_gone_on.size();
  for (const std::uint8_t* at = std::find(begin, end, 0); at != end;
       at = std::find(at + 1, end, 0)) {
    const auto contact = static_cast<std::size_t>(at - begin);
    const std::uint32_t place = last.pair_of_contact[contact];
    if (last.contact_of_pair[place] == kNoPair) continue;  // forgotten
    const Pair pair = last.pairs[place];
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    ended.pair.push_back({pair});
    ended.key.push_back({last.shapes.key_of(a), last.shapes.key_of(b)});
    ended.world.push_back({std::max(last.shapes.world_of(a), last.shapes.world_of(b))});
    ended.contact.push_back({static_cast<std::int64_t>(contact)});
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
  std::fill_n(state_->last_pair.plane(), state_->last_pair.size(), kNoPair);
}

template <int D, class T>
void Tracker<D, T>::forget(std::span<const std::uint8_t> worlds) {
  Step& last = state_->last;
  for (std::size_t i = 0; i < last.pairs.size(); ++i) {
    const std::int32_t world =
        std::max(last.shapes.world_of(static_cast<std::size_t>(last.pairs[i].a)),
                 last.shapes.world_of(static_cast<std::size_t>(last.pairs[i].b)));
    if (world < 0 || static_cast<std::size_t>(world) >= worlds.size()) continue;
    if (worlds[static_cast<std::size_t>(world)] == 0) continue;
    last.contact_of_pair[i] = kNoPair;
    if (!last.words.empty()) last.words[i] = {};
  }
}

template <int D, class T>
std::size_t Tracker<D, T>::bytes() const {
  const State& state = *state_;
  return state.last.bytes() + state.now.bytes() + state.now_of_last.bytes() +
         state.last_rows.bytes() + state.scratch.bytes() + state.last_pair.bytes() +
         state.has_gone_on.bytes() + state.last_contact.bytes() + state.last_point.bytes() +
         state.ended.pair.bytes() + state.ended.key.bytes() + state.ended.world.bytes() +
         state.ended.contact.bytes();
}

template <int D, class T>
std::span<WarmStart> begin_step(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                Tracker<D, T>& tracker, const CollideOptions& options) {
  auto& state = tracker.state();
  Step& now = state.now;
  state.has_begun = false;
  state.clear_answers();
  if (pairs.size() >= kNoPair) throw Error("a tracker follows no more than 4294967294 pairs");
  const SceneLayout layout = layout_of(scene);
  const Crew crew = crew_for(options.threads, pairs.size());
  resize_scratch(now.pairs, pairs.size());
  bool is_right = true;
  bool* const flag = &is_right;
  run_over(crew, pairs.size(), [&, flag](std::size_t begin, std::size_t end) {
    const auto count = static_cast<std::uint32_t>(layout.shape_count());
    bool is_wrong = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Pair pair = pairs[i];
      now.pairs[i] = pair;
      is_wrong |= (static_cast<std::uint32_t>(pair.a) >= count) |
                  (static_cast<std::uint32_t>(pair.b) >= count) | (pair.a == pair.b);
    }
    if (is_wrong) __atomic_store_n(flag, false, __ATOMIC_RELAXED);
  });
  if (!is_right) throw Error(validate_pairs(layout, pairs).front());
  now.shapes.read(scene, layout, options.threads);
  state.match_pairs(crew);
  now.words.clear();
  if (reads_words<D, T>(scene, options)) state.carry_words(crew);
  state.has_begun = true;
  return {now.words.plane(), now.words.size()};
}

template <int D, class T>
void end_step(const ContactBuffer<D, T>& contacts, Tracker<D, T>& tracker,
              const CollideOptions& options) {
  auto& state = tracker.state();
  Step& now = state.now;
  if (!state.has_begun) {
    throw Error(Finding{"contacts", -1, "have no begin_step before them; call it once for each"});
  }
  const Crew crew = crew_for(options.threads, std::max(contacts.size(), now.pairs.size()));
  try {
    state.match_contacts(crew, contacts);
    state.list_ended();
    copy(crew, contacts.offset, now.offset);
    copy(crew, contacts.feature, now.feature);
    state.last.make_room_of(now);
  } catch (...) {
    state.clear_answers();
    throw;
  }
  std::swap(state.last, state.now);
  state.has_begun = false;
}

namespace {

/// What a step begins with: nothing of the last one's is told where it throws.
template <int D, class T>
void begin_call(const CollideOptions& options, ContactBuffer<D, T>& contacts,
                Tracker<D, T>& tracker) {
  contacts.clear();
  tracker.state().has_begun = false;
  tracker.state().clear_answers();
  if (options.warm_starts.empty()) return;
  throw Error(Finding{"warm_starts", -1, "are the tracker's own; leave them empty"});
}

template <int D, class T>
void find_tracked_contacts(const SceneSpan<D, T>& scene, std::span<const Pair> pairs,
                           ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                           Tracker<D, T>& tracker, const CollideOptions& options) {
  CollideOptions own = options;
  own.warm_starts = begin_step<D, T>(scene, pairs, tracker, options);
  try {
    find_contacts<D, T>(scene, pairs, contacts, workspace, own);
    end_step(contacts, tracker, options);
  } catch (...) {
    tracker.state().has_begun = false;
    contacts.clear();
    throw;
  }
}

}  // namespace

template <int D, class T>
void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
             Tracker<D, T>& tracker, const CollideOptions& options) {
  begin_call(options, contacts, tracker);
  update_bounds<D, T>(scene, workspace, options);
  find_pairs<D, T>(scene, workspace, options);
  const Column<Pair>& pairs = workspace.pairs();
  find_tracked_contacts<D, T>(scene, {pairs.plane(), pairs.size()}, contacts, workspace, tracker,
                              options);
}

template <int D, class T>
void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                   ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                   Tracker<D, T>& tracker, const CollideOptions& options) {
  begin_call(options, contacts, tracker);
  update_bounds<D, T>(scene, workspace, options);
  find_tracked_contacts<D, T>(scene, pairs, contacts, workspace, tracker, options);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template class Tracker<D, T>;                                                                 \
  template void collide(SceneArgument<D, T>, ContactBuffer<D, T>&, Workspace<D, T>&,            \
                        Tracker<D, T>&, const CollideOptions&);                                 \
  template void collide_pairs(SceneArgument<D, T>, std::span<const Pair>, ContactBuffer<D, T>&, \
                              Workspace<D, T>&, Tracker<D, T>&, const CollideOptions&);         \
  template std::span<WarmStart> begin_step(SceneArgument<D, T>, std::span<const Pair>,          \
                                           Tracker<D, T>&, const CollideOptions&);              \
  template void end_step(const ContactBuffer<D, T>&, Tracker<D, T>&, const CollideOptions&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(2, Mixed)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(3, double)
WIDEPHASE_INSTANTIATE(3, Mixed)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase
