#pragma once

#include <arm_neon.h>

namespace widephase {
namespace {

using Arch = xsimd::neon64;
using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;

WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<float, Arch>& mask) {
  const uint32x4_t weights = {1, 2, 4, 8};
  const uint32x4_t truth = mask.data;
  return vaddvq_u32(vandq_u32(truth, weights));
}
WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<double, Arch>& mask) {
  const uint64x2_t weights = {1, 2};
  const uint64x2_t truth = mask.data;
  return static_cast<unsigned>(vaddvq_u64(vandq_u64(truth, weights)));
}

WIDEPHASE_INLINE Floats sqrt(const Floats& x) { return Floats(vsqrtq_f32(x.data)); }
WIDEPHASE_INLINE Doubles sqrt(const Doubles& x) { return Doubles(vsqrtq_f64(x.data)); }
WIDEPHASE_INLINE Floats divide(const Floats& a, const Floats& b) {
  return Floats(vdivq_f32(a.data, b.data));
}
WIDEPHASE_INLINE Doubles divide(const Doubles& a, const Doubles& b) {
  return Doubles(vdivq_f64(a.data, b.data));
}

WIDEPHASE_INLINE Floats lesser(const Floats& a, const Floats& b) {
  return xsimd::select(b < a, b, a);
}
WIDEPHASE_INLINE Floats greater(const Floats& a, const Floats& b) {
  return xsimd::select(b > a, b, a);
}
WIDEPHASE_INLINE Doubles lesser(const Doubles& a, const Doubles& b) {
  return xsimd::select(b < a, b, a);
}
WIDEPHASE_INLINE Doubles greater(const Doubles& a, const Doubles& b) {
  return xsimd::select(b > a, b, a);
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const float* rows, const std::int32_t* index,
                                 Floats (&out)[4 * Q]) {
  for (int q = 0; q < Q; ++q) {
    float32x4_t r[4];
    for (int i = 0; i < 4; ++i) {
      r[i] = vld1q_f32(rows + static_cast<std::ptrdiff_t>(index[Stride * i]) * (4 * Q) + 4 * q);
    }
    const float32x4_t low02 = vzip1q_f32(r[0], r[2]);
    const float32x4_t high02 = vzip2q_f32(r[0], r[2]);
    const float32x4_t low13 = vzip1q_f32(r[1], r[3]);
    const float32x4_t high13 = vzip2q_f32(r[1], r[3]);
    out[4 * q + 0] = Floats(vzip1q_f32(low02, low13));
    out[4 * q + 1] = Floats(vzip2q_f32(low02, low13));
    out[4 * q + 2] = Floats(vzip1q_f32(high02, high13));
    out[4 * q + 3] = Floats(vzip2q_f32(high02, high13));
  }
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const double* rows, const std::int32_t* index,
                                 Doubles (&out)[4 * Q]) {
  const double* row0 = rows + static_cast<std::ptrdiff_t>(index[0]) * (4 * Q);
  const double* row1 = rows + static_cast<std::ptrdiff_t>(index[Stride]) * (4 * Q);
  for (int k = 0; k < 4 * Q; k += 2) {
    const float64x2_t a = vld1q_f64(row0 + k);
    const float64x2_t b = vld1q_f64(row1 + k);
    out[k] = Doubles(vzip1q_f64(a, b));
    out[k + 1] = Doubles(vzip2q_f64(a, b));
  }
}

WIDEPHASE_INLINE void zip(const Floats& a, const Floats& b, Floats& low, Floats& high) {
  const float32x4_t x = a.data, y = b.data;
  low = Floats(vzip1q_f32(x, y));
  high = Floats(vzip2q_f32(x, y));
}
WIDEPHASE_INLINE void zip(const Doubles& a, const Doubles& b, Doubles& low, Doubles& high) {
  const float64x2_t x = a.data, y = b.data;
  low = Doubles(vzip1q_f64(x, y));
  high = Doubles(vzip2q_f64(x, y));
}

/// For each mask of four lanes: the bytes of the set lanes, in order.
struct CompressOrders {
  std::uint8_t bytes[16][16];
};
constexpr CompressOrders compress_orders() {
  CompressOrders orders{};
  for (unsigned bits = 0; bits < 16; ++bits) {
    int place = 0;
    for (int lane = 0; lane < 4; ++lane) {
      if ((bits >> lane & 1) == 0) continue;
      for (int byte = 0; byte < 4; ++byte) {
        orders.bytes[bits][place++] = static_cast<std::uint8_t>(4 * lane + byte);
      }
    }
  }
  return orders;
}
constexpr CompressOrders kOrders = compress_orders();

template <class T>
class Compressor;

template <>
class Compressor<float> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : place1_(static_cast<int>(bits & 1)),
        place2_(place1_ + static_cast<int>(bits >> 1 & 1)),
        place3_(place2_ + static_cast<int>(bits >> 2 & 1)),
        count_(place3_ + static_cast<int>(bits >> 3 & 1)),
        order_(vld1q_u8(kOrders.bytes[bits])) {}
  WIDEPHASE_INLINE int count() const { return count_; }
  WIDEPHASE_INLINE void store(float* to, const Floats& x) const {
    const float32x4_t v = x.data;
    vst1q_f32(to, vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(v), order_)));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Floats& high,
                                     const Floats& low) const {
    const uint32x4_t word =
        vorrq_u32(vshlq_n_u32(vcvtq_u32_f32(high.data), 16), vcvtq_u32_f32(low.data));
    vst1q_u32(to, vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(word), order_)));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Floats& x) const {
    const uint32x4_t word = vcvtq_u32_f32(x.data);
    to[0] = static_cast<std::uint8_t>(vgetq_lane_u32(word, 0));
    to[place1_] = static_cast<std::uint8_t>(vgetq_lane_u32(word, 1));
    to[place2_] = static_cast<std::uint8_t>(vgetq_lane_u32(word, 2));
    to[place3_] = static_cast<std::uint8_t>(vgetq_lane_u32(word, 3));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    const Pair p0 = from[0], p1 = from[1], p2 = from[2], p3 = from[3];
    to[0] = p0;
    to[place1_] = p1;
    to[place2_] = p2;
    to[place3_] = p3;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    const std::int64_t s0 = from[0], s1 = from[1], s2 = from[2], s3 = from[3];
    to[0] = s0;
    to[place1_] = s1;
    to[place2_] = s2;
    to[place3_] = s3;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    to[0] = first;
    to[place1_] = first + 1;
    to[place2_] = first + 2;
    to[place3_] = first + 3;
  }

 private:
  int place1_, place2_, place3_, count_;
  uint8x16_t order_;
};

template <>
class Compressor<double> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : place1_(static_cast<int>(bits & 1)), count_(place1_ + static_cast<int>(bits >> 1 & 1)) {}
  WIDEPHASE_INLINE int count() const { return count_; }
  WIDEPHASE_INLINE void store(double* to, const Doubles& x) const {
    const float64x2_t v = x.data;
    to[0] = vgetq_lane_f64(v, 0);
    to[place1_] = vgetq_lane_f64(v, 1);
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Doubles& high,
                                     const Doubles& low) const {
    const uint64x2_t word =
        vorrq_u64(vshlq_n_u64(vcvtq_u64_f64(high.data), 16), vcvtq_u64_f64(low.data));
    to[0] = static_cast<std::uint32_t>(vgetq_lane_u64(word, 0));
    to[place1_] = static_cast<std::uint32_t>(vgetq_lane_u64(word, 1));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Doubles& x) const {
    const uint64x2_t word = vcvtq_u64_f64(x.data);
    to[0] = static_cast<std::uint8_t>(vgetq_lane_u64(word, 0));
    to[place1_] = static_cast<std::uint8_t>(vgetq_lane_u64(word, 1));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    const Pair p0 = from[0], p1 = from[1];
    to[0] = p0;
    to[place1_] = p1;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    const std::int64_t s0 = from[0], s1 = from[1];
    to[0] = s0;
    to[place1_] = s1;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    to[0] = first;
    to[place1_] = first + 1;
  }

 private:
  int place1_, count_;
};

}  // namespace
}  // namespace widephase
