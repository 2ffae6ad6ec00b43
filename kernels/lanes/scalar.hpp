#pragma once

// One lane, without intrinsics: the portable set and the reference for the others. It has only the
// operators that kernels may use. So an operator that some set lacks does not compile here either.

namespace widephase {
namespace {

/// One truth value, with the operators of a vector mask.
struct ScalarMask {
  bool value;
  ScalarMask() = default;
  WIDEPHASE_INLINE explicit ScalarMask(bool truth) : value(truth) {}
  friend WIDEPHASE_INLINE ScalarMask operator&(ScalarMask a, ScalarMask b) {
    return ScalarMask(a.value && b.value);
  }
  friend WIDEPHASE_INLINE ScalarMask operator|(ScalarMask a, ScalarMask b) {
    return ScalarMask(a.value || b.value);
  }
  WIDEPHASE_INLINE ScalarMask operator!() const { return ScalarMask(!value); }
};

template <class T>
struct ScalarBatch {
  using value_type = T;
  using batch_bool_type = ScalarMask;
  T value;

  ScalarBatch() = default;
  WIDEPHASE_INLINE ScalarBatch(T x) : value(x) {}
  friend WIDEPHASE_INLINE ScalarBatch operator+(ScalarBatch a, ScalarBatch b) {
    return a.value + b.value;
  }
  friend WIDEPHASE_INLINE ScalarBatch operator-(ScalarBatch a, ScalarBatch b) {
    return a.value - b.value;
  }
  friend WIDEPHASE_INLINE ScalarBatch operator*(ScalarBatch a, ScalarBatch b) {
    return a.value * b.value;
  }
  friend WIDEPHASE_INLINE ScalarMask operator<(ScalarBatch a, ScalarBatch b) {
    return ScalarMask(a.value < b.value);
  }
  friend WIDEPHASE_INLINE ScalarMask operator<=(ScalarBatch a, ScalarBatch b) {
    return ScalarMask(a.value <= b.value);
  }
  friend WIDEPHASE_INLINE ScalarMask operator>(ScalarBatch a, ScalarBatch b) {
    return ScalarMask(a.value > b.value);
  }
  friend WIDEPHASE_INLINE ScalarMask operator>=(ScalarBatch a, ScalarBatch b) {
    return ScalarMask(a.value >= b.value);
  }
  friend WIDEPHASE_INLINE ScalarMask operator==(ScalarBatch a, ScalarBatch b) {
    return ScalarMask(a.value == b.value);
  }
};

template <class T>
using Batch = ScalarBatch<T>;

template <class T>
WIDEPHASE_INLINE Batch<T> select(ScalarMask mask, Batch<T> yes, Batch<T> no) {
  return mask.value ? yes : no;
}
template <class T>
WIDEPHASE_INLINE ScalarBatch<T> divide(ScalarBatch<T> a, ScalarBatch<T> b) {
  return a.value / b.value;
}
WIDEPHASE_INLINE Batch<float> sqrt(Batch<float> x) { return __builtin_sqrtf(x.value); }
WIDEPHASE_INLINE Batch<double> sqrt(Batch<double> x) { return __builtin_sqrt(x.value); }
WIDEPHASE_INLINE Batch<float> abs(Batch<float> x) { return __builtin_fabsf(x.value); }
WIDEPHASE_INLINE Batch<double> abs(Batch<double> x) { return __builtin_fabs(x.value); }
template <class T>
WIDEPHASE_INLINE Batch<T> load(const T* from) {
  return *from;
}
template <class T>
WIDEPHASE_INLINE void store(T* to, Batch<T> x) {
  *to = x.value;
}

WIDEPHASE_INLINE unsigned mask_bits(ScalarMask mask) { return mask.value ? 1u : 0u; }

template <class T>
WIDEPHASE_INLINE Batch<T> lesser(Batch<T> a, Batch<T> b) {
  return b.value < a.value ? b : a;
}
template <class T>
WIDEPHASE_INLINE Batch<T> greater(Batch<T> a, Batch<T> b) {
  return b.value > a.value ? b : a;
}

template <int Q, int Stride = 2, class T>
WIDEPHASE_INLINE void load_quads(const T* rows, const std::int32_t* index, Batch<T> (&out)[4 * Q]) {
  const T* row = rows + static_cast<std::ptrdiff_t>(index[0]) * (4 * Q);
  for (int k = 0; k < 4 * Q; ++k) out[k] = row[k];
}

template <class T>
WIDEPHASE_INLINE void zip(Batch<T> a, Batch<T> b, Batch<T>& low, Batch<T>& high) {
  low = a;
  high = b;
}

template <class T>
class Compressor {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits) : bits_(bits) {}
  WIDEPHASE_INLINE int count() const { return static_cast<int>(bits_); }
  WIDEPHASE_INLINE void store(T* to, Batch<T> x) const { *to = x.value; }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, Batch<T> high, Batch<T> low) const {
    *to = static_cast<std::uint32_t>(static_cast<std::int32_t>(high.value)) << 16 |
          static_cast<std::uint32_t>(static_cast<std::int32_t>(low.value));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, Batch<T> x) const {
    *to = static_cast<std::uint8_t>(static_cast<std::int32_t>(x.value));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const { *to = *from; }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    *to = *from;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const { *to = first; }

 private:
  unsigned bits_;
};

}  // namespace
}  // namespace widephase
