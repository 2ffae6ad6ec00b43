#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <widephase/rays.hpp>

#include "tools/page/page_data.hpp"
#include "tools/page/page_frame.hpp"

namespace widephase::tools {

/// Rays as the page shows them: rows of three numbers, with z = 0 in 2D.
struct ViewRays {
  std::vector<double> from;       ///< three numbers per ray
  std::vector<double> direction;  ///< three numbers per ray
  std::vector<double> t;
  std::vector<double> point;         ///< three numbers per ray
  std::vector<double> normal;        ///< three numbers per ray
  std::vector<std::int32_t> shape;   ///< -1: a miss
  std::vector<std::int32_t> status;  ///< a `CastStatus`
  std::vector<std::int32_t> world;   ///< -1: of all
  std::vector<std::uint32_t> feature;
  std::vector<std::int32_t> part;  ///< empty: none

  std::size_t size() const { return shape.size(); }
};

/// A row of three numbers.
inline Point ray_row(const std::vector<double>& rows, std::size_t i) {
  return {rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]};
}

/// The rays of a world, or all, as arrays of the page. Misses end where they have left the scene.
void tell_rays(const ViewRays& rays, std::optional<std::int32_t> world, const Extent& extent,
               const PageFrame& frame, PageData& data);

template <int D, class T>
ViewRays view_rays_of(const RaySpan<D, T>& rays, const RayHits<D, T>& hits);

}  // namespace widephase::tools
