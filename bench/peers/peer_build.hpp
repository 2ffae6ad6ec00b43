#pragma once

// How an adapter's library tells a program what it has, and what the report says of its build. Each
// adapter has a peer_flags.hpp of its own, which CMake writes.

#include <string>

/// Begins the one function that an adapter's library shows:
///   WIDEPHASE_ADAPTER void add_peers(Peers<3>& peers)
/// Its argument is what the programs of that kind of adapter ask for.
#define WIDEPHASE_ADAPTER extern "C" __attribute__((visibility("default")))

namespace widephase::bench {

struct PeerBuild {
  std::string name;     ///< of the adapter, as in its file's name
  std::string version;  ///< of the peer
  std::string flags;    ///< that the adapter was compiled with; peer_flags.hpp has them
};

/// "3.1.1" of three numbers.
template <class Number>
std::string version_of(Number major, Number minor, Number revision) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(revision);
}

}  // namespace widephase::bench
