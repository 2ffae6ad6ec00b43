// The contacts of all ranks in one place, or in one number.

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "mpi/scene_state.hpp"
#include "pipeline/narrow/contacts_in_order.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

template <int D, class T>
std::vector<std::byte> packed_contacts(const ContactBuffer<D, T>& contacts) {
  Packer packer;
  std::vector<std::uint32_t> rows(std::max(contacts.size(), contacts.point_count()) + 1);
  std::iota(rows.begin(), rows.end(), 0u);
  const auto add = [&](const auto& column) { packer.add(column, {rows.data(), column.size()}); };
  packer.add(contacts.size());
  packer.add(contacts.point_count());
  packer.add(contacts.part.empty() ? 0 : 1);
  for_each_contact_column(add, contacts);
  // A buffer that nothing was written to has no offset at all.
  if (contacts.size() != 0) add(contacts.offset);
  for_each_point_column(add, contacts);
  return packer.take();
}

/// Appends a message's contacts; all have parts if one has.
template <int D, class T>
void unpack_contacts(std::span<const std::byte> message, bool has_parts,
                     ContactBuffer<D, T>& contacts) {
  Unpacker unpacker(message);
  const std::size_t count = unpacker.count(), points = unpacker.count();
  const bool has_own_parts = unpacker.count() != 0;
  const auto first_point = static_cast<std::int64_t>(contacts.point_count());
  for_each_contact_column([&](auto& column) { unpacker.take(count, column); }, contacts);
  Column<std::int64_t> offset;
  if (count != 0) unpacker.take(count + 1, offset);
  for (std::size_t i = 1; i <= count; ++i) contacts.offset.push_back(first_point + offset[i]);
  unpacker.take(points, contacts.point);
  unpacker.take(points, contacts.point_depth);
  unpacker.take(points, contacts.feature);
  if (has_own_parts) {
    unpacker.take(points, contacts.part);
  } else if (has_parts) {
    contacts.part.resize(contacts.point_count(), -1);
  }
}

}  // namespace

template <int D, class T>
void gather(MPI_Comm given, const ContactBuffer<D, T>& contacts, ContactBuffer<D, T>& gathered,
            int root) {
  const Communicator communicator(given);
  if (root < 0 || root >= communicator.size()) {
    throw Error("root is " + std::to_string(root) + "; the communicator has " +
                std::to_string(communicator.size()) + " ranks, counted from 0");
  }
  const bool has_parts = communicator.largest(std::int64_t{contacts.part.empty() ? 0 : 1}) != 0;
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(communicator.size()));
  outgoing[static_cast<std::size_t>(root)] = packed_contacts(contacts);
  const std::vector<Message> messages = exchange_messages(communicator, outgoing);
  gathered.clear();
  if (communicator.rank() != root) return;
  ContactBuffer<D, T> all;
  all.clear();
  for (const Message& message : messages) {
    unpack_contacts<D, T>(message.bytes, has_parts, all);
  }
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0u);
  // The patches of a pair, which lie on one rank, stay in their order.
  const auto place = [&](std::uint32_t i) { return std::tuple(all.pair[i].a, all.pair[i].b, i); };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  gathered = ContactBuffer<D, T>{};
  append_in_order<D, T>(all, order, gathered);
  number_sources(gathered);
}

template <int D, class T>
std::uint64_t content_hash(MPI_Comm communicator, const ContactBuffer<D, T>& contacts) {
  std::uint64_t sum = content_hash(contacts);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, communicator);
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                             \
  template void gather(MPI_Comm, const ContactBuffer<D, T>&, ContactBuffer<D, T>&, int);        \
  template std::uint64_t content_hash(MPI_Comm, const ContactBuffer<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
