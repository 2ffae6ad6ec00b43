#pragma once

// What a tracker on several ranks says of a step, as one machine's would say it.

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include <widephase/distributed_scene.hpp>

#include "mpi/messages.hpp"
#include "mpi/rows.hpp"
#include "tools/formats/contacts_file.hpp"

namespace widephase::tools {

/// Brings the events of all ranks to rank 0, step after step. There contacts and points have the
/// places that `gather` gives them.
template <int D, class T>
class EventGatherer {
 public:
  /// Collective; the other ranks' answer is empty. Of `ended` it has pairs and places alone.
  ContactEvents gather(const Communicator& ranks, const ContactBuffer<D, T>& contacts,
                       const DistributedTracker<D, T>& tracker) {
    Column<std::int64_t> points;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      points.push_back({contacts.offset[i + 1] - contacts.offset[i]});
    }
    Packer packer;
    const auto add = [&](const auto& column) {
      packer.add(column.size());
      packer.add_all(column);
    };
    add(contacts.pair);
    add(points);
    add(tracker.last_contact());
    add(tracker.last_point());
    add(tracker.ended().pair);
    add(tracker.ended().contact);
    std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(ranks.size()));
    outgoing[0] = packer.take();
    const std::vector<Message> messages = exchange_messages(ranks, outgoing);
    return ranks.rank() == 0 ? in_order(messages) : ContactEvents{};
  }

 private:
  ContactEvents in_order(const std::vector<Message>& messages) {
    Column<Pair> pairs, ended_pairs;
    Column<std::int64_t> points, last_contact, last_point, ended_contacts;
    for (const Message& message : messages) {  // in the order of ranks, by which numbers count
      Unpacker unpacker(message.bytes);
      const auto take = [&](auto& column) { unpacker.take(unpacker.count(), column); };
      take(pairs);
      take(points);
      take(last_contact);
      take(last_point);
      take(ended_pairs);
      take(ended_contacts);
    }
    const std::vector<std::size_t> order = sorted(pairs.size(), [&](std::size_t i) {
      return std::tuple(pairs[i].a, pairs[i].b, i);
    });
    std::vector<std::int64_t> first_point(pairs.size() + 1, 0);
    std::inclusive_scan(points.begin(), points.end(), first_point.begin() + 1);
    std::vector<std::int64_t> contact_place(pairs.size()), point_place(last_point.size());
    const auto placed = [](const std::vector<std::int64_t>& places, std::int64_t number) {
      return number < 0 ? -1 : places[static_cast<std::size_t>(number)];
    };
    ContactEvents events;
    for (const std::size_t contact : order) {
      contact_place[contact] = static_cast<std::int64_t>(events.last_contact.size());
      events.last_contact.push_back({placed(last_contact_place_, last_contact[contact])});
      for (std::int64_t p = first_point[contact]; p < first_point[contact + 1]; ++p) {
        const auto point = static_cast<std::size_t>(p);
        point_place[point] = static_cast<std::int64_t>(events.last_point.size());
        events.last_point.push_back({placed(last_point_place_, last_point[point])});
      }
    }
    const auto place_of = [&](std::size_t i) {
      return placed(last_contact_place_, ended_contacts[i]);
    };
    for (const std::size_t i : sorted(ended_pairs.size(), place_of)) {
      events.ended.pair.push_back({ended_pairs[i]});
      events.ended.contact.push_back({place_of(i)});
    }
    last_contact_place_ = std::move(contact_place);
    last_point_place_ = std::move(point_place);
    return events;
  }

  template <class Key>
  static std::vector<std::size_t> sorted(std::size_t count, const Key& key) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
  }

  std::vector<std::int64_t> last_contact_place_, last_point_place_;  ///< by last step's numbers
};

}  // namespace widephase::tools
