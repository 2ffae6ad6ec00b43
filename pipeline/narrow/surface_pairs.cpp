// The part of the narrow phase that is for pairs with a surface. How many contacts these have is
// not known before, so the arrays grow as they are found: on one thread in place, on several in a
// buffer per chunk, before any thread waits for the place of another's.

#include <algorithm>
#include <atomic>

#include "pipeline/narrow/contact_room.hpp"
#include "pipeline/narrow/narrow_phase.hpp"
#include "pipeline/narrow/surface_patches.hpp"
#include "soa/instantiate.hpp"
#include "soa/kind_traits.hpp"
#include "soa/threads.hpp"

namespace widephase {

template <int D, class T>
bool NarrowPhase<D, T>::is_of_surfaces(const PairStretch& chunk) {
  const KindsOfPair kinds = kinds_of(chunk.pair_kind);
  return has_surface(kinds) && can_meet(kinds.a, kinds.b, D);
}
template <int D, class T>
bool NarrowPhase<D, T>::has_surface_pairs() const {
  return std::any_of(buckets_.begin(), buckets_.end(), &NarrowPhase::is_of_surfaces);
}

template <int D, class T>
std::int64_t NarrowPhase<D, T>::append_surfaces(const Inputs& inputs,
                                                const PairRun<D, SizeOf<T>>& run,
                                                ContactBuffer<D, T>& contacts,
                                                Column<std::byte>& room) const {
  const bool has_flush = inputs.asks_flush() && may_be_flush(run.kind_a);
  const FlushRows<SizeOf<T>> flush = has_flush ? flush_rows(inputs) : FlushRows<SizeOf<T>>{};
  const SurfaceRun<SizeOf<T>, D> surfaces{run,
                                          inputs.rows.heightfield_library().fields.data(),
                                          inputs.rows.mesh_library().views(),
                                          inputs.rows.chain_library().views(),
                                          inputs.most_patches,
                                          patch_cosine(inputs.patch_angle),
                                          has_flush ? &flush : nullptr};
  return append_patches<D, T>(surface_table<SizeOf<T>, D>(inputs.table.isa), surfaces, contacts,
                              room, [&](std::size_t contact_count, std::size_t point_count) {
                                reserve(contacts, contact_count, point_count, true);
                                set_sizes(contacts, contact_count, point_count, true);
                              });
}

template <int D, class T>
void NarrowPhase<D, T>::find_surface_chunks(const Inputs& inputs, const Threads& threads,
                                            std::size_t workers) {
  if (found_.size() < chunks_.size()) found_.resize(chunks_.size());
  std::atomic<std::size_t> next_chunk{0};
  for_chunks(threads, workers, [&](std::size_t worker) {
    for (std::size_t chunk = next_chunk++; chunk < chunks_.size(); chunk = next_chunk++) {
      if (!is_of_surfaces(chunks_[chunk])) continue;
      found_[chunk].clear();
      append(inputs, chunks_[chunk], found_[chunk], blocks_[worker], rooms_[worker]);
    }
  });
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                          \
  template bool NarrowPhase<D, T>::is_of_surfaces(const PairStretch&);                       \
  template bool NarrowPhase<D, T>::has_surface_pairs() const;                                \
  template std::int64_t NarrowPhase<D, T>::append_surfaces(                                  \
      const Inputs&, const PairRun<D, SizeOf<T>>&, ContactBuffer<D, T>&, Column<std::byte>&) \
      const;                                                                                 \
  template void NarrowPhase<D, T>::find_surface_chunks(const Inputs&, const Threads&, std::size_t);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
