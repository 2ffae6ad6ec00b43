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

#include "pipeline/broad/box_planes.hpp"
#include "soa/crew.hpp"
#include "soa/number_text.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

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
      BoxPlanes<D, T> planes;
      for_bounded(begin, end, unbounded, [&](std::size_t first, std::size_t behind) {
        for (std::size_t i = first; i < behind; i += planes.kRows) {
          planes.read(source, i, std::min(i + planes.kRows, behind));
          look_at(planes, part);
        }
      });
      parts_[chunk] = part;
    });
    widest_ = WidestTwo{};
    hull_ = empty_hull<D, T>();
    bool is_inside = true;
    for (const Part& part : parts_) {
      is_inside &= part.is_inside;
      widen(hull_, part.hull);
      for (int d = 0; d < D; ++d) {
        widest_.add(d, part.widest.first[d]);
        widest_.add(d, part.widest.second[d]);
      }
    }
    has_hull_ = is_inside;
    if (is_inside) return source;
    min_.resize_uninitialized(count);
    max_.resize_uninitialized(count);
    crew.run_ranges(count, chunks, 16, [&](std::size_t, std::size_t begin, std::size_t end) {
      for_bounded(begin, end, unbounded, [&](std::size_t first, std::size_t behind) {
        for (std::size_t i = first; i < behind; ++i) wrap_box(box_of(source, i), i);
      });
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

  /// The box around all valid ones, or null if some had to be moved.
  const Box<D, T>* hull() const { return has_hull_ ? &hull_ : nullptr; }

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
    Box<D, T> hull = empty_hull<D, T>();
    bool is_inside = true;  ///< no box needs to be moved
  };

  /// body(first, behind) for the ranges of bounded ids, which may be empty.
  template <class Body>
  static void for_bounded(std::size_t begin, std::size_t end, UnboundedIds unbounded,
                          const Body& body) {
    body(begin, std::min(end, static_cast<std::size_t>(unbounded.begin)));
    body(std::max(begin, static_cast<std::size_t>(unbounded.end)), end);
  }

  void look_at(const BoxPlanes<D, T>& planes, Part& part) const {
    constexpr std::size_t kRows = BoxPlanes<D, T>::kRows;
    typename BoxPlanes<D, T>::Flag is_valid[kRows], is_out[kRows] = {};
    planes.find_valid(is_valid);
    planes.widen(is_valid, part.hull);
    for (int d = 0; d < D; ++d) {
      if (period_[d] == 0) continue;
      add_widths(planes, d, is_valid, part.widest);
      const T* const low = planes.min[d];
      const T* const high = planes.max[d];
      const T least = domain_->min[d], most = domain_->max[d];
      for (std::size_t i = 0; i < kRows; ++i) {
        is_out[i] |= is_valid[i] & (((low[i] < least) | (high[i] > most)) ? -1 : 0);
      }
    }
    for (std::size_t i = 0; i < kRows; ++i) {
      if (is_out[i] == 0) continue;
      const Box<D, T> box = planes.box(i);
      for (int d = 0; d < D; ++d) {
        part.is_inside &= period_[d] == 0 || turns_to(box, d) == 0;
      }
    }
  }

  static void add_widths(const BoxPlanes<D, T>& planes, int d,
                         const typename BoxPlanes<D, T>::Flag* is_valid, WidestTwo& widest) {
    constexpr std::size_t kLanes = BoxPlanes<D, T>::kLanes;
    T first[kLanes] = {}, second[kLanes] = {};
    for (std::size_t i = 0; i < planes.kRows; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const T extent = planes.max[d][i + lane] - planes.min[d][i + lane];
        const T width = is_valid[i + lane] != 0 ? extent : T(0);
        const T lesser = width > first[lane] ? first[lane] : width;
        second[lane] = lesser > second[lane] ? lesser : second[lane];
        first[lane] = width > first[lane] ? width : first[lane];
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      widest.add(d, first[lane]);
      widest.add(d, second[lane]);
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
  Box<D, T> hull_ = {};
  bool has_hull_ = false;
};

/// The box around all valid boxes. `parts` is scratch.
template <int D, class T>
Box<D, T> hull_of(const Crew& crew, const BoxSource<D, T>& source, std::size_t count,
                  std::vector<Box<D, T>>& parts) {
  const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
  parts.assign(chunks, empty_hull<D, T>());
  crew.run_ranges(count, chunks, 16, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    Box<D, T> hull = parts[chunk];
    BoxPlanes<D, T> planes;
    typename BoxPlanes<D, T>::Flag is_valid[planes.kRows];
    for (std::size_t i = begin; i < end; i += planes.kRows) {
      planes.read(source, i, std::min(i + planes.kRows, end));
      planes.find_valid(is_valid);
      planes.widen(is_valid, hull);
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

    /// Lists the rows that may reach so far.
    std::size_t list(const BoxPlanes<D, T>& planes, std::uint16_t* rows) const {
      typename BoxPlanes<D, T>::Flag may[BoxPlanes<D, T>::kRows] = {};
      for (int d = 0; d < D; ++d) {
        const T* const min = planes.min[d];
        const T* const max = planes.max[d];
        for (std::size_t i = 0; i < planes.kRows; ++i) {
          may[i] |= ((min[i] <= low[d]) | (max[i] >= high[d])) ? 1 : 0;
        }
      }
      std::size_t count = 0;
      for (std::size_t i = 0; i < planes.kRows; ++i) {
        rows[count] = static_cast<std::uint16_t>(i);
        count += static_cast<std::size_t>(may[i]);
      }
      return count;
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
    BoxPlanes<D, T> planes;
    std::uint16_t rows[planes.kRows];
    for (std::size_t i = begin; i < end; i += planes.kRows) {
      planes.read(boxes, i, std::min(i + planes.kRows, end));
      const std::size_t found = reach.list(planes, rows);
      for (std::size_t k = 0; k < found; ++k) {
        const Box<D, T> box = planes.box(rows[k]);
        if (!is_valid(box)) continue;
        const std::size_t row = i + rows[k];
        const std::int32_t id =
            boxes.ids == nullptr ? boxes.first + static_cast<std::int32_t>(row) : boxes.ids[row];
        add_images(box, id, period, region, images, Box<D, T>{}, 0, false);
      }
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
