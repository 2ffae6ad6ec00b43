#pragma once

// Periodic domains without a special case in the walk. Boxes are wrapped into the domain. Those
// that reach past a side get ghosts, copies moved by the domain's length, in a tree of their own.
// Within a set half of the 3^D - 1 images suffice: A against B moved by s is B against A moved by
// -s. Of two sets only one is moved, by all images.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <widephase/pairs.hpp>

#include "kernels/broad_table.hpp"
#include "soa/crew.hpp"
#include "soa/number_text.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

template <int D, class T>
struct Box {
  T min[D];
  T max[D];
};

template <int D, class T>
Box<D, T> box_of(const BoxSource<D, T>& source, std::size_t row) {
  const std::ptrdiff_t index =
      source.ids == nullptr ? source.first + static_cast<std::ptrdiff_t>(row) : source.ids[row];
  Box<D, T> box;
  for (int d = 0; d < D; ++d) {
    std::memcpy(&box.min[d],
                reinterpret_cast<const char*>(source.min[d]) + index * source.min_stride,
                sizeof(T));
    std::memcpy(&box.max[d],
                reinterpret_cast<const char*>(source.max[d]) + index * source.max_stride,
                sizeof(T));
  }
  return box;
}

template <int D, class T>
bool is_valid(const Box<D, T>& box) {
  bool is_ordered = true;
  for (int d = 0; d < D; ++d) is_ordered &= box.min[d] <= box.max[d];
  return is_ordered;
}

/// value + shift, rounded towards `side` (-1 or 1) times infinity.
template <class T>
T moved_outwards(T value, double shift, int side) {
  const double sum = static_cast<double>(value) + shift;
  if constexpr (sizeof(T) == 4) {
    const float rounded = static_cast<float>(sum);
    const bool is_inwards = side < 0 ? rounded > sum : rounded < sum;
    const float infinity = std::numeric_limits<float>::infinity();
    return is_inwards ? std::nextafter(rounded, side < 0 ? -infinity : infinity) : rounded;
  } else {
    // If the sum is exact this is more than needed; an exact test would cost more.
    const double slack =
        std::numeric_limits<double>::epsilon() * (std::abs(value) + std::abs(shift));
    return sum + side * slack;
  }
}

/// The domain of a call: its periods and the wrapped boxes.
template <int D, class T>
class PeriodicBoxes {
 public:
  /// The boxes with their centres in the domain, by the caller's rows: `source` itself where all
  /// are. Rows of unbounded ids are neither read nor written. Throws `Error` where a periodic axis
  /// has no finite length.
  BoxSource<D, T> wrap(const Crew& crew, const BoxSource<D, T>& source, std::size_t count,
                       UnboundedIds unbounded, const Domain<D, T>& domain) {
    domain_ = &domain;
    for (int d = 0; d < D; ++d) {
      // In T, as in the kernels.
      const T period = domain.max[d] - domain.min[d];
      period_[d] = domain.periodic[d] ? static_cast<double>(period) : 0;
      if (domain.periodic[d] && !(period > 0 && period <= std::numeric_limits<T>::max())) {
        throw Error(Finding{"domain.max", d,
                            "is " + number(domain.max[d]) + " with domain.min " +
                                number(domain.min[d]) +
                                "; a periodic axis must be finite and longer than 0"});
      }
    }
    const std::size_t chunks = crew.chunk_count(count, 4096);
    parts_.assign(chunks, Part{});
    crew.run_ranges(count, chunks, 16, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      Part part;
      for_bounded(begin, end, unbounded, [&](std::size_t i) { look_at(box_of(source, i), part); });
      parts_[chunk] = part;
    });
    widest_ = WidestTwo{};
    bool is_inside = true;
    for (const Part& part : parts_) {
      is_inside &= part.is_inside;
      for (int d = 0; d < D; ++d) {
        widest_.add(d, part.widest.first[d]);
        widest_.add(d, part.widest.second[d]);
      }
    }
    if (is_inside) return source;
    min_.resize_uninitialized(count);
    max_.resize_uninitialized(count);
    crew.run_ranges(count, chunks, 16, [&](std::size_t, std::size_t begin, std::size_t end) {
      for_bounded(begin, end, unbounded, [&](std::size_t i) { wrap_box(box_of(source, i), i); });
    });
    return copies();
  }

  /// Throws `Error` if an axis is too thin for the two widest boxes along it.
  void require_room() const { check_widths(widest_.first, widest_.second); }
  /// The same for the widest box and the widest of another set, `widths` along each axis.
  void require_room(const T* widths) const { check_widths(widest_.first, widths); }
  /// The largest width along each axis.
  const T* widest() const { return widest_.first; }

  const double* period() const { return period_; }

  std::size_t bytes() const { return min_.bytes() + max_.bytes(); }

 private:
  struct WidestTwo {
    T first[D] = {};
    T second[D] = {};
    void add(int d, T width) {
      if (!(width > second[d])) return;
      second[d] = width > first[d] ? first[d] : width;
      first[d] = width > first[d] ? width : first[d];
    }
  };

  struct Part {
    WidestTwo widest;
    bool is_inside = true;  ///< no box needs to be moved
  };

  template <class Body>
  static void for_bounded(std::size_t begin, std::size_t end, UnboundedIds unbounded,
                          const Body& body) {
    const auto first = static_cast<std::size_t>(unbounded.begin);
    const auto behind = static_cast<std::size_t>(unbounded.end);
    for (std::size_t i = begin; i < std::min(end, first); ++i) body(i);
    for (std::size_t i = std::max(begin, behind); i < end; ++i) body(i);
  }

  void look_at(const Box<D, T>& box, Part& part) const {
    if (!is_valid(box)) return;
    for (int d = 0; d < D; ++d) {
      if (period_[d] == 0) continue;
      part.widest.add(d, box.max[d] - box.min[d]);
      if (box.min[d] >= domain_->min[d] && box.max[d] <= domain_->max[d]) continue;
      part.is_inside &= turns_to(box, d) == 0;
    }
  }

  /// How many periods a box lies beyond the domain along an axis; 0 if that is not a number.
  double turns_to(const Box<D, T>& box, int d) const {
    const double centre =
        0.5 * static_cast<double>(box.min[d]) + 0.5 * static_cast<double>(box.max[d]);
    const double turns = std::floor((centre - static_cast<double>(domain_->min[d])) / period_[d]);
    return std::isfinite(turns) ? turns : 0;
  }

  void wrap_box(Box<D, T> box, std::size_t row) {
    if (is_valid(box)) {
      for (int d = 0; d < D; ++d) {
        const double turns = period_[d] == 0 ? 0 : turns_to(box, d);
        if (turns == 0) continue;
        box.min[d] = moved_outwards(box.min[d], -turns * period_[d], -1);
        box.max[d] = moved_outwards(box.max[d], -turns * period_[d], 1);
      }
    }
    min_.set(row, std::to_array(box.min));
    max_.set(row, std::to_array(box.max));
  }

  BoxSource<D, T> copies() const {
    BoxSource<D, T> wrapped{};
    for (int d = 0; d < D; ++d) {
      wrapped.min[d] = min_.plane(d);
      wrapped.max[d] = max_.plane(d);
    }
    wrapped.min_stride = wrapped.max_stride = sizeof(T);
    return wrapped;
  }

  void check_widths(const T* first, const T* second) const {
    for (int d = 0; d < D; ++d) {
      if (period_[d] == 0) continue;
      // Wrapping rounds a few times; that must not make a pair found through two images.
      const double largest = std::max(std::abs(static_cast<double>(domain_->min[d])),
                                      std::abs(static_cast<double>(domain_->max[d])));
      const double slack =
          8 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (largest + period_[d]);
      const double needed = static_cast<double>(first[d]) + static_cast<double>(second[d]);
      if (period_[d] > needed + slack) continue;
      throw Error(Finding{
          "domain.max", d,
          "is " + number(domain_->max[d]) + ", which makes the axis " +
              number(period_[d]) +
              " long; a periodic axis must be longer than the two largest widths of bounds along "
              "it together, " +
              number(first[d]) + " and " + number(second[d])});
    }
  }

  const Domain<D, T>* domain_ = nullptr;
  double period_[D] = {};
  Column<T, D> min_;
  Column<T, D> max_;
  std::vector<Part> parts_;  ///< one per chunk
  WidestTwo widest_;
};

template <int D, class T>
Box<D, T> empty_hull() {
  Box<D, T> hull;
  for (int d = 0; d < D; ++d) {
    hull.min[d] = std::numeric_limits<T>::infinity();
    hull.max[d] = -std::numeric_limits<T>::infinity();
  }
  return hull;
}
template <int D, class T>
void widen(Box<D, T>& hull, const Box<D, T>& box) {
  for (int d = 0; d < D; ++d) {
    hull.min[d] = box.min[d] < hull.min[d] ? box.min[d] : hull.min[d];
    hull.max[d] = box.max[d] > hull.max[d] ? box.max[d] : hull.max[d];
  }
}

/// The box around all valid boxes. `parts` is scratch.
template <int D, class T>
Box<D, T> hull_of(const Crew& crew, const BoxSource<D, T>& source, std::size_t count,
                  std::vector<Box<D, T>>& parts) {
  const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
  parts.assign(chunks, empty_hull<D, T>());
  crew.run_ranges(count, chunks, 16, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    Box<D, T> hull = parts[chunk];
    for (std::size_t i = begin; i < end; ++i) {
      const Box<D, T> box = box_of(source, i);
      if (is_valid(box)) widen(hull, box);
    }
    parts[chunk] = hull;
  });
  Box<D, T> hull = parts[0];
  for (const Box<D, T>& part : parts) widen(hull, part);
  return hull;
}

/// Moves by whole periods: by one of s and -s, or by both.
enum class Images { half, all };

/// Copies of boxes moved by a period that reach into a region.
template <int D, class T>
struct Ghosts {
  Column<T, D> min;
  Column<T, D> max;
  Column<std::int32_t> ids;
  std::vector<Ghosts> parts;  ///< one per chunk

  BoxSource<D, T> source() const {
    BoxSource<D, T> moved{};
    for (int d = 0; d < D; ++d) {
      moved.min[d] = min.plane(d);
      moved.max[d] = max.plane(d);
    }
    moved.min_stride = moved.max_stride = sizeof(T);
    return moved;
  }

  void make(const Crew& crew, const BoxSource<D, T>& boxes, std::size_t count, const double* period,
            const Box<D, T>& region, Images images) {
    clear();
    const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
    if (chunks == 1) {
      add(boxes, 0, count, period, region, images);
      return;
    }
    if (parts.size() < chunks) parts.resize(chunks);
    crew.run_ranges(count, chunks, 16, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      parts[chunk].clear();
      parts[chunk].add(boxes, begin, end, period, region, images);
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) append(parts[chunk]);
  }

  std::size_t bytes() const {
    std::size_t sum = min.bytes() + max.bytes() + ids.bytes();
    for (const Ghosts& part : parts) sum += part.bytes();
    return sum;
  }

 private:
  void clear() {
    min.clear();
    max.clear();
    ids.clear();
  }

  void append(const Ghosts& part) {
    for (std::size_t i = 0; i < part.ids.size(); ++i) {
      min.push_back(part.min.row(i));
      max.push_back(part.max.row(i));
      ids.push_back({part.ids[i]});
    }
  }

  /// How far a box must reach for an image of it to be in the region, with some roundings to spare:
  /// few boxes do.
  struct Reach {
    T low[D];   ///< moved up: its lower side below this
    T high[D];  ///< moved down: its upper side above this

    bool may_have(const Box<D, T>& box) const {
      bool may = false;
      for (int d = 0; d < D; ++d) may |= (box.min[d] <= low[d]) | (box.max[d] >= high[d]);
      return may;
    }
  };

  static Reach reach_of(const double* period, const Box<D, T>& region, Images images) {
    Reach reach;
    for (int d = 0; d < D; ++d) {
      const T infinity = std::numeric_limits<T>::infinity();
      const T length = static_cast<T>(period[d]);
      const T slack = 8 * std::numeric_limits<T>::epsilon() *
                      (std::abs(region.min[d]) + std::abs(region.max[d]) + length);
      reach.low[d] = length == 0 ? -infinity : region.max[d] - length + slack;
      reach.high[d] =
          length == 0 || images == Images::half ? infinity : region.min[d] + length - slack;
    }
    return reach;
  }

  void add(const BoxSource<D, T>& boxes, std::size_t begin, std::size_t end, const double* period,
           const Box<D, T>& region, Images images) {
    const Reach reach = reach_of(period, region, images);
    for (std::size_t i = begin; i < end; ++i) {
      const Box<D, T> box = box_of(boxes, i);
      if (!reach.may_have(box) || !is_valid(box)) continue;
      const std::int32_t id =
          boxes.ids == nullptr ? boxes.first + static_cast<std::int32_t>(i) : boxes.ids[i];
      add_images(box, id, period, region, images, Box<D, T>{}, 0, false);
    }
  }

  // Axis by axis, stopping if the moved box misses the region. `is_moved`: an earlier axis moved.
  // For half of the images the first axis that moves moves up, which picks one of s and -s.
  void add_images(const Box<D, T>& box, std::int32_t id, const double* period,
                  const Box<D, T>& region, Images images, Box<D, T> moved, int axis,
                  bool is_moved) {
    if (axis == D) {
      if (!is_moved) return;
      min.push_back(std::to_array(moved.min));
      max.push_back(std::to_array(moved.max));
      ids.push_back({id});
      return;
    }
    const int lowest = period[axis] != 0 && (is_moved || images == Images::all) ? -1 : 0;
    const int highest = period[axis] != 0 ? 1 : 0;
    for (int turn = lowest; turn <= highest; ++turn) {
      moved.min[axis] = box.min[axis];
      moved.max[axis] = box.max[axis];
      if (turn != 0) {
        moved.min[axis] = moved_outwards(box.min[axis], turn * period[axis], -1);
        moved.max[axis] = moved_outwards(box.max[axis], turn * period[axis], 1);
      }
      if (moved.min[axis] <= region.max[axis] && region.min[axis] <= moved.max[axis]) {
        add_images(box, id, period, region, images, moved, axis + 1, is_moved || turn != 0);
      }
    }
  }
};

}  // namespace widephase
