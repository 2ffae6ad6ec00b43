#pragma once

// What calls require of their options and of the columns that go with their pairs.

#include <cstddef>

#include <widephase/collide.hpp>
#include <widephase/isa.hpp>

namespace widephase {

/// The options of a call of several stages: it asks once which instruction set is meant.
inline CollideOptions with_chosen_isa(const CollideOptions& options) {
  CollideOptions chosen = options;
  chosen.isa = chosen_isa(options.isa);
  return chosen;
}
/// Throw `Error` if a column of the caller, or its warm starts, do not have one entry per pair, or
/// if steadiness is not a length or has no warm starts.
void require_entry_a_pair(const char* column, std::size_t entries, std::size_t pairs);
void require_warm_starts(const CollideOptions& options, std::size_t pairs);
/// Throws `Error` for a margin that is not a length, if no scene is read with it.
void require_margin(const CollideOptions& options);
/// Throws `Error` for a number of patches below 0, and an angle of patches out of range.
void require_patches(const CollideOptions& options);
/// Throws `Error` for a tolerance of flush faces that is not a length.
void require_flush(const CollideOptions& options);
/// Throw `Error` for options that a call does not take.
void refuse_warm_starts(const CollideOptions& options, const char* call);
void refuse_steadiness(const CollideOptions& options, const char* call);
void refuse_patches(const CollideOptions& options, const char* call);
void refuse_world_choice(const CollideOptions& options, const char* call);

}  // namespace widephase
