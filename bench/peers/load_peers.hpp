#pragma once

// The peers' adapters as a program loads them: those that were found when the build was configured.
//
// An adapter is loaded, not linked, and shows add_peers alone, so that nothing of it takes the
// place of what the program or another peer has by the same name. CMakeLists.txt says why that
// matters. Each peer's version and flags become part of the benchmark's context.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "peer_build.hpp"

namespace widephase::bench {

/// Peers and programs are built alike: the context has it once.
inline void tell_build_type() {
  static const bool told = [] {
    benchmark::AddCustomContext("build_type", WIDEPHASE_BUILD_TYPE);
    return true;
  }();
  static_cast<void>(told);
}

/// `paths` are the adapters' libraries, parted by colons; `All` is what their add_peers takes.
template <class All>
std::vector<All> load_peers(const char* paths) {
  std::vector<All> loaded;
  std::istringstream rest(paths);
  for (std::string path; std::getline(rest, path, ':');) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    void* const found = dlsym(library, "add_peers");
    if (found == nullptr) throw std::runtime_error(dlerror());
    All& all = loaded.emplace_back();
    reinterpret_cast<void (*)(All&)>(found)(all);
    const PeerBuild& build = all.build;
    benchmark::AddCustomContext("peer/" + build.name + "/version", build.version);
    benchmark::AddCustomContext("peer/" + build.name + "/flags", build.flags);
  }
  tell_build_type();
  return loaded;
}

/// One list of a kind of what all adapters have: member(all) of each.
template <class All, class Item>
std::vector<Item> joined(const std::vector<All>& loaded, std::vector<Item> All::*member) {
  std::vector<Item> items;
  for (const All& all : loaded) {
    items.insert(items.end(), (all.*member).begin(), (all.*member).end());
  }
  return items;
}

}  // namespace widephase::bench
