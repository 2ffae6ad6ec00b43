#pragma once

// Embree beside our rays: spheres, capsules and boxes as its user geometry, on one thread, robust,
// with its own trees. Each ray alone (rtcIntersect1, rtcOccluded1) and sixteen together
// (rtcIntersect16, rtcOccluded16); the better one is the peer.

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <widephase/rays.hpp>

namespace widephase::bench {

using Point = std::array<float, 3>;

/// A shape as the callbacks read it: a sphere has axis[0] = 0, a box its half extents.
struct PeerShape {
  enum class Form { sphere, capsule, box } form;
  Point center;
  Point axis[3];  ///< of a capsule the first: from one end to the other
  Point half;
  float radius;
};

class EmbreeRays {
 public:
  explicit EmbreeRays(std::vector<PeerShape> shapes) : shapes_(std::move(shapes)) {
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(shapes_.size()));
    rtcSetGeometryUserData(geometry, shapes_.data());
    rtcSetGeometryBoundsFunction(
        geometry,
        [](const RTCBoundsFunctionArguments* box) {
          put_bounds(static_cast<const PeerShape*>(box->geometryUserPtr)[box->primID],
                     *box->bounds_o);
        },
        nullptr);
    rtcSetGeometryIntersectFunction(geometry, [](const RTCIntersectFunctionNArguments* call) {
      const PeerShape& shape = static_cast<const PeerShape*>(call->geometryUserPtr)[call->primID];
      RTCRayN* const rays = RTCRayHitN_RayN(call->rayhit, call->N);
      RTCHitN* const hits = RTCRayHitN_HitN(call->rayhit, call->N);
      for (unsigned i = 0; i < call->N; ++i) {
        float t;
        if (call->valid[i] == 0 || !meets(shape, rays, call->N, i, t)) continue;
        RTCRayN_tfar(rays, call->N, i) = t;
        RTCHitN_geomID(hits, call->N, i) = call->geomID;
        RTCHitN_primID(hits, call->N, i) = call->primID;
      }
    });
    rtcSetGeometryOccludedFunction(geometry, [](const RTCOccludedFunctionNArguments* call) {
      const PeerShape& shape = static_cast<const PeerShape*>(call->geometryUserPtr)[call->primID];
      for (unsigned i = 0; i < call->N; ++i) {
        float t;
        if (call->valid[i] == 0 || !meets(shape, call->ray, call->N, i, t)) continue;
        RTCRayN_tfar(call->ray, call->N, i) = -std::numeric_limits<float>::infinity();
      }
    });
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  /// Triangles, by Embree's own kernels.
  EmbreeRays(const ColumnSpan<float, 3>& vertices, const ColumnSpan<std::int32_t, 3>& indices) {
    scene_ = rtcNewScene(device_);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* const places = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), vertices.size()));
    for (std::size_t i = 0; i < 3 * vertices.size(); ++i) places[i] = vertices(i / 3, i % 3);
    auto* const corners = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(unsigned), indices.size()));
    for (std::size_t i = 0; i < 3 * indices.size(); ++i) {
      corners[i] = static_cast<unsigned>(indices(i / 3, i % 3));
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  EmbreeRays(const EmbreeRays&) = delete;
  ~EmbreeRays() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  /// t of each ray, infinite for a miss; of any hit 0.
  void cast(const ColumnSpan<float, 3>& origin, const ColumnSpan<float, 3>& direction,
            bool is_coherent, bool any, bool together, std::vector<float>& t) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags =
        is_coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    t.resize(origin.size());
    if (together) return cast_together(origin, direction, context, any, t);
    for (std::size_t i = 0; i < origin.size(); ++i) {
      RTCRayHit hit{};
      hit.ray.org_x = origin(i, 0);
      hit.ray.org_y = origin(i, 1);
      hit.ray.org_z = origin(i, 2);
      hit.ray.dir_x = direction(i, 0);
      hit.ray.dir_y = direction(i, 1);
      hit.ray.dir_z = direction(i, 2);
      hit.ray.tfar = std::numeric_limits<float>::infinity();
      hit.ray.mask = ~0u;
      hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      if (any) {
        rtcOccluded1(scene_, &context, &hit.ray);
      } else {
        rtcIntersect1(scene_, &context, &hit);
      }
      t[i] = any && hit.ray.tfar < 0 ? 0 : hit.ray.tfar;
    }
  }

 private:
  void cast_together(const ColumnSpan<float, 3>& origin, const ColumnSpan<float, 3>& direction,
                     RTCIntersectContext& context, bool any, std::vector<float>& t) {
    const std::size_t count = origin.size();
    for (std::size_t first = 0; first < count; first += 16) {
      alignas(64) RTCRayHit16 hit{};
      alignas(64) int valid[16];
      for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t row = std::min(first + i, count - 1);
        valid[i] = first + i < count ? -1 : 0;
        hit.ray.org_x[i] = origin(row, 0);
        hit.ray.org_y[i] = origin(row, 1);
        hit.ray.org_z[i] = origin(row, 2);
        hit.ray.dir_x[i] = direction(row, 0);
        hit.ray.dir_y[i] = direction(row, 1);
        hit.ray.dir_z[i] = direction(row, 2);
        hit.ray.tfar[i] = std::numeric_limits<float>::infinity();
        hit.ray.mask[i] = ~0u;
        hit.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
      }
      if (any) {
        rtcOccluded16(valid, scene_, &context, &hit.ray);
      } else {
        rtcIntersect16(valid, scene_, &context, &hit);
      }
      for (std::size_t i = 0; i < 16 && first + i < count; ++i) {
        t[first + i] = any && hit.ray.tfar[i] < 0 ? 0 : hit.ray.tfar[i];
      }
    }
  }

  static float dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static Point minus(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  static Point along(const Point& from, float t, const Point& by) {
    return {from[0] + t * by[0], from[1] + t * by[1], from[2] + t * by[2]};
  }

  static void put_bounds(const PeerShape& shape, RTCBounds& box) {
    Point low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      float reach = shape.radius;
      for (std::size_t n = 0; n < 3 && shape.form == PeerShape::Form::box; ++n) {
        reach += std::abs(shape.axis[n][k]) * shape.half[n];
      }
      const float other = shape.form == PeerShape::Form::capsule
                              ? shape.center[k] + shape.axis[0][k]
                              : shape.center[k];
      low[k] = std::min(shape.center[k], other) - reach;
      high[k] = std::max(shape.center[k], other) + reach;
    }
    box.lower_x = low[0];
    box.lower_y = low[1];
    box.lower_z = low[2];
    box.upper_x = high[0];
    box.upper_y = high[1];
    box.upper_z = high[2];
  }

  static bool meets(const PeerShape& shape, RTCRayN* rays, unsigned n, unsigned i, float& t) {
    const Point from{RTCRayN_org_x(rays, n, i), RTCRayN_org_y(rays, n, i),
                     RTCRayN_org_z(rays, n, i)};
    const Point by{RTCRayN_dir_x(rays, n, i), RTCRayN_dir_y(rays, n, i), RTCRayN_dir_z(rays, n, i)};
    const float most = RTCRayN_tfar(rays, n, i);
    switch (shape.form) {
      case PeerShape::Form::sphere:
        t = enter_ball(minus(from, shape.center), by, shape.radius);
        break;
      case PeerShape::Form::capsule:
        t = enter_capsule(shape, minus(from, shape.center), by);
        break;
      case PeerShape::Form::box:
        t = enter_box(shape, minus(from, shape.center), by);
        break;
    }
    return t >= 0 && t <= most;
  }
  /// These answer 0 inside and a negative number for a miss.
  static float enter_ball(const Point& from, const Point& by, float radius) {
    if (dot(from, from) <= radius * radius) return 0;
    const float by2 = dot(by, by), middle = -dot(from, by) / by2;
    const Point nearest = along(from, middle, by);
    const float rest = radius * radius - dot(nearest, nearest);
    return rest < 0 ? -1 : middle - std::sqrt(rest / by2);
  }
  static float enter_capsule(const PeerShape& shape, const Point& from, const Point& by) {
    const Point& axis = shape.axis[0];
    const float axis2 = dot(axis, axis), place = dot(from, axis) / axis2;
    const float speed = dot(by, axis) / axis2;
    const Point apart = along(from, -std::clamp(place, 0.0f, 1.0f), axis);
    if (dot(apart, apart) <= shape.radius * shape.radius) return 0;
    const Point across = along(from, -place, axis), rise = along(by, -speed, axis);
    const float rise2 = dot(rise, rise);
    float end = speed > 0 ? 0.0f : 1.0f;
    if (rise2 > 1e-12f * dot(by, by)) {
      const float t = [&] {
        const float middle = -dot(across, rise) / rise2;
        const Point nearest = along(across, middle, rise);
        const float rest = shape.radius * shape.radius - dot(nearest, nearest);
        return rest < 0 ? std::numeric_limits<float>::quiet_NaN()
                        : middle - std::sqrt(rest / rise2);
      }();
      if (std::isnan(t)) return -1;
      const float at = place + t * speed;
      if (at >= 0 && at <= 1) return t;
      end = at < 0.5f ? 0.0f : 1.0f;
    }
    return enter_ball(along(from, -end, axis), by, shape.radius);
  }
  static float enter_box(const PeerShape& shape, const Point& from, const Point& by) {
    float low = 0, high = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
      const float at = dot(from, shape.axis[k]), inverse = 1 / dot(by, shape.axis[k]);
      const float one = (-shape.half[k] - at) * inverse, other = (shape.half[k] - at) * inverse;
      low = std::max(low, std::min(one, other));
      high = std::min(high, std::max(one, other));
    }
    return low <= high ? low : -1;
  }

  RTCDevice device_ = rtcNewDevice("threads=1,set_affinity=0");
  RTCScene scene_;
  std::vector<PeerShape> shapes_;
};

}  // namespace widephase::bench
