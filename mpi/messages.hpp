#pragma once

// Messages between ranks, and errors that all ranks throw together.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace widephase {

/// A duplicate of a communicator, so that our messages meet no others.
class Communicator {
 public:
  explicit Communicator(MPI_Comm communicator);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const { return communicator_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Begin and end of this rank's block of `count` rows.
  std::pair<std::size_t, std::size_t> block(std::size_t count) const {
    return block_of(count, rank_, size_);
  }
  static std::pair<std::size_t, std::size_t> block_of(std::size_t count, int rank, int ranks) {
    const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks);
    return {count / n * r + std::min(r, count % n),
            count / n * (r + 1) + std::min(r + 1, count % n)};
  }

  std::int64_t sum(std::int64_t value) const;
  double sum(double value) const;
  std::int64_t largest(std::int64_t value) const;
  double largest(double value) const;
  /// Sums and largest of several numbers, place by place.
  void add_up(std::span<std::uint64_t> values) const;
  void take_largest(std::span<std::int64_t> values) const;
  void join_bits(std::uint32_t* words, int count) const;

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// A message from a rank.
struct Message {
  int rank;
  std::vector<std::byte> bytes;
};

/// Sends `outgoing[rank]` to every rank where it is not empty, and returns what others sent to this
/// one, in the order of ranks; collective. Only ranks that have something for one another exchange
/// more than a length.
std::vector<Message> exchange_messages(const Communicator& communicator,
                                       std::vector<std::vector<std::byte>>& outgoing);

/// Where this rank's error stands among those of others: the least is thrown.
struct Failure {
  std::int64_t place;
  std::string text;
};

/// Throws the same `Error` on all ranks if their versions differ; collective. Versions are texts of
/// up to 63 bytes.
void require_one_version(const Communicator& communicator, std::string_view version);

/// The text of an exception. That of a rank without memory says which one it is.
std::string text_of_failure(const Communicator& communicator, const std::exception& error);

/// Runs `work` and throws `Error` on all ranks with the sentence of the first failure, if there is
/// one on any; collective. `describe` makes a failure of the exception that is being handled.
void run_together(const Communicator& communicator, const std::function<void()>& work,
                  const std::function<Failure()>& describe);
/// The same, by the exceptions' texts; that of the lowest rank comes first.
void run_together(const Communicator& communicator, const std::function<void()>& work);

}  // namespace widephase
