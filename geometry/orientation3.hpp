#pragma once

// The exact sign of an orientation in space, like orientation.hpp in the plane: a filter (Shewchuk
// 1997, section 4.3), then one in twice the digits of a double, else exact sums. Coordinates are 0
// or between 1e-75 and 1e75 in size, so that neither products of three nor their rounding errors
// overflow or vanish.

#include <cmath>

#include "geometry/long_vector.hpp"
#include "geometry/orientation.hpp"
#include "geometry/vector3.hpp"

namespace widephase {

namespace orientation_parts {

/// The rounding error of the determinant, as a share of its six products.
inline constexpr double kFilter3 = (7 + 56 * 0x1p-53) * 0x1p-53;

/// The same of one in twice the digits. With u = 2^-53, `sum_of` errs by at most 4 u^2 of its two
/// parts and `product_of` by 9 u^2 of the product, so minors of 2 by 2 by 13 u^2 of their products,
/// the products with the third coordinates by 22 u^2, and their sum by 30 u^2 = 2^-101. The rest is
/// for the roundings of the six products' sum.
inline constexpr double kLongFilter3 = 0x1p-100;

/// An exact sum of products of three, each of at most four terms.
template <int Products>
class ExactSum {
 public:
  void add(double p, double q, double r) {
    if (p == 0 || q == 0 || r == 0) return;
    const TwoTerms pq = two_product(p, q);
    for (const double part : {pq.low, pq.high}) {
      if (part == 0) continue;
      const TwoTerms product = two_product(part, r);
      count_ = add_exactly(terms_, count_, product.low);
      count_ = add_exactly(terms_, count_, product.high);
    }
  }
  void add_determinant(Point3 p, Point3 q, Point3 r) {
    add(p.x, q.y, r.z);
    add(-p.x, q.z, r.y);
    add(p.y, q.z, r.x);
    add(-p.y, q.x, r.z);
    add(p.z, q.x, r.y);
    add(-p.z, q.y, r.x);
  }
  int sign() const { return sign_of_sum(terms_, count_); }

 private:
  double terms_[4 * Products];
  int count_ = 0;
};

/// The determinant of three vectors in twice the digits of a double.
inline double long_determinant(const LongVector& p, const LongVector& q, const LongVector& r) {
  LongVector minors;
  add_cross(q, r, minors);
  return sum_of(sum_of(product_of(p.x, minors.x), product_of(p.y, minors.y)),
                product_of(p.z, minors.z))
      .high;
}

inline bool is_exact_difference(double a, double b) { return two_sum(a, -b).low == 0; }
inline bool is_exact_difference(Point3 a, Point3 b) {
  return is_exact_difference(a.x, b.x) && is_exact_difference(a.y, b.y) &&
         is_exact_difference(a.z, b.z);
}

}  // namespace orientation_parts

/// The determinant multiplied out, so that no difference of coordinates is rounded.
inline int orientation_by_exact_sum(Point3 a, Point3 b, Point3 c, Point3 d) {
  orientation_parts::ExactSum<24> determinant;
  determinant.add_determinant(b, c, d);
  determinant.add_determinant(a, d, c);
  determinant.add_determinant(a, b, d);
  determinant.add_determinant(a, c, b);
  return determinant.sign();
}

/// 1 if d lies on the side from which a, b, c turn counter-clockwise, -1 on the other side, 0 if
/// the four lie in one plane.
inline int orientation(Point3 a, Point3 b, Point3 c, Point3 d) {
  const Point3 p = difference(a, d);
  const Point3 q = difference(b, d);
  const Point3 r = difference(c, d);
  const double qr = q.x * r.y, rq = r.x * q.y;
  const double rp = r.x * p.y, pr = p.x * r.y;
  const double pq = p.x * q.y, qp = q.x * p.y;
  const double determinant = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
  const double sum = (std::abs(qr) + std::abs(rq)) * std::abs(p.z) +
                     (std::abs(rp) + std::abs(pr)) * std::abs(q.z) +
                     (std::abs(pq) + std::abs(qp)) * std::abs(r.z);
  if (std::abs(determinant) > orientation_parts::kFilter3 * sum) return -sign_of(determinant);
  // For example in one plane across an axis: differences have the exact sign.
  if (sum == 0) return 0;
  const double longer = orientation_parts::long_determinant(
      long_difference(a, d), long_difference(b, d), long_difference(c, d));
  if (std::abs(longer) > orientation_parts::kLongFilter3 * sum) return -sign_of(longer);
  // Points of a grid, as most coplanar sets are: six products are enough.
  using orientation_parts::is_exact_difference;
  if (is_exact_difference(a, d) && is_exact_difference(b, d) && is_exact_difference(c, d)) {
    orientation_parts::ExactSum<6> products;
    products.add_determinant(p, q, r);
    return -products.sign();
  }
  return orientation_by_exact_sum(a, b, c, d);
}

/// The plane of three points that many others are asked about. Most signs follow from a rounded
/// determinant, whose share of the three points is computed once.
class OrientedPlane {
 public:
  OrientedPlane(Point3 a, Point3 b, Point3 c) : a_(a), b_(b), c_(c) {
    const Point3 u = difference(b, a), v = difference(c, a);
    const auto set = [](double left, double right, double& minor, double& size) {
      minor = left - right;
      size = std::abs(left) + std::abs(right);
    };
    set(u.y * v.z, u.z * v.y, normal_.x, sizes_.x);
    set(u.z * v.x, u.x * v.z, normal_.y, sizes_.y);
    set(u.x * v.y, u.y * v.x, normal_.z, sizes_.z);
  }

  /// Upwards, rounded; its length is twice the area of the triangle.
  const Point3& normal() const { return normal_; }
  /// The height of a point above the plane times the length of the normal, rounded.
  double scaled_height(Point3 p) const { return dot(normal_, difference(p, a_)); }
  /// orientation(a, b, c, p). With a in place of the last point, the rounded determinant has the
  /// terms, the order and so the error bound of the one there.
  int side(Point3 p) const {
    const Point3 from_a = difference(p, a_);
    const double determinant = dot(normal_, from_a);
    const double sum = sizes_.x * std::abs(from_a.x) + sizes_.y * std::abs(from_a.y) +
                       sizes_.z * std::abs(from_a.z);
    return std::abs(determinant) > orientation_parts::kFilter3 * sum ? sign_of(determinant)
                                                                     : orientation(a_, b_, c_, p);
  }

 private:
  Point3 a_, b_, c_;
  Point3 normal_;
  Point3 sizes_;  ///< of the products whose differences are `normal_`
};

/// Whether three points lie on one line: so do their projections along every axis.
inline bool are_on_one_line(Point3 a, Point3 b, Point3 c) {
  return orientation(Point2{a.x, a.y}, Point2{b.x, b.y}, Point2{c.x, c.y}) == 0 &&
         orientation(Point2{a.y, a.z}, Point2{b.y, b.z}, Point2{c.y, c.z}) == 0 &&
         orientation(Point2{a.z, a.x}, Point2{b.z, b.x}, Point2{c.z, c.x}) == 0;
}

}  // namespace widephase
