#include "tools/page/view_rays.hpp"

#include <algorithm>

#include "soa/instantiate.hpp"

namespace widephase::tools {

void tell_rays(const ViewRays& rays, std::optional<std::int32_t> world, const Extent& extent,
               const PageFrame& frame, PageData& data) {
  const double most = length(difference(extent.max, extent.min));
  ViewRays shown;
  std::vector<std::int32_t> rows;
  std::vector<double> to;
  const auto add = [](std::vector<double>& values, const Point& row) {
    values.insert(values.end(), row.begin(), row.end());
  };
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (world && rays.world[i] >= 0 && rays.world[i] != *world) continue;
    rows.push_back(static_cast<std::int32_t>(i));
    const Point from = ray_row(rays.from, i), direction = ray_row(rays.direction, i);
    const double left = most / length(direction);
    const double t = rays.shape[i] < 0 ? std::min(rays.t[i], left) : rays.t[i];
    add(shown.from, from);
    add(to, sum(from, scaled(direction, t)));
    add(shown.point, ray_row(rays.point, i));
    add(shown.normal, ray_row(rays.normal, i));
    shown.t.push_back(rays.t[i]);
    shown.shape.push_back(rays.shape[i]);
    shown.status.push_back(rays.status[i]);
    shown.world.push_back(rays.world[i]);
    shown.feature.push_back(rays.feature[i]);
    if (!rays.part.empty()) shown.part.push_back(rays.part[i]);
  }
  data.add("ray_row", rows);
  data.add("ray_from", narrow(shown.from, frame));
  data.add("ray_to", narrow(to, frame));
  data.add("ray_point", narrow(shown.point, frame));
  data.add("ray_normal", narrow(shown.normal));
  data.add("ray_t", narrow(shown.t));
  data.add("ray_shape", shown.shape);
  data.add("ray_status", shown.status);
  data.add("ray_world", shown.world);
  data.add("ray_feature", shown.feature);
  if (!shown.part.empty()) data.add("ray_part", shown.part);
}

template <int D, class T>
ViewRays view_rays_of(const RaySpan<D, T>& rays, const RayHits<D, T>& hits) {
  ViewRays view;
  const auto add_row = [](std::vector<double>& rows, const auto& column, std::size_t row) {
    for (int k = 0; k < 3; ++k) {
      rows.push_back(k < D ? static_cast<double>(column(row, k < D ? k : 0)) : 0);
    }
  };
  for (std::size_t i = 0; i < rays.size(); ++i) {
    add_row(view.from, rays.origin, i);
    add_row(view.direction, rays.direction, i);
    add_row(view.point, hits.point, i);
    add_row(view.normal, hits.normal, i);
    view.t.push_back(static_cast<double>(hits.t[i]));
    view.shape.push_back(hits.shape[i]);
    view.status.push_back(hits.status[i]);
    view.feature.push_back(hits.feature[i]);
    view.world.push_back(rays.filters.world.empty() ? 0 : rays.filters.world[i]);
    if (!hits.part.empty()) view.part.push_back(hits.part[i]);
  }
  return view;
}

#define WIDEPHASE_INSTANTIATE(D, T) \
  template ViewRays view_rays_of(const RaySpan<D, T>&, const RayHits<D, T>&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
