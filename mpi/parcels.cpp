// What is kept of pairs, as it is sent to other ranks, and as it becomes a rank's last step.

#include <algorithm>
#include <tuple>

#include "mpi/tracker_state.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// Appends rows [begin, end) of a column, or as many of `otherwise` from an empty one.
template <class C>
void append_range(const C& from, std::size_t begin, std::size_t end,
                  const std::array<typename C::value_type, C::width>& otherwise, C& to) {
  for (std::size_t row = begin; row < end; ++row) {
    to.push_back(from.empty() ? otherwise : from.row(row));
  }
}

/// Where each of a list of groups begins, and where the last one ends.
std::vector<std::size_t> begins_of(const Column<std::int32_t>& counts) {
  std::vector<std::size_t> begins(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    begins[i + 1] = begins[i] + static_cast<std::size_t>(counts[i]);
  }
  return begins;
}

}  // namespace

template <int D, class T>
Parcel<D, T> DistributedTracker<D, T>::State::parcel_of(const std::vector<std::uint32_t>& chosen) {
  const Step<D, T>& last = last_step(tracker);
  const auto moving = static_cast<std::int32_t>(last.shapes.moving_count());
  Parcel<D, T> parcel;
  std::vector<std::int32_t> place(last.shapes.moving_count(), -1);
  for (const std::uint32_t i : chosen) {
    for (const std::int32_t id : {records_[i].pair.a, records_[i].pair.b}) {
      if (id < moving) place[static_cast<std::size_t>(id)] = 0;
    }
  }
  for (std::size_t id = 0; id < place.size(); ++id) {
    if (place[id] < 0) continue;
    place[id] = static_cast<std::int32_t>(parcel.shape.size());
    parcel.shape.push_back({world_id_[id]});
    parcel.key.push_back({last.shapes.names.key_of(id)});
    parcel.world.push_back({last.shapes.names.world_of(id)});
    if (!last.shapes.frames.empty()) parcel.frame.push_back({last.shapes.frames.frame[id]});
  }
  const auto named = [&](std::int32_t id) {
    return id < moving ? place[static_cast<std::size_t>(id)] : ~(id - moving);
  };
  const bool has_words = std::any_of(chosen.begin(), chosen.end(),
                                     [&](std::uint32_t i) { return records_[i].warm != kNowhere; });
  for (const std::uint32_t i : chosen) {
    const Record& record = records_[i];
    parcel.pair.push_back({Pair{named(record.pair.a), named(record.pair.b)}});
    const bool is_warm = record.warm != kNowhere;
    parcel.has_words.push_back({static_cast<std::uint8_t>(is_warm ? 1 : 0)});
    if (has_words) parcel.words.push_back({is_warm ? last.words[record.warm] : WarmStart{}});
    std::size_t end = record.contact;
    while (end != kNowhere && end < last.contacts.size() &&
           last.contacts[end].pair == last.contacts[record.contact].pair) {
      const std::uint32_t first = last.contacts[end].tag, behind = last.contacts[end + 1].tag;
      parcel.number.push_back({number_of(end)});
      parcel.first_point.push_back({number_of_point(first)});
      parcel.points.push_back({static_cast<std::int32_t>(behind - first)});
      append_range(last.feature, first, behind, {}, parcel.feature);
      if (!last.part.empty()) append_range(last.part, first, behind, {}, parcel.part);
      if (!last.point.empty()) append_range(last.point, first, behind, {}, parcel.point);
      ++end;
    }
    parcel.contacts.push_back({static_cast<std::int32_t>(end - record.contact)});
  }
  return parcel;
}

/// The last step becomes that of the pairs that stay and of those that came.
template <int D, class T>
void DistributedTracker<D, T>::State::settle() {
  std::vector<std::uint32_t> staying;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (leaves_[i] == 0) staying.push_back(static_cast<std::uint32_t>(i));
  }
  if (arrived_.empty() && staying.size() == records_.size()) return;
  std::vector<Parcel<D, T>>& parcels = arrived_;
  parcels.insert(parcels.begin(), parcel_of(staying));
  StepColumns<D, T> step;
  Column<std::int32_t> world_id;
  Column<std::uint8_t> was_inner;
  Column<std::int64_t> number, point_number;
  const auto has = [&](const auto& is_there) {
    return std::any_of(parcels.begin(), parcels.end(), is_there);
  };
  const bool has_frames = has([](const auto& parcel) { return !parcel.frame.empty(); });
  const bool has_parts = has([](const auto& parcel) { return !parcel.part.empty(); });
  const bool has_points = has([](const auto& parcel) { return !parcel.point.empty(); });

  struct Place {
    std::int32_t shape;
    std::size_t parcel, row;
  };
  std::vector<Place> shapes;
  std::vector<std::vector<std::int32_t>> place(parcels.size());
  for (std::size_t p = 0; p < parcels.size(); ++p) {
    place[p].resize(parcels[p].shape.size());
    for (std::size_t row = 0; row < place[p].size(); ++row) {
      shapes.push_back({parcels[p].shape[row], p, row});
    }
  }
  std::sort(shapes.begin(), shapes.end(), [](const Place& a, const Place& b) {
    return std::tie(a.shape, a.parcel) < std::tie(b.shape, b.parcel);
  });
  std::array<std::int32_t, kKindCount> counts{};
  for (const auto& [shape, p, row] : shapes) {
    if (world_id.empty() || world_id[world_id.size() - 1] != shape) {
      const Parcel<D, T>& parcel = parcels[p];
      const auto* const old = std::lower_bound(world_id_.begin(), world_id_.end(), shape);
      const bool was_here = old != world_id_.end() && *old == shape;
      was_inner.push_back({was_here ? was_inner_[static_cast<std::size_t>(old - world_id_.begin())]
                                    : std::uint8_t{0}});
      world_id.push_back({shape});
      step.key.push_back({parcel.key[row]});
      step.world.push_back({parcel.world[row]});
      if (has_frames) append_range(parcel.frame, row, row + 1, {}, step.frame);
      ++counts[static_cast<std::size_t>(world_layout_.kind_of(shape))];
    }
    place[p][row] = static_cast<std::int32_t>(world_id.size()) - 1;
  }
  for (std::size_t k = 0; k < kKindCount; ++k) {
    step.layout.first[k + 1] = step.layout.first[k] + counts[k];
  }

  struct Source {
    std::uint64_t ids;
    Pair pair;
    std::size_t parcel, row;
  };
  std::vector<Source> sources;
  std::vector<std::vector<std::size_t>> contact_begin, point_begin;
  const std::int32_t moving = step.layout.shape_count();
  for (std::size_t p = 0; p < parcels.size(); ++p) {
    contact_begin.push_back(begins_of(parcels[p].contacts));
    point_begin.push_back(begins_of(parcels[p].points));
    const auto id_of = [&](std::int32_t named) {
      return named < 0 ? moving + ~named : place[p][static_cast<std::size_t>(named)];
    };
    for (std::size_t row = 0; row < parcels[p].pair.size(); ++row) {
      const Pair pair{id_of(parcels[p].pair[row].a), id_of(parcels[p].pair[row].b)};
      sources.push_back({word_of(pair), pair, p, row});
    }
  }
  std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
    return std::tie(a.ids, a.parcel) < std::tie(b.ids, b.parcel);
  });
  step.offset.push_back({0u});
  for (const Source& source : sources) {
    const Parcel<D, T>& parcel = parcels[source.parcel];
    if (parcel.has_words[source.row] != 0) {
      step.warm_pair.push_back({source.pair});
      step.words.push_back({parcel.words[source.row]});
    }
    const std::size_t end = contact_begin[source.parcel][source.row + 1];
    for (std::size_t i = contact_begin[source.parcel][source.row]; i < end; ++i) {
      step.pair.push_back({source.pair});
      number.push_back({parcel.number[i]});
      const std::size_t first = point_begin[source.parcel][i];
      const std::size_t behind = point_begin[source.parcel][i + 1];
      for (std::size_t point = first; point < behind; ++point) {
        point_number.push_back({parcel.first_point[i] + static_cast<std::int64_t>(point - first)});
      }
      append_range(parcel.feature, first, behind, {}, step.feature);
      if (has_parts) append_range(parcel.part, first, behind, {-1, -1}, step.part);
      if (has_points) append_range(parcel.point, first, behind, {}, step.point);
      step.offset.push_back({static_cast<std::uint32_t>(step.feature.size())});
    }
  }
  replace_last_step(tracker, step);
  world_id_ = std::move(world_id);
  was_inner_ = std::move(was_inner);
  number_ = std::move(number);
  point_number_ = std::move(point_number);
}

#define WIDEPHASE_INSTANTIATE(D, T) template struct DistributedTracker<D, T>::State;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
