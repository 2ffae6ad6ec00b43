#pragma once

// What rays do with sheets (meshes and chains): their pieces, triangles or segments, are met one by
// one.

#include "kernels/rays/surface_ray.hpp"

namespace widephase {
namespace {

/// Keeps of a body within reach of a one-sided piece what is in front of it. `vertex` is one of the
/// piece's, `normal` its own.
WIDEPHASE_INLINE Stretch in_front(const SurfaceRay& ray, const Vector& vertex, const Vector& normal,
                                  int feature, Stretch body) {
  const double height = dot(normal, ray.origin - vertex);
  const double rise = dot(normal, ray.direction);
  if (rise == 0) return height >= 0 ? body : Stretch();
  const double plane = -height / rise;
  if (rise > 0) {
    // It comes from behind and passes.
    if (plane > body.low && plane > 0) return {};
    body.low = plane > body.low ? plane : body.low;
  } else if (plane < body.high) {
    body.high = plane;
    body.high_normal = -normal;
    body.high_feature = feature;
  }
  return body;
}

/// `Sheet` has `walk(first, last, best, is_best, op)`, which calls `op(piece)`; `meet(piece)`, all
/// but the normal of what a ray without reach meets, `normal_of(piece)` and `body_of(piece)`, all
/// within reach.
template <class Sheet>
class SheetRay {
 public:
  explicit SheetRay(const SurfaceRay& ray) : ray_(ray) {}

  SurfaceMeet enter() const {
    SurfaceMeet best;
    sheet().walk(0, ray_.most, best.t, best.is_met, [&](std::int32_t number) {
      if (ray_.reach > 0) {
        const Stretch body = sheet().body_of(number);
        if (body.is_empty() || !(body.high >= 0)) return;
        if (body.low <= 0) {
          best = SurfaceMeet();
          best.is_met = best.is_inside = true;
        } else if (!best.is_inside) {
          best.take({true, false, body.low, body.low_normal, number, body.low_feature});
        }
      } else {
        best.take(sheet().meet(number));
      }
    });
    if (best.is_met && !(ray_.reach > 0)) best.normal = sheet().normal_of(best.part);
    return best;
  }
  /// Where a ray that starts inside leaves: from one body to the next, as far as they reach.
  SurfaceMeet leave() const {
    SurfaceMeet best;
    best.is_inside = true;
    double t = 0;
    do {
      t = best.t;
      SurfaceMeet next = best;
      double end = t;
      bool is_limited = true;
      sheet().walk(t, t, end, is_limited, [&](std::int32_t number) {
        const Stretch body = sheet().body_of(number);
        if (!(body.low <= t && body.high >= t)) return;
        if (next.is_met && !(body.high > next.t)) return;
        next = {true, true, body.high, body.high_normal, number, body.high_feature};
      });
      best = next;
    } while (best.t > t && best.t <= ray_.most);
    return best;
  }

 protected:
  const SurfaceRay& ray_;

 private:
  const Sheet& sheet() const { return static_cast<const Sheet&>(*this); }
};

}  // namespace
}  // namespace widephase
