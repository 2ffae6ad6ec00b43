#pragma once

// Shapes on their way between ranks: some rows of a scene's tables, each with its row in the whole
// world's table, packed column by column.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <widephase/scene.hpp>

namespace widephase {

/// Rows by kind, and of bodies.
struct RowLists {
  std::array<std::vector<std::uint32_t>, kKindCount> shapes;
  std::vector<std::uint32_t> bodies;

  void clear() {
    for (auto& rows : shapes) rows.clear();
    bodies.clear();
  }
  bool empty() const {
    const auto is_empty = [](const auto& rows) { return rows.empty(); };
    return bodies.empty() && std::all_of(shapes.begin(), shapes.end(), is_empty);
  }
};

/// Which columns the shapes of the whole world have: by kind, a bit per field in the order of
/// `for_each_field`. A rank without a shape of a kind knows it too.
struct Present {
  std::array<std::uint32_t, kKindCount> columns{};
  std::uint32_t body_columns = 0;  ///< 1: positions, 2: rotations
};

/// Tables and bodies of a scene, whose other members are not used.
template <int D, class T>
struct Rows {
  SceneColumns<D, T> scene;
  std::array<Column<std::int32_t>, kKindCount> row;  ///< of each shape in the whole world's table
  std::array<Column<std::int32_t>, kKindCount> own;  ///< its row among this rank's own; ~rank: another one's
  Column<std::int32_t> body;                         ///< the number of each body in the whole world

  void clear() {
    for_each_table(scene, [](auto& table) {
      for_each_field(table, [](const Field&, auto& column) { column.clear(); });
    });
    scene.bodies.position.clear();
    scene.bodies.turn.clear();
    for (auto& rows : row) rows.clear();
    for (auto& rows : own) rows.clear();
    body.clear();
  }
};

template <int D, class T>
struct RowsSpan {
  SceneSpan<D, T> scene;
  std::array<ColumnSpan<std::int32_t>, kKindCount> row;
  ColumnSpan<std::int32_t> body;
};

template <class Table>
constexpr std::size_t kind_index() {
  return static_cast<std::size_t>(std::remove_cvref_t<Table>::kind);
}

/// The columns that a scene has.
template <class S>
Present columns_of(const S& scene) {
  Present present;
  for_each_table(scene, [&](const auto& table) {
    std::uint32_t& columns = present.columns[kind_index<decltype(table)>()];
    int bit = 0;
    for_each_field(table, [&](const Field&, const auto& column) {
      columns |= std::uint32_t{column.empty() ? 0u : 1u} << bit++;
    });
  });
  present.body_columns =
      (scene.bodies.position.empty() ? 0u : 1u) | (scene.bodies.turn.empty() ? 0u : 2u);
  return present;
}

/// "sphere.radius".
inline std::string column_name(Kind kind, int dimension, std::string_view field) {
  return std::string(kind_name(kind, dimension)) + "." + std::string(field);
}

/// Calls `op(column, other)` for the columns of two tables of a kind that the world has.
template <class Table, class Other, class Op>
void for_each_present(const Table& table, Other& other, std::uint32_t columns, const Op& op) {
  int field = 0;
  for_each_field_pair(table, other, [&](const Field&, const auto& from, auto& to) {
    if ((columns >> field++ & 1) != 0) op(from, to);
  });
}

/// Appends rows of a column.
template <class From, class T, int W>
void append_rows(const From& from, std::span<const std::uint32_t> rows, Column<T, W>& to) {
  const std::size_t first = to.size();
  to.resize_uninitialized(first + rows.size());
  for (int w = 0; w < W; ++w) {
    T* const plane = to.plane(w) + first;
    for (std::size_t i = 0; i < rows.size(); ++i) plane[i] = from(rows[i], w);
  }
}

/// The bytes of a message: columns one after the other.
class Packer {
 public:
  template <class C>
  void add(const C& column, std::span<const std::uint32_t> rows) {
    using T = typename C::value_type;
    std::size_t at = bytes_.size();
    bytes_.resize(at + rows.size() * sizeof(T) * static_cast<std::size_t>(C::width));
    for (int w = 0; w < C::width; ++w) {
      for (const std::uint32_t row : rows) {
        const T value = column(row, w);
        std::memcpy(bytes_.data() + at, &value, sizeof(T));
        at += sizeof(T);
      }
    }
  }
  /// All rows of a column whose planes have no gaps.
  template <class C>
  void add_all(const C& column) {
    using T = typename C::value_type;
    std::size_t at = bytes_.size();
    bytes_.resize(at + column.size() * sizeof(T) * static_cast<std::size_t>(C::width));
    for (int w = 0; w < C::width && !column.empty(); ++w) {
      std::memcpy(bytes_.data() + at, column.plane(w), column.size() * sizeof(T));
      at += column.size() * sizeof(T);
    }
  }
  void add(std::uint64_t count) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof count);
    std::memcpy(bytes_.data() + at, &count, sizeof count);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t count() {
    std::uint64_t count;
    std::memcpy(&count, bytes_.data() + at_, sizeof count);
    at_ += sizeof count;
    return count;
  }
  /// Appends `count` rows.
  template <class T, int W>
  void take(std::size_t count, Column<T, W>& to) {
    const std::size_t first = to.size();
    to.resize_uninitialized(first + count);
    for (int w = 0; w < W && count != 0; ++w) {
      std::memcpy(to.plane(w) + first, bytes_.data() + at_, count * sizeof(T));
      at_ += count * sizeof(T);
    }
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Rows of a scene as a message; empty for no rows.
template <int D, class T>
std::vector<std::byte> packed(const RowsSpan<D, T>& rows, const RowLists& lists,
                              const Present& present) {
  if (lists.empty()) return {};
  Packer packer;
  for_each_table(rows.scene, [&](const auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    const std::vector<std::uint32_t>& list = lists.shapes[kKind];
    packer.add(list.size());
    if (list.empty()) return;
    packer.add(rows.row[kKind], list);
    for_each_present(table, table, present.columns[kKind],
                     [&](const auto& column, const auto&) { packer.add(column, list); });
  });
  packer.add(lists.bodies.size());
  if (lists.bodies.empty()) return packer.take();
  packer.add(rows.body, lists.bodies);
  packer.add(rows.scene.bodies.position, lists.bodies);
  if ((present.body_columns & 2) != 0) packer.add(rows.scene.bodies.turn, lists.bodies);
  return packer.take();
}

/// Appends the rows of a message.
template <int D, class T>
void unpack(std::span<const std::byte> message, const Present& present, Rows<D, T>& to) {
  if (message.empty()) return;
  Unpacker unpacker(message);
  for_each_table(to.scene, [&](auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    const std::size_t count = unpacker.count();
    if (count == 0) return;
    unpacker.take(count, to.row[kKind]);
    to.own[kKind].resize(to.row[kKind].size(), -1);
    for_each_present(table, table, present.columns[kKind],
                     [&](const auto&, auto& column) { unpacker.take(count, column); });
  });
  const std::size_t bodies = unpacker.count();
  if (bodies == 0) return;
  unpacker.take(bodies, to.body);
  unpacker.take(bodies, to.scene.bodies.position);
  if ((present.body_columns & 2) != 0) unpacker.take(bodies, to.scene.bodies.turn);
}

/// Appends rows of a scene, whose places among this rank's own become theirs.
template <int D, class T>
void append(const RowsSpan<D, T>& from, const RowLists& lists, const Present& present,
            Rows<D, T>& to) {
  for_each_table_pair(from.scene, to.scene, [&](const auto& table, auto& other) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    const std::vector<std::uint32_t>& list = lists.shapes[kKind];
    append_rows(from.row[kKind], list, to.row[kKind]);
    for (const std::uint32_t row : list) to.own[kKind].push_back(row);
    for_each_present(table, other, present.columns[kKind],
                     [&](const auto& column, auto& copy) { append_rows(column, list, copy); });
  });
  append_rows(from.body, lists.bodies, to.body);
  append_rows(from.scene.bodies.position, lists.bodies, to.scene.bodies.position);
  if ((present.body_columns & 2) != 0) {
    append_rows(from.scene.bodies.turn, lists.bodies, to.scene.bodies.turn);
  }
}

/// The order that sorts a column; empty if it ascends already. The rows of each rank ascend: these
/// runs are merged, two by two.
inline void find_order(const Column<std::int32_t>& rows, std::vector<std::uint32_t>& order) {
  order.clear();
  std::vector<std::ptrdiff_t> ends{0};  // of runs
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] < rows[i - 1]) ends.push_back(static_cast<std::ptrdiff_t>(i));
  }
  if (ends.size() == 1) return;
  ends.push_back(static_cast<std::ptrdiff_t>(rows.size()));
  order.resize(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto is_less = [&](std::uint32_t a, std::uint32_t b) { return rows[a] < rows[b]; };
  std::vector<std::uint32_t> merged(order.size());
  while (ends.size() > 2) {
    if (ends.size() % 2 == 0) ends.push_back(ends.back());  // an empty run beside the last one
    std::size_t kept = 1;
    for (std::size_t i = 2; i < ends.size(); i += 2) {
      const auto first = order.begin() + ends[i - 2], second = order.begin() + ends[i - 1];
      std::merge(first, second, second, order.begin() + ends[i], merged.begin() + ends[i - 2],
                 is_less);
      ends[kept++] = ends[i];
    }
    ends.resize(kept);
    order.swap(merged);
  }
}

/// Puts shapes, by kind, and bodies into the order of the whole world: a pair's A is then the same
/// on every rank.
template <int D, class T>
void sort_rows(Rows<D, T>& rows) {
  std::vector<std::uint32_t> order;
  const auto sort_column = [&](auto& column) {
    if (column.empty()) return;
    std::remove_cvref_t<decltype(column)> sorted;
    append_rows(column, order, sorted);
    column.swap(sorted);
  };
  for_each_table(rows.scene, [&](auto& table) {
    constexpr std::size_t kKind = kind_index<decltype(table)>();
    find_order(rows.row[kKind], order);
    if (order.empty()) return;
    for_each_field(table, [&](const Field&, auto& column) { sort_column(column); });
    sort_column(rows.own[kKind]);
    sort_column(rows.row[kKind]);
  });
  find_order(rows.body, order);
  if (order.empty()) return;
  sort_column(rows.scene.bodies.position);
  sort_column(rows.scene.bodies.turn);
  sort_column(rows.body);
}

template <int D, class T>
RowsSpan<D, T> span_of(const Rows<D, T>& rows) {
  RowsSpan<D, T> span{rows.scene, {}, rows.body};
  for (std::size_t k = 0; k < kKindCount; ++k) span.row[k] = rows.row[k];
  return span;
}

}  // namespace widephase
