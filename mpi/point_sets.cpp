#include "mpi/point_sets.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>

#include "mpi/rows.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/right_lengths.hpp"

namespace widephase {

namespace {

/// What the rows of a library's column are: offsets, elements between offsets, or one per set.
struct ColumnOfSets {
  bool is_offsets;
  int division;  ///< by which offsets; -1: one per set
};

constexpr ColumnOfSets column_of_sets(std::string_view name) {
  if (name == "offsets" || name == "vertex_offsets") return {true, 0};
  if (name == "triangle_offsets") return {true, 1};
  if (name == "vertices" || name == "heights" || name == "inner") return {false, 0};
  if (name == "indices") return {false, 1};
  return {false, -1};
}

template <class Table>
const auto& offsets_of(const Table& table, [[maybe_unused]] int division) {
  if constexpr (requires { table.vertex_offsets; }) {
    return division == 0 ? table.vertex_offsets : table.triangle_offsets;
  } else {
    return table.offsets;
  }
}

template <class Table>
std::size_t set_count(const Table& table) {
  const auto& offsets = offsets_of(table, 0);
  return offsets.empty() ? 0 : offsets.size() - 1;
}

/// The rows of a column that are a set's.
template <class Table>
std::pair<std::size_t, std::size_t> rows_of_set(const Table& table, ColumnOfSets what,
                                                std::size_t set) {
  if (what.division < 0) return {set, set + 1};
  const auto& offsets = offsets_of(table, what.division);
  return {static_cast<std::size_t>(offsets(set)), static_cast<std::size_t>(offsets(set + 1))};
}

/// Appends sets of a library to another one that has the same columns.
template <class From, class To>
void append_sets(const From& from, const std::vector<std::size_t>& sets, To& to) {
  if (sets.empty()) return;
  From::for_each_column(
      [&](std::string_view name, const auto& source, auto& target) {
        using C = std::remove_cvref_t<decltype(target)>;
        const ColumnOfSets what = column_of_sets(name);
        if constexpr (std::is_same_v<typename C::value_type, std::int64_t>) {
          if (target.empty()) target.push_back(0);
          for (const std::size_t set : sets) {
            target.push_back(target[target.size() - 1] + source(set + 1) - source(set));
          }
        } else {
          if (source.empty()) return;
          std::size_t at = target.size(), count = 0;
          for (const std::size_t set : sets) {
            const auto [begin, end] = rows_of_set(from, what, set);
            count += end - begin;
          }
          target.resize_uninitialized(at + count);
          for (const std::size_t set : sets) {
            const auto [begin, end] = rows_of_set(from, what, set);
            for (int w = 0; w < C::width; ++w) {
              auto* const plane = target.plane(w) + at;
              for (std::size_t row = begin; row < end; ++row) plane[row - begin] = source(row, w);
            }
            at += end - begin;
          }
        }
      },
      from, to);
}

template <class Table>
std::size_t bytes_of_set(const Table& table, std::size_t set) {
  std::size_t bytes = 0;
  Table::for_each_column(
      [&](std::string_view name, const auto& column) {
        using C = std::remove_cvref_t<decltype(column)>;
        const ColumnOfSets what = column_of_sets(name);
        if (column.empty()) return;
        const auto [begin, end] =
            what.is_offsets ? std::pair(set, set + 1) : rows_of_set(table, what, set);
        bytes += (end - begin) * sizeof(typename C::value_type) * C::width;
      },
      table);
  return bytes;
}

void make_ascending(std::vector<std::int32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Makes numbers ascend, leaves out those of no set, and adds what lies around height fields: their
/// neighbours, and the fields beyond their corners, which are neighbours' neighbours.
template <class Table, class PlaceOf>
void add_surroundings(const Table& table, const PlaceOf& place_of,
                      std::vector<std::int32_t>& numbers) {
  make_ascending(numbers);
  std::erase_if(numbers, [&](std::int32_t number) { return place_of(number) < 0; });
  if constexpr (requires { table.neighbours; }) {
    for (int round = 0; round < 2 && !table.neighbours.empty(); ++round) {
      for (std::size_t i = 0, count = numbers.size(); i < count; ++i) {
        const auto place = static_cast<std::size_t>(place_of(numbers[i]));
        for (int side = 0; side < 4; ++side) {
          const std::int32_t other = table.neighbours(place, side);
          if (place_of(other) >= 0) numbers.push_back(other);
        }
      }
      make_ascending(numbers);
    }
  }
}

/// Sets that nothing names here are given up when they take more than one part in so many.
constexpr std::size_t kSpareShare = 4;

/// The places of a world's sets in its own libraries.
struct PlaceInWorld {
  std::int32_t count;
  std::int32_t operator()(std::int32_t number) const {
    return number >= 0 && number < count ? number : -1;
  }
};

template <class PlaceOf>
std::vector<std::size_t> places(const std::vector<std::int32_t>& numbers, const PlaceOf& place_of) {
  std::vector<std::size_t> found;
  for (const std::int32_t number : numbers) {
    found.push_back(static_cast<std::size_t>(place_of(number)));
  }
  return found;
}

void add_numbers(Packer& packer, const std::vector<std::int32_t>& numbers) {
  packer.add(numbers.size());
  packer.add_all(ColumnSpan<std::int32_t>(numbers));
}

std::vector<std::int32_t> taken_numbers(Unpacker& unpacker) {
  Column<std::int32_t> column;
  unpacker.take(unpacker.count(), column);
  return {column.begin(), column.end()};
}

template <int D, class T>
SceneSpan<D, T> libraries_of(const SceneSpan<D, T>& scene) {
  SceneSpan<D, T> libraries;
  libraries.for_each_geometry_column([](auto, auto, auto& to, const auto& from) { to = from; },
                                     libraries, scene);
  return libraries;
}

/// Whether the offsets of libraries, and the lengths of their columns, allow that sets are copied.
template <int D, class T>
bool has_readable_sets(const SceneSpan<D, T>& scene) {
  bool is_right = true;
  for_each_library(
      [&](std::size_t, const auto& table) {
        using Table = std::remove_cvref_t<decltype(table)>;
        const std::size_t sets = set_count(table);
        Table::for_each_column(
            [&](std::string_view name, const auto& column) {
              is_right &= wrong_layout(column).empty();
              if (!is_right || !column_of_sets(name).is_offsets) return;
              is_right = column.empty() ? sets == 0 : column.size() == sets + 1 && column(0) == 0;
              for (std::size_t i = 1; i < column.size() && is_right; ++i) {
                is_right = column(i) >= column(i - 1);
              }
            },
            table);
        Table::for_each_column(
            [&](std::string_view name, const auto& column) {
              const ColumnOfSets what = column_of_sets(name);
              if (!is_right || what.is_offsets || column.empty()) return;
              is_right =
                  column.size() == (sets == 0 ? 0 : rows_of_set(table, what, sets - 1).second);
            },
            table);
      },
      scene);
  return is_right;
}

}  // namespace

template <int D, class T>
void PointSets<D, T>::clear() {
  libraries_ = Libraries{};
  names_ = {};
  find_places();
}

template <int D, class T>
void PointSets<D, T>::begin(const SceneSpan<D, T>& world, const Communicator& communicator) {
  clear();
  world_count_ = {};
  std::int64_t is_wrong = 0;
  run_together(communicator, [&] {
    is_wrong = has_readable_sets(world) ? 0 : 1;
    if (is_wrong != 0) return;
    SetNumbers some;
    for_each_library(
        [&](std::size_t library, const auto& table) {
          // More than their numbers can name are not named.
          world_count_[library] = static_cast<std::int32_t>(std::min(set_count(table), kMostRows));
          const auto [begin, end] = communicator.block(set_count(table));
          for (std::size_t set = begin; set < std::min(end, kMostRows); ++set) {
            some[library].push_back(static_cast<std::int32_t>(set));
          }
        },
        world);
    hold(world, some);
    SceneSpan<D, T> checked;
    look_at(checked);
    is_wrong = validate<D, T>(checked).empty() ? 0 : 1;
    clear();
  });
  if (communicator.largest(is_wrong) == 0) return;
  run_together(communicator, [&] {
    SceneSpan<D, T> libraries;
    libraries.for_each_geometry_column([](auto, auto, auto& to, const auto& from) { to = from; },
                                       libraries, world);
    const std::vector<Finding> findings = validate<D, T>(libraries);
    if (!findings.empty()) throw Error(findings.front());
  });
}

template <int D, class T>
void PointSets<D, T>::hold(const SceneSpan<D, T>& world, const SetNumbers& named) {
  for_each_library(
      [&](std::size_t library, const auto& table, auto& held) {
        const PlaceInWorld place_in_world{world_count_[library]};
        std::vector<std::int32_t>& numbers = names_[library].number;
        numbers = named[library];
        add_surroundings(table, place_in_world, numbers);
        append_sets(table, places(numbers, place_in_world), held);
      },
      world, libraries_);
  find_places();
  mark_whole(named);
}

template <int D, class T>
void PointSets<D, T>::hold_all(const SceneSpan<D, T>& world) {
  SetNumbers all;
  for (std::size_t l = 0; l < kLibraryCount; ++l) {
    all[l].resize(static_cast<std::size_t>(world_count_[l]));
    std::iota(all[l].begin(), all[l].end(), 0);
  }
  hold(world, all);
}

template <int D, class T>
std::int32_t PointSets<D, T>::place_of(std::size_t library, std::int32_t number) const {
  const auto& place = names_[library].place;
  const auto found = std::lower_bound(place.begin(), place.end(), std::pair(number, 0));
  return found != place.end() && found->first == number ? found->second : -1;
}

template <int D, class T>
std::int32_t PointSets<D, T>::whole_place_of(std::size_t library, std::int32_t number) const {
  const std::int32_t place = place_of(library, number);
  return place < 0 || names_[library].is_whole[static_cast<std::size_t>(place)] == 0 ? -1 : place;
}

template <int D, class T>
void PointSets<D, T>::find_places() {
  for (Names& names : names_) {
    names.place.clear();
    for (std::size_t i = 0; i < names.number.size(); ++i) {
      names.place.emplace_back(names.number[i], static_cast<std::int32_t>(i));
    }
    std::sort(names.place.begin(), names.place.end());
    names.is_whole.resize(names.number.size(), 0);
  }
  neighbour_places_.clear();
  if constexpr (D == 3) {
    const auto& given = libraries_.heightfield_geometries.neighbours;
    neighbour_places_.resize_uninitialized(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      for (int side = 0; side < 4; ++side) {
        const std::int32_t other = given(i, side);
        const bool is_wrong = other < -1 || other >= world_count_[1];
        neighbour_places_(i, side) = is_wrong ? other : place_of(1, other);
      }
    }
  }
}

template <int D, class T>
void PointSets<D, T>::mark_whole(const SetNumbers& named) {
  for (std::size_t l = 0; l < kLibraryCount; ++l) {
    for (const std::int32_t number : named[l]) {
      const std::int32_t place = place_of(l, number);
      if (place >= 0) names_[l].is_whole[static_cast<std::size_t>(place)] = 1;
    }
  }
}

template <int D, class T>
void PointSets<D, T>::look_at(SceneSpan<D, T>& scene) const {
  scene.for_each_geometry_column([](auto, auto, auto& to, const auto& from) { to = from; }, scene,
                                 libraries_);
  if constexpr (D == 3) scene.heightfield_geometries.neighbours = neighbour_places_;
}

template <int D, class T>
std::int64_t PointSets<D, T>::fetch(const Communicator& communicator,
                                    const std::vector<NamedSets>& named) {
  if (!has_any()) return 0;
  // Each set is asked of the first rank that named it.
  std::vector<SetNumbers> wanted(static_cast<std::size_t>(communicator.size()));
  SetNumbers all_wanted;
  std::int64_t wants_any = 0;
  std::vector<std::vector<std::byte>> outgoing(wanted.size());
  std::int64_t sent = 0;
  run_together(communicator, [&] {
    for (std::size_t l = 0; l < kLibraryCount; ++l) {
      std::vector<std::pair<std::int32_t, int>> lacks;
      for (const NamedSets& sets : named) {
        for (const std::int32_t number : sets.numbers[l]) {
          if (whole_place_of(l, number) >= 0) continue;
          if (number >= 0 && number < world_count_[l]) lacks.emplace_back(number, sets.rank);
        }
      }
      std::sort(lacks.begin(), lacks.end());
      for (const auto& [number, rank] : lacks) {
        if (!all_wanted[l].empty() && all_wanted[l].back() == number) continue;
        all_wanted[l].push_back(number);
        wanted[static_cast<std::size_t>(rank)][l].push_back(number);
        wants_any = 1;
      }
    }
    // A request: the numbers, and the height fields that need not be sent once more.
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      const auto is_empty = [](const auto& numbers) { return numbers.empty(); };
      if (std::all_of(wanted[r].begin(), wanted[r].end(), is_empty)) continue;
      Packer packer;
      for (const auto& numbers : wanted[r]) add_numbers(packer, numbers);
      if (D == 3) add_numbers(packer, names_[1].number);
      outgoing[r] = packer.take();
      sent += static_cast<std::int64_t>(outgoing[r].size());
    }
  });
  if (communicator.largest(wants_any) == 0) return 0;
  const std::vector<Message> requests = exchange_messages(communicator, outgoing);
  run_together(communicator, [&] {
    for (auto& message : outgoing) message.clear();
    for (const Message& request : requests) {
      std::vector<std::byte>& reply = outgoing[static_cast<std::size_t>(request.rank)];
      reply = reply_to(request.bytes);
      sent += static_cast<std::int64_t>(reply.size());
    }
  });
  const std::vector<Message> replies = exchange_messages(communicator, outgoing);
  run_together(communicator, [&] {
    for (const Message& reply : replies) append_reply(reply.bytes);
    find_places();
    mark_whole(all_wanted);
  });
  return sent;
}

template <int D, class T>
std::vector<std::byte> PointSets<D, T>::reply_to(std::span<const std::byte> request) const {
  Unpacker unpacker(request);
  SetNumbers numbers;
  for (auto& of_library : numbers) of_library = taken_numbers(unpacker);
  std::vector<std::int32_t> known;
  if (D == 3) known = taken_numbers(unpacker);
  make_ascending(known);
  Libraries sets;
  Packer packer;
  for_each_library(
      [&](std::size_t library, const auto& held, auto& sent) {
        const auto place_here = [&](std::int32_t number) { return place_of(library, number); };
        std::vector<std::int32_t>& wanted = numbers[library];
        add_surroundings(held, place_here, wanted);
        if (library == 1) {
          std::erase_if(wanted, [&](std::int32_t number) {
            return std::binary_search(known.begin(), known.end(), number);
          });
        }
        append_sets(held, places(wanted, place_here), sent);
        add_numbers(packer, wanted);
        std::remove_cvref_t<decltype(sent)>::for_each_column(
            [&](std::string_view, const auto& column) {
              packer.add(column.size());
              packer.add_all(column);
            },
            sent);
      },
      libraries_, sets);
  return packer.take();
}

template <int D, class T>
void PointSets<D, T>::append_reply(std::span<const std::byte> reply) {
  Unpacker unpacker(reply);
  Libraries sets;
  for_each_library(
      [&](std::size_t library, auto& received, auto& held) {
        const std::vector<std::int32_t> numbers = taken_numbers(unpacker);
        std::remove_cvref_t<decltype(received)>::for_each_column(
            [&](std::string_view, auto& column) { unpacker.take(unpacker.count(), column); },
            received);
        // Two ranks may send the same height field, as one of those around others.
        std::vector<std::int32_t>& known = names_[library].number;
        std::vector<std::size_t> added;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const bool may_be_known = library == 1 && D == 3;
          if (may_be_known && std::find(known.begin(), known.end(), numbers[i]) != known.end()) {
            continue;
          }
          known.push_back(numbers[i]);
          added.push_back(i);
        }
        append_sets(received, added, held);
      },
      sets, libraries_);
}

template <int D, class T>
void PointSets<D, T>::keep(const SetNumbers& named) {
  if (!has_any()) return;
  SetNumbers wanted = named;
  std::size_t wanted_bytes = 0, all_bytes = 0;
  for_each_library(
      [&](std::size_t library, const auto& held) {
        const auto place_here = [&](std::int32_t number) { return place_of(library, number); };
        add_surroundings(held, place_here, wanted[library]);
        for (const std::size_t set : places(wanted[library], place_here)) {
          wanted_bytes += bytes_of_set(held, set);
        }
        for (std::size_t set = 0; set < set_count(held); ++set)
          all_bytes += bytes_of_set(held, set);
      },
      libraries_);
  // What the workspace has read of the sets, it reads anew when others move up.
  if ((all_bytes - wanted_bytes) * kSpareShare <= wanted_bytes) return;
  Libraries kept;
  for_each_library(
      [&](std::size_t library, const auto& held, auto& to) {
        const auto place_here = [&](std::int32_t number) { return place_of(library, number); };
        append_sets(held, places(wanted[library], place_here), to);
      },
      libraries_, kept);
  libraries_ = std::move(kept);
  for (std::size_t l = 0; l < kLibraryCount; ++l) {
    names_[l].number = wanted[l];
    names_[l].is_whole.clear();
  }
  find_places();
  mark_whole(named);
}

template <int D, class T>
bool PointSets<D, T>::has_any() const {
  return std::any_of(world_count_.begin(), world_count_.end(),
                     [](auto count) { return count != 0; });
}

template <int D, class T>
std::int64_t PointSets<D, T>::count() const {
  std::int64_t sum = 0;
  for (const Names& names : names_) sum += static_cast<std::int64_t>(names.number.size());
  return sum;
}

template <int D, class T>
std::size_t PointSets<D, T>::bytes() const {
  std::size_t sum = neighbour_places_.bytes();
  libraries_.for_each_geometry_column(
      [&](auto, auto, const auto& column) { sum += column.bytes(); }, libraries_);
  for (const Names& names : names_) {
    sum += names.number.capacity() * sizeof(std::int32_t) + names.is_whole.capacity() +
           names.place.capacity() * sizeof(std::pair<std::int32_t, std::int32_t>);
  }
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T) template class PointSets<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
