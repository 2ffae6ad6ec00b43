// widephase.h: rays, and the shapes nearest to points.

#include <widephase/answers.hpp>

#include "c/c_handles.hpp"

namespace widephase {

namespace {

/// Calls `visit(name, column)` for each column of rays.
template <class Rays, class Visit>
void for_each_ray_column(Rays& rays, const Visit& visit) {
  visit("origin", rays.origin);
  visit("direction", rays.direction);
  visit("max_t", rays.max_t);
  visit("world", rays.filters.world);
  visit("category", rays.filters.category);
  visit("mask", rays.filters.mask);
  visit("owner", rays.filters.owner);
  visit("body", rays.filters.body);
  visit("excluded", rays.filters.excluded);
  visit("excluded_owners", rays.filters.excluded_owners);
  visit("excluded_bodies", rays.filters.excluded_bodies);
}

/// Sets the column of a name to `array_of(width)`.
template <class ArrayOf>
void set_column(widephase_rays& rays, std::string_view wanted, const ArrayOf& array_of) {
  std::visit(
      [&](auto& columns) {
        bool is_found = false;
        std::string names;
        for_each_ray_column(columns,
                            [&]<class T, int W>(std::string_view name, ColumnSpan<T, W>& column) {
                              names.append(names.empty() ? "" : ", ").append(name);
                              if (name != wanted) return;
                              is_found = true;
                              column = borrowed<T, W>(array_of(W), name);
                            });
        if (!is_found) refuse("name", "is '" + std::string(wanted) + "'; rays have " + names);
      },
      rays.columns);
}

/// Calls `call(kept, rays, workspace, options)` in the rays' dimension and precision.
template <class Call>
widephase_result with_rays(const widephase_static_scene* static_scene, const widephase_rays* rays,
                           widephase_workspace* workspace, const widephase_options* options,
                           const Call& call) noexcept {
  return guarded([&] {
    const widephase_static_scene& scene = required(static_scene, "static_scene");
    required(workspace, "workspace");
    std::visit(
        [&]<int D, class T>(const RaySpan<D, T>& columns) {
          const auto* kept = std::get_if<StaticScene<D, T>>(&scene.kept);
          if (kept == nullptr) {
            refuse("static_scene", "holds no scene of the rays' dimension and precision");
          }
          call(*kept, columns, held_as<Workspace<D, T>>(workspace->held), cast_options_of(options));
        },
        required(rays, "rays").columns);
  });
}

}  // namespace

}  // namespace widephase

using namespace widephase;

widephase_result widephase_rays_create(int32_t dimension, widephase_precision precision,
                                       widephase_rays** rays) {
  return guarded([&] {
    required(rays, "rays") = nullptr;
    if (dimension != 2 && dimension != 3) {
      refuse("dimension", "is " + number(dimension) + "; expected 2 or 3");
    }
    auto made = std::make_unique<widephase_rays>();
    const auto make = [&]<class T>() {
      if (dimension == 2) {
        made->columns = RaySpan<2, T>();
      } else {
        made->columns = RaySpan<3, T>();
      }
    };
    switch (precision) {
      case WIDEPHASE_FLOAT:
        make.template operator()<float>();
        break;
      case WIDEPHASE_DOUBLE:
        make.template operator()<double>();
        break;
      case WIDEPHASE_MIXED:
        make.template operator()<Mixed>();
        break;
      default:
        refuse("precision", "is " + number(precision) +
                                "; expected WIDEPHASE_FLOAT, WIDEPHASE_DOUBLE or WIDEPHASE_MIXED");
    }
    *rays = made.release();
  });
}
void widephase_rays_destroy(widephase_rays** rays) { destroy(rays); }

widephase_result widephase_rays_set(widephase_rays* rays, const char* name, widephase_type type,
                                    const void* data, int64_t rows, int64_t stride_bytes) {
  return guarded([&] {
    set_column(required(rays, "rays"), &required(name, "name"),
               [&](int width) { return widephase_rows(type, data, rows, width, stride_bytes); });
  });
}
widephase_result widephase_rays_set_array(widephase_rays* rays, const char* name,
                                          const widephase_array* array) {
  return guarded([&] {
    set_column(required(rays, "rays"), &required(name, "name"),
               [&](int) { return required(array, "array"); });
  });
}

widephase_result widephase_hits_create(widephase_hits** hits) { return create(hits, "hits"); }
void widephase_hits_destroy(widephase_hits** hits) { destroy(hits); }
widephase_result widephase_hits_get(const widephase_hits* hits, const char* name,
                                    widephase_type type, widephase_array* array) {
  return get(hits, "hits", name, type, array, [](const auto& held, AnswerColumn& column) {
    for_each_answer(
        [&](const AnswerField& field, const auto& values) { column.consider(field.name, values); },
        held);
  });
}

widephase_result widephase_cast_rays(const widephase_static_scene* static_scene,
                                     const widephase_rays* rays, widephase_hits* hits,
                                     widephase_workspace* workspace,
                                     const widephase_options* options) {
  return with_rays(static_scene, rays, workspace, options,
                   [&]<int D, class T>(const StaticScene<D, T>& kept, const RaySpan<D, T>& columns,
                                       Workspace<D, T>& scratch, const CastOptions& wanted) {
                     cast_rays(kept, columns, held_as<RayHits<D, T>>(required(hits, "hits").held),
                               scratch, wanted);
                   });
}
widephase_result widephase_any_hit(const widephase_static_scene* static_scene,
                                   const widephase_rays* rays, uint8_t* is_hit, int64_t count,
                                   widephase_workspace* workspace,
                                   const widephase_options* options) {
  return with_rays(static_scene, rays, workspace, options,
                   [&]<int D, class T>(const StaticScene<D, T>& kept, const RaySpan<D, T>& columns,
                                       Workspace<D, T>& scratch, const CastOptions& wanted) {
                     any_hit(kept, columns, required(is_hit, count, "is_hit"), scratch, wanted);
                   });
}

widephase_result widephase_nearest_create(widephase_nearest** nearest) {
  return create(nearest, "nearest");
}
void widephase_nearest_destroy(widephase_nearest** nearest) { destroy(nearest); }
widephase_result widephase_nearest_get(const widephase_nearest* nearest, const char* name,
                                       widephase_type type, widephase_array* array) {
  return get(nearest, "nearest", name, type, array, [](const auto& held, AnswerColumn& column) {
    for_each_answer(
        [&](const AnswerField& field, const auto& values) { column.consider(field.name, values); },
        held);
  });
}

widephase_result widephase_nearest_shapes(const widephase_static_scene* static_scene,
                                          const widephase_rays* points, int64_t k,
                                          double max_distance, widephase_nearest* nearest,
                                          widephase_workspace* workspace,
                                          const widephase_options* options) {
  return with_rays(static_scene, points, workspace, options,
                   [&]<int D, class T>(const StaticScene<D, T>& kept, const RaySpan<D, T>& columns,
                                       Workspace<D, T>& scratch, const CastOptions& wanted) {
                     if (k < 1) refuse("k", "is " + number(k) + "; it must be 1 or more");
                     nearest_shapes(kept, columns.origin, static_cast<std::size_t>(k),
                                    static_cast<SizeOf<T>>(max_distance), columns.filters,
                                    held_as<NearestHits<D, T>>(required(nearest, "nearest").held),
                                    scratch, wanted);
                   });
}
