#pragma once

// What an adapter's library exports, and what the report says of its build. CMake writes a
// peer_flags.hpp for each adapter, with WIDEPHASE_PEER_FLAGS and WIDEPHASE_PEER_VERSION.

#include <string>

/// Begins the only function that an adapter's library exports:
///   WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers)
/// Adapters peers2_* fill a Peers<2>, peers3_* a Peers<3>, peers_broad_* a BroadPeers.
#define WIDEPHASE_ADAPTER extern "C" __attribute__((visibility("default")))

namespace widephase::bench {

struct PeerBuild {
  std::string name;     ///< the end of the adapter's file name
  std::string version;  ///< of the peer, by its headers or its library, else by its package
  std::string flags;    ///< the adapter's compiler options
};

/// "3.1.1" of three numbers.
template <class Number>
std::string version_of(Number major, Number minor, Number revision) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

}  // namespace widephase::bench
