#pragma once

// Loads the adapters of the peers that were found when the build was configured.
//
// An adapter is loaded, not linked, and exports add_peers alone: no function of it can replace one
// of the same name in the program or in another adapter. CMakeLists.txt says why that matters. Each
// peer's version and its adapter's compiler options go into the benchmark's context.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "peer_build.hpp"

namespace widephase::bench {

/// The type of the build, the same for adapters and programs.
inline void tell_build_type() {
  static const bool told = [] {
    benchmark::AddCustomContext("build_type", WIDEPHASE_BUILD_TYPE);
    return true;
  }();
  static_cast<void>(told);
}

/// `paths` names the adapters' libraries, separated by colons; `All` is the type that their
/// add_peers fills.
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

/// The lists that are `member` of each adapter's `All`, one after the other.
template <class All, class Item>
std::vector<Item> joined(const std::vector<All>& loaded, std::vector<Item> All::*member) {
  std::vector<Item> items;
  for (const All& all : loaded) {
    items.insert(items.end(), (all.*member).begin(), (all.*member).end());
  }
  return items;
}

}  // namespace widephase::bench
