#include "tools/pictures/picture_rays.hpp"

#include <algorithm>
#include <cmath>

#include "soa/instantiate.hpp"
#include "tools/formats/wording.hpp"
#include "tools/pictures/picture_parts.hpp"

namespace widephase::tools {

namespace {

/// More rays cover one another.
constexpr std::size_t kMostRays = 10000;
/// Beyond this, ends of rays are drawn at it, so that their squares stay finite.
constexpr double kFarthest = 1e100;

template <int D, class Rows>
Point point_of(const Rows& rows, std::size_t row) {
  Point point{};
  for (int axis = 0; axis < D; ++axis) {
    point[static_cast<std::size_t>(axis)] =
        std::clamp(static_cast<double>(rows(row, axis)), -kFarthest, kFarthest);
  }
  return point;
}

/// How long a miss is drawn at most: across all shapes and origins.
double across(const PictureScene& picture) {
  const Extent extent = extent_of(picture);
  return std::hypot(extent.max[0] - extent.min[0], extent.max[1] - extent.min[1],
                    picture.dimension == 2 ? 0 : extent.max[2] - extent.min[2]);
}

}  // namespace

template <int D, class T>
std::string picture_of_rays(const SceneColumns<D, T>& scene, const RaySpan<D, T>& rays,
                            const RayHits<D, T>& hits, const PictureOptions& options) {
  std::vector<DrawnShape> shapes = drawn_shapes(scene);
  std::vector<std::size_t> shown;
  std::size_t met = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const std::int32_t world = rays.filters.world.empty() ? 0 : rays.filters.world[i];
    if (options.world && world >= 0 && world != *options.world) continue;
    shown.push_back(i);
    if (hits.shape[i] < 0) continue;
    ++met;
    ++shapes[static_cast<std::size_t>(hits.shape[i])].contacts;
  }
  std::vector<bool> is_drawn;
  PictureScene picture = picture_without_marks(scene, shapes, options, is_drawn);
  picture.is_of_rays = true;
  if (shown.size() > kMostRays) {
    add_note(picture.note,
             fmt::format("about {} of {} rays drawn", grouped(static_cast<std::int64_t>(kMostRays)),
                         grouped(static_cast<std::int64_t>(shown.size()))));
  }
  std::vector<std::size_t> misses;
  const std::size_t count = shown.size();
  std::erase_if(shown, [&](std::size_t i) { return !is_in_sample(i, kMostRays, count); });
  for (const std::size_t i : shown) {
    DrawnRay ray;
    ray.from = ray.to = point_of<D>(rays.origin, i);
    ray.is_hit = hits.shape[i] >= 0;
    if (ray.is_hit) {
      // With a margin the ball's centre stays before the point.
      const Point along = point_of<D>(rays.direction, i);
      for (std::size_t k = 0; k < 3; ++k) ray.to[k] += static_cast<double>(hits.t[i]) * along[k];
      const DrawnShape& shape = shapes[static_cast<std::size_t>(hits.shape[i])];
      picture.contacts.push_back(
          {point_of<D>(hits.point, i), point_of<D>(hits.normal, i), half_width(shape)});
    } else {
      misses.push_back(picture.rays.size());
    }
    picture.rays.push_back(ray);
  }
  const double longest = across(picture);
  for (DrawnContact& hit : picture.contacts) {
    if (hit.size == 0) hit.size = longest / 100;  // on a surface without a width
  }
  for (const std::size_t at : misses) {
    DrawnRay& ray = picture.rays[at];
    const Point along = point_of<D>(rays.direction, shown[at]);
    const double length = std::hypot(along[0], along[1], along[2]);
    const double t = std::min(static_cast<double>(hits.t[shown[at]]), longest / length);
    for (std::size_t k = 0; k < 3; ++k) ray.to[k] += t * along[k];
  }
  picture.caption += fmt::format(", {} of {} hit", grouped(static_cast<std::int64_t>(met)),
                                 counted(static_cast<std::int64_t>(count), "ray"));
  return D == 2 ? draw2(picture) : draw3(picture);
}

void draw_rays(Svg& svg, const Page& page, const PictureScene& scene, double typical,
               const std::function<std::array<double, 2>(const Point&)>& on_page) {
  if (scene.rays.empty()) return;
  svg.add(
      "<defs><clipPath id=\"rays-view\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\"/></clipPath></defs>\n<g clip-path=\"url(#rays-view)\" stroke=\"#2f6fde\" "
      "stroke-width=\"{:.2f}\">\n",
      page.left, page.top, page.width, page.height, std::clamp(typical / 12, 0.3, 1.0));
  // The paler the more there are, so that the scene is seen.
  const double pale = std::clamp(300.0 / static_cast<double>(scene.rays.size()), 0.2, 1.0);
  for (const bool is_hit : {false, true}) {
    svg.add("<path id=\"{}\" stroke-opacity=\"{}\" d=\"", is_hit ? "hit-rays" : "missed-rays",
            (is_hit ? 0.5 : 0.15) * pale);
    for (const DrawnRay& ray : scene.rays) {
      if (ray.is_hit != is_hit) continue;
      const auto [from_x, from_y] = on_page(ray.from);
      const auto [to_x, to_y] = on_page(ray.to);
      svg.add("M");
      svg.point(from_x, from_y);
      svg.add("L");
      svg.point(to_x, to_y);
    }
    svg.add("\"/>\n");
  }
  svg.add("</g>\n");
}

#define WIDEPHASE_INSTANTIATE(D, T)                                                     \
  template std::string picture_of_rays(const SceneColumns<D, T>&, const RaySpan<D, T>&, \
                                       const RayHits<D, T>&, const PictureOptions&);
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::tools
