#include "mpi/messages.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>

#include <widephase/types.hpp>

namespace widephase {

Communicator::Communicator(MPI_Comm communicator) {
  MPI_Comm_dup(communicator, &communicator_);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
}

Communicator::~Communicator() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over == 0) MPI_Comm_free(&communicator_);
}

std::int64_t Communicator::sum(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, communicator_);
  return value;
}
double Communicator::sum(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, communicator_);
  return value;
}
std::int64_t Communicator::largest(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, communicator_);
  return value;
}
double Communicator::largest(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator_);
  return value;
}
void Communicator::add_up(std::span<std::uint64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM,
                communicator_);
}
void Communicator::take_largest(std::span<std::int64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX,
                communicator_);
}
void Communicator::join_bits(std::uint32_t* words, int count) const {
  MPI_Allreduce(MPI_IN_PLACE, words, count, MPI_UINT32_T, MPI_BOR, communicator_);
}

namespace {

constexpr int kTag = 1;
/// MPI counts in int: longer messages are sent in parts, which arrive in order.
constexpr std::size_t kPart = std::size_t{1} << 30;

template <class Post>
void post_parts(std::byte* bytes, std::size_t size, const Post& post) {
  for (std::size_t at = 0; at < size; at += kPart) {
    post(bytes + at, static_cast<int>(std::min(kPart, size - at)));
  }
}

}  // namespace

std::vector<Message> exchange_messages(const Communicator& communicator,
                                       std::vector<std::vector<std::byte>>& outgoing) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::uint64_t> sent(ranks), received(ranks);
  for (std::size_t r = 0; r < ranks; ++r) sent[r] = outgoing[r].size();
  MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, communicator.get());
  std::vector<Message> messages;
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (received[r] == 0) continue;
    Message& message = messages.emplace_back(Message{static_cast<int>(r), {}});
    if (message.rank == communicator.rank()) {
      message.bytes = std::move(outgoing[r]);
      outgoing[r].clear();
      continue;
    }
    message.bytes.resize(received[r]);
    post_parts(message.bytes.data(), received[r], [&](std::byte* bytes, int count) {
      MPI_Irecv(bytes, count, MPI_BYTE, message.rank, kTag, communicator.get(),
                &requests.emplace_back());
    });
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    post_parts(outgoing[r].data(), outgoing[r].size(), [&](std::byte* bytes, int count) {
      MPI_Isend(bytes, count, MPI_BYTE, static_cast<int>(r), kTag, communicator.get(),
                &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return messages;
}

void require_one_version(const Communicator& communicator, std::string_view version) {
  constexpr std::size_t kWidth = 64;
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::string own(version.substr(0, kWidth - 1)), all(kWidth * ranks, '\0');
  own.resize(kWidth, '\0');
  MPI_Allgather(own.data(), kWidth, MPI_CHAR, all.data(), kWidth, MPI_CHAR, communicator.get());
  for (std::size_t r = 1; r < ranks; ++r) {
    const std::string first = all.c_str(), other = all.c_str() + kWidth * r;
    if (first == other) continue;
    throw Error("rank 0 runs widephase " + first + " and rank " + std::to_string(r) + " runs " +
                other + "; install one version on all machines");
  }
}

std::string text_of_failure(const Communicator& communicator, const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "rank " + std::to_string(communicator.rank()) + " of " +
         std::to_string(communicator.size()) + " has not enough memory (" + error.what() +
         "); use more ranks on more machines";
}

void run_together(const Communicator& communicator, const std::function<void()>& work,
                  const std::function<Failure()>& describe) {
  std::optional<Failure> failure;
  try {
    work();
  } catch (...) {
    failure = describe();
  }
  struct {
    long place;
    int rank;
  } first{failure ? static_cast<long>(failure->place) : std::numeric_limits<long>::max(),
          failure ? communicator.rank() : communicator.size()};
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_LONG_INT, MPI_MINLOC, communicator.get());
  if (first.rank == communicator.size()) return;
  std::string text = failure && first.rank == communicator.rank() ? failure->text : std::string();
  auto length = static_cast<std::uint64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_UINT64_T, first.rank, communicator.get());
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, first.rank, communicator.get());
  throw Error(text);
}

void run_together(const Communicator& communicator, const std::function<void()>& work) {
  run_together(communicator, work, [&] {
    try {
      throw;
    } catch (const std::exception& error) {
      return Failure{communicator.rank(), text_of_failure(communicator, error)};
    } catch (...) {
      return Failure{communicator.rank(), "a rank failed"};
    }
  });
}

}  // namespace widephase
