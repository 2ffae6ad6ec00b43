#pragma once

#include <cstdint>

namespace widephase {

/// A contact's feature for the pair named the other way round.
constexpr std::uint32_t mirrored_feature(std::uint32_t feature) {
  return feature << 16 | feature >> 16;
}

}  // namespace widephase
