#include <widephase/stream_contacts.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>

#include "pipeline/narrow/workspace.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

/// Blocks per thread: one at work, and some that wait for the sink.
constexpr std::size_t kBlocksAThread = 4;

/// Decides who works on which chunk. Chunk c is computed in block c % blocks, once the sink has
/// taken the block's last chunk, and the sink takes the chunks in order. A thread without work
/// waits only for one that works, so it ends on any number of threads.
class ChunkQueue {
 public:
  ChunkQueue(std::size_t chunks, std::size_t blocks, Column<std::uint8_t>& is_found)
      : chunks_(chunks), blocks_(blocks), is_found_(is_found) {
    is_found_.resize_uninitialized(blocks);
    std::fill_n(is_found_.plane(), blocks, std::uint8_t{0});
  }

  /// The work of a thread until all chunks are taken, or until one of these has thrown:
  /// `find(chunk, block)` and `take(block)`.
  template <class Find, class Take>
  void work(const Find& find, const Take& take) {
    std::unique_lock lock(mutex_);
    while (error_ == nullptr && taken_ < chunks_) {
      const std::size_t oldest = taken_ % blocks_;
      if (!is_taking_ && is_found_[oldest] != 0) {
        is_taking_ = true;
        run_unlocked(lock, [&] { take(oldest); });
        is_found_[oldest] = 0;
        ++taken_;
        is_taking_ = false;
        changed_.notify_all();
      } else if (next_ < chunks_ && next_ < taken_ + blocks_) {
        const std::size_t chunk = next_++;
        run_unlocked(lock, [&] { find(chunk, chunk % blocks_); });
        is_found_[chunk % blocks_] = 1;
        changed_.notify_all();
      } else if (next_ == chunks_) {
        return;  // the working threads do the rest
      } else {
        changed_.wait(lock);
      }
    }
  }

  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  template <class Step>
  void run_unlocked(std::unique_lock<std::mutex>& lock, const Step& step) {
    lock.unlock();
    std::exception_ptr error;
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error_ == nullptr) error_ = error;
  }

  const std::size_t chunks_;
  const std::size_t blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Column<std::uint8_t>& is_found_;  ///< by block
  std::size_t next_ = 0;            ///< chunk to find
  std::size_t taken_ = 0;
  bool is_taking_ = false;
  std::exception_ptr error_;
};

void require_stream(const CollideOptions& options) {
  if (options.order != Order::kind) {
    throw Error(Finding{"order", -1,
                        "needs all contacts at once; a stream has them in order `kind`, so ask for "
                        "that one or call find_contacts"});
  }
  const bool has_contact_cap = options.max_contacts != kNoCap;
  if (!has_contact_cap && options.max_points == kNoCap) return;
  throw Error(Finding{has_contact_cap ? "max_contacts" : "max_points", -1,
                      "caps what a call stores, and a stream stores none; leave it out"});
}

}  // namespace

template <int D, class T>
void NarrowPhase<D, T>::stream(const Inputs& inputs, const Threads& threads,
                               const ContactSink<D, T>& sink, CollideStats& stats) {
  cut_chunks(inputs);
  const std::size_t workers = worker_count(threads);
  const std::size_t blocks = std::min(chunks_.size(), workers * kBlocksAThread);
  make_blocks(inputs, blocks, false);
  make_rooms(inputs, workers);
  ChunkQueue queue(chunks_.size(), blocks, chunk_notes_);
  const auto take = [&](std::size_t at) {
    const ContactBuffer<D, T>& chunk = blocks_[at].contacts;
    if (chunk.size() == 0) return;
    run_isolated(threads, [&] { sink(chunk); });
  };
  for_chunks(threads, workers, [&](std::size_t worker) {
    const auto find = [&](std::size_t chunk, std::size_t at) {
      ContactBlock<D, T>& block = blocks_[at];
      block.contacts.clear();
      append(inputs, chunks_[chunk], block.contacts, block, rooms_[worker]);
    };
    queue.work(find, take);
  });
  sum_kinds(blocks, stats);
  queue.rethrow();
}

template <int D, class T>
void stream_contacts(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                     SinkArgument<D, T> sink, Workspace<D, T>& workspace,
                     const CollideOptions& options) {
  const Stopwatch watch;
  auto& state = workspace.state();
  require_stream(options);
  state.narrow.stream(begin_contacts(scene, pairs, state, options), options.threads, sink,
                      state.stats);
  state.stats.narrow_seconds = watch.seconds();
}

template <int D, class T>
void stream_collide(SceneArgument<D, T> scene, SinkArgument<D, T> sink, Workspace<D, T>& workspace,
                    const CollideOptions& options) {
  refuse_warm_starts(options, "stream_collide");
  require_stream(options);
  update_bounds(scene, workspace, options);
  find_pairs(scene, workspace, options);
  const Column<Pair>& pairs = workspace.pairs();
  stream_contacts(scene, std::span<const Pair>(pairs.plane(), pairs.size()), sink, workspace,
                  options);
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                                \
  template void NarrowPhase<D, T>::stream(const Inputs&, const Threads&, const ContactSink<D, T>&, \
                                          CollideStats&);                                          \
  template void stream_contacts(SceneArgument<D, T>, std::span<const Pair>, SinkArgument<D, T>,    \
                                Workspace<D, T>&, const CollideOptions&);                          \
  template void stream_collide(SceneArgument<D, T>, SinkArgument<D, T>, Workspace<D, T>&,          \
                               const CollideOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
