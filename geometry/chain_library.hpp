#pragma once

#include <vector>

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

#include "soa/chain_view.hpp"

namespace widephase {

/// The chains of a scene as kernels read them.
template <class T>
class ChainLibrary {
 public:
  ChainLibrary() = default;
  ChainLibrary(ChainLibrary&&) = default;  // a copy's views would be of the original
  ChainLibrary& operator=(ChainLibrary&&) = default;

  /// Reads the chains. One that is as in the last call is kept. Returns false if a chain is not
  /// valid; the library is then empty.
  bool update(const ChainTable<Borrowed<2, T>>& table, const Threads& threads);

  const ChainView<T>* views() const { return views_.data(); }  ///< by geometry
  std::size_t size() const { return views_.size(); }
  std::size_t bytes() const;
  std::int64_t builds() const { return builds_; }  ///< how often a chain was built

 private:
  struct Chain {
    Column<T, 2> given;  ///< the vertices that it was built of
    std::int64_t own_begin = 0, own_end = 0;
    bool is_loop = false;
    bool is_built = false;  ///< no allocation failed on the way
    std::vector<T> positions, tiles;
    std::vector<std::int32_t> number;
  };
  bool is_known(const ChainTable<Borrowed<2, T>>& table, std::size_t c) const;
  void build(const ChainTable<Borrowed<2, T>>& table, std::size_t c);

  std::vector<Chain> chains_;
  std::vector<ChainView<T>> views_;
  std::int64_t builds_ = 0;
};

}  // namespace widephase
