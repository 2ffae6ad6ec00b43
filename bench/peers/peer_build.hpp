#pragma once

// What the library of an adapter exports, and what the report says about its build. For each
// adapter CMake writes a peer_flags.hpp with WIDEPHASE_PEER_FLAGS and WIDEPHASE_PEER_VERSION.

#include <string>

/// Declares the only function that the library of an adapter exports:
///   WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers)
/// Adapters peers2_* fill a Peers<2>, peers3_* a Peers<3>, peers_broad_* a BroadPeers.
#define WIDEPHASE_ADAPTER extern "C" __attribute__((visibility("default")))

namespace widephase::bench {

struct PeerBuild {
  std::string name;     ///< the end of the adapter's file name
  std::string version;  ///< from the peer's headers or its library, or else its package
  std::string flags;    ///< the adapter's compiler options
};

/// "3.1.1" from three numbers.
template <class Number>
std::string version_of(Number major, Number minor, Number revision) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

}  // namespace widephase::bench
