#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <widephase/export.h>

namespace widephase {

/// Thrown when memory has no room for rows: it says how many.
class WIDEPHASE_API NoMemory : public std::bad_alloc {
 public:
  /// Says that a column of `rows` rows takes `bytes`.
  NoMemory(std::size_t rows, std::size_t bytes) noexcept {
    std::snprintf(text_, sizeof text_, "out of memory: a column of %zu rows takes %zu bytes", rows,
                  bytes);
  }
  /// The sentence.
  const char* what() const noexcept override { return text_; }

 private:
  char text_[96];
};

/// `W` numbers per row, borrowed from the caller's arrays without a copy.
///
/// Component `w` of row `i` lies at byte `i * stride()` of `plane(w)`. Any length, any stride of
/// whole numbers (interleaved rows, every k-th row, 0 for one row repeated), no padding, no
/// alignment beyond that of `T`. The caller's arrays must outlive the span. Calls refuse rows at a
/// null pointer, addresses and strides that are not multiples of the size of `T`, and rows that
/// overlap.
template <class T, int W = 1>
class ColumnSpan {
 public:
  using value_type = T;            ///< of a single number
  static constexpr int width = W;  ///< numbers per row

  /// No rows.
  constexpr ColumnSpan() = default;

  /// An array of numbers; only for `W == 1`.
  ColumnSpan(std::span<const T> values)
    requires(W == 1)
      : ColumnSpan({values.data()}, values.size(), sizeof(T)) {}
  /// The same for a vector, which must not grow meanwhile.
  ColumnSpan(const std::vector<T>& values)
    requires(W == 1)
      : ColumnSpan(std::span<const T>(values)) {}

  /// `count` rows; component w of row 0 is at planes[w], and rows lie `stride_bytes` apart, which
  /// may be 0 or negative.
  constexpr ColumnSpan(std::array<const T*, W> planes, std::size_t count,
                       std::ptrdiff_t stride_bytes)
      : planes_(planes), count_(count), stride_(stride_bytes) {}

  /// One array per component.
  static constexpr ColumnSpan planes(std::array<const T*, W> planes, std::size_t count,
                                     std::ptrdiff_t stride_bytes = sizeof(T)) {
    return ColumnSpan(planes, count, stride_bytes);
  }

  /// Rows of `W` numbers, `stride_bytes` apart: NumPy's (n, W) and structures that hold them.
  static constexpr ColumnSpan interleaved(const T* rows, std::size_t count,
                                          std::ptrdiff_t stride_bytes = W * sizeof(T)) {
    std::array<const T*, W> planes{};
    for (int w = 0; w < W; ++w) planes[w] = rows == nullptr ? nullptr : rows + w;
    return ColumnSpan(planes, count, stride_bytes);
  }

  /// One row for all `count` shapes.
  static constexpr ColumnSpan repeated(const T* row, std::size_t count) {
    return interleaved(row, count, 0);
  }

  /// Rows.
  constexpr std::size_t size() const { return count_; }
  /// Whether there are no rows.
  constexpr bool empty() const { return count_ == 0; }
  /// Bytes from a row to the next.
  constexpr std::ptrdiff_t stride() const { return stride_; }
  /// Component `w` of row 0.
  constexpr const T* plane(int w = 0) const { return planes_[w]; }

  /// Component `w` of a row, which is not checked.
  T operator()(std::size_t row, int w = 0) const {
    T value;
    std::memcpy(
        &value,
        reinterpret_cast<const std::byte*>(planes_[w]) + static_cast<std::ptrdiff_t>(row) * stride_,
        sizeof(T));
    return value;
  }
  /// The number of a row, which is not checked.
  T operator[](std::size_t row) const
    requires(W == 1)
  {
    return (*this)(row);
  }

 private:
  std::array<const T*, W> planes_{};
  std::size_t count_ = 0;
  std::ptrdiff_t stride_ = sizeof(T);
};

/// `W` numbers per row, owned: one aligned plane per component, padded so that kernels may store
/// whole vectors past the end. Growing keeps the rows; `resize_uninitialized` does not initialize
/// new rows.
template <class T, int W = 1>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;            ///< of a single number
  static constexpr int width = W;  ///< numbers per row
  /// Bytes that may be written past the last row of a plane: a vector of the widest set, twice.
  static constexpr std::size_t padding_bytes = 128;

  /// No rows and no memory.
  Column() = default;
  /// The rows of another one, copied.
  Column(const Column& other) { *this = other; }
  /// The rows of another one, which is empty afterwards.
  Column(Column&& other) noexcept { swap(other); }
  ~Column() { release(data_); }

  /// Copies the rows into this column's memory, if that is large enough.
  Column& operator=(const Column& other) {
    if (this == &other) return *this;
    resize_uninitialized(other.size_);
    if (size_ != 0) {
      for (int w = 0; w < W; ++w) std::memcpy(plane(w), other.plane(w), size_ * sizeof(T));
    }
    return *this;
  }
  /// Exchanges the two: nothing is copied or freed.
  Column& operator=(Column&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Rows from a list of numbers: `{1, 2, 3}`.
  Column(std::initializer_list<T> values)
    requires(W == 1)
  {
    for (const T& value : values) push_back({value});
  }
  /// Rows from a list of rows: `{{0, 0}, {1, 0}}`.
  Column(std::initializer_list<std::array<T, W>> rows)
    requires(W > 1)
  {
    for (const auto& row : rows) push_back(row);
  }

  /// Rows.
  std::size_t size() const { return size_; }
  /// Whether there are no rows.
  bool empty() const { return size_ == 0; }
  /// Rows that the memory held has room for.
  std::size_t capacity() const { return capacity_; }

  /// Component `w` of all rows, contiguous and aligned to 64 bytes; null without memory. Valid
  /// until the column grows beyond its capacity, moves or ends.
  T* plane(int w = 0) { return data_ == nullptr ? nullptr : data_ + w * plane_stride_; }
  /// The same to read.
  const T* plane(int w = 0) const { return data_ == nullptr ? nullptr : data_ + w * plane_stride_; }

  /// Component `w` of a row, which is not checked.
  T& operator()(std::size_t row, int w = 0) { return data_[w * plane_stride_ + row]; }
  /// The same to read.
  const T& operator()(std::size_t row, int w = 0) const { return data_[w * plane_stride_ + row]; }
  /// The number of a row, which is not checked.
  T& operator[](std::size_t row)
    requires(W == 1)
  {
    return data_[row];
  }
  /// The same to read.
  const T& operator[](std::size_t row) const
    requires(W == 1)
  {
    return data_[row];
  }
  /// The first number; columns of one number per row are ranges.
  const T* begin() const
    requires(W == 1)
  {
    return data_;
  }
  /// Past the last number.
  const T* end() const
    requires(W == 1)
  {
    return data_ + size_;
  }

  /// A copy of a row, which is not checked.
  std::array<T, W> row(std::size_t index) const {
    std::array<T, W> values;
    for (int w = 0; w < W; ++w) values[w] = (*this)(index, w);
    return values;
  }
  /// Overwrites a row that is there.
  void set(std::size_t index, const std::array<T, W>& values) {
    for (int w = 0; w < W; ++w) (*this)(index, w) = values[w];
  }
  /// Appends a row; memory grows by doubling.
  void push_back(const std::array<T, W>& values) {
    if (size_ == capacity_) reserve(size_ < 16 ? 16 : size_ * 2);
    ++size_;
    set(size_ - 1, values);
  }
  /// The same without braces for columns of one number or structure per row:
  /// `radius.push_back(0.5f)`. Numbers are converted as a vector's are.
  template <class U>
  requires(W == 1 && std::is_convertible_v<const U&, T>) void push_back(const U& value) {
    push_back(std::array<T, 1>{static_cast<T>(value)});
  }

  /// Takes all rows away and keeps the memory.
  void clear() { size_ = 0; }

  /// Sets the number of rows. Existing rows stay, new ones hold anything.
  void resize_uninitialized(std::size_t count) {
    if (count > capacity_) reserve(count < capacity_ * 2 ? capacity_ * 2 : count);
    size_ = count;
  }
  /// Sets the number of rows; every component of new ones is `value`.
  void resize(std::size_t count, T value = T{}) {
    const std::size_t old_size = size_;
    resize_uninitialized(count);
    for (int w = 0; w < W; ++w) {
      for (std::size_t i = old_size; i < count; ++i) (*this)(i, w) = value;
    }
  }

  /// Makes room for `count` rows. If there is none, throws `NoMemory`, a std::bad_alloc, and the
  /// column stays as it was.
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    constexpr std::size_t kMostBytes = std::numeric_limits<std::size_t>::max() / W;
    if (count > (kMostBytes - padding_bytes - 128) / sizeof(T)) {
      throw NoMemory(count, std::numeric_limits<std::size_t>::max());
    }
    // An odd number of cache lines a plane: planes at equal multiples of 64 KiB would share
    // their places in the first-level cache.
    std::size_t lines = (count * sizeof(T) + padding_bytes + 63) / 64;
    lines += 1 - lines % 2;
    const std::size_t stride = lines * 64 / sizeof(T);
    static_assert(64 % sizeof(T) == 0);
    T* data = static_cast<T*>(allocate(count, lines * 64 * W));
    if (size_ != 0) {
      for (int w = 0; w < W; ++w) std::memcpy(data + w * stride, plane(w), size_ * sizeof(T));
    }
    release(data_);
    data_ = data;
    plane_stride_ = stride;
    capacity_ = count;
  }

  /// Exchanges the rows and memory of two columns.
  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(plane_stride_, other.plane_stride_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  /// A view of the rows, valid as long as `plane`.
  ColumnSpan<T, W> span() const {
    std::array<const T*, W> planes{};
    for (int w = 0; w < W; ++w) planes[w] = plane(w);
    return ColumnSpan<T, W>::planes(planes, size_);
  }
  /// The same, wherever a span is taken.
  operator ColumnSpan<T, W>() const { return span(); }

  /// Bytes held.
  std::size_t bytes() const { return plane_stride_ * sizeof(T) * W; }

 private:
  static void* allocate(std::size_t rows, std::size_t bytes) {
    try {
      return ::operator new(bytes, std::align_val_t{64});
    } catch (const std::bad_alloc&) {
      throw NoMemory(rows, bytes);
    }
  }
  static void release(T* data) {
    if (data != nullptr) ::operator delete(data, std::align_val_t{64});
  }

  T* data_ = nullptr;
  std::size_t plane_stride_ = 0;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace widephase
