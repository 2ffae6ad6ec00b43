#pragma once

// Loads the adapters of the peers that were found when the build was configured.
//
// An adapter is loaded, not linked, and exports only add_peers. So none of its functions can
// replace one of the same name in the program or in another adapter. CMakeLists.txt says why that
// matters. The benchmark's context gets the version of each peer and the compiler options of its
// adapter.

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "peer_build.hpp"

namespace widephase::bench {

/// Adds the type of the build to the context; it is the same for adapters and programs.
inline void tell_build_type() {
  static const bool told = [] {
    benchmark::AddCustomContext("build_type", WIDEPHASE_BUILD_TYPE);
    return true;
  }();
  static_cast<void>(told);
}

/// `paths` names the libraries of the adapters, separated by colons. `All` is the type that their
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

/// Joins the lists that are `member` of each adapter's `All`.
template <class All, class Item>
std::vector<Item> joined(const std::vector<All>& loaded, std::vector<Item> All::*member) {
  std::vector<Item> items;
  for (const All& all : loaded) {
    items.insert(items.end(), (all.*member).begin(), (all.*member).end());
  }
  return items;
}

}  // namespace widephase::bench
