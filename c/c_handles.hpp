#pragma once

// What the handles of widephase.h hold, and how its calls check input and return results. Each
// handle is a variant over dimension and precision. One function turns exceptions into results.

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <widephase/widephase.h>
#include <widephase/bodies.hpp>
#include <widephase/casts.hpp>
#include <widephase/impact.hpp>
#include <widephase/nearest.hpp>
#include <widephase/rays.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "soa/number_text.hpp"

namespace widephase {

/// One alternative per dimension and precision. Answers may also hold none, before the first call.
template <template <int, class> class Of, class... None>
using AnyOf = std::variant<None..., Of<2, float>, Of<2, double>, Of<2, Mixed>, Of<3, float>,
                           Of<3, double>, Of<3, Mixed>>;

/// What rays or moving shapes hit.
using AnyHits =
    std::variant<std::monostate, RayHits<2, float>, RayHits<2, double>, RayHits<2, Mixed>,
                 RayHits<3, float>, RayHits<3, double>, RayHits<3, Mixed>, CastHits<2, float>,
                 CastHits<2, double>, CastHits<2, Mixed>, CastHits<3, float>, CastHits<3, double>,
                 CastHits<3, Mixed>>;

template <int D, class T>
using SharedGeometries = std::shared_ptr<GeometryTable<Owned<D, T>>>;

}  // namespace widephase

struct widephase_geometries {
  std::variant<widephase::SharedGeometries<2, float>, widephase::SharedGeometries<2, double>,
               widephase::SharedGeometries<3, float>, widephase::SharedGeometries<3, double>>
      table;
  /// A scene shares the table, so the next geometry is added to a copy.
  mutable std::atomic<bool> is_shared = false;
};

struct widephase_static_scene {
  widephase::AnyOf<widephase::StaticScene, std::monostate> kept;
};

struct widephase_scene {
  widephase::AnyOf<widephase::SceneSpan> columns;
  std::shared_ptr<const void> geometries;
  /// Only in a scene that `widephase_place` wrote: the memory that its columns borrow.
  widephase::AnyOf<widephase::PlacedScene, std::monostate> placed;
  const widephase_static_scene* kept = nullptr;
};

struct widephase_workspace {
  widephase::AnyOf<widephase::Workspace, std::monostate> held;
};

struct widephase_contacts {
  widephase::AnyOf<widephase::ContactBuffer, std::monostate> held;
};

struct widephase_distances {
  widephase::AnyOf<widephase::WorldDistanceBuffer, std::monostate> held;
};

struct widephase_support {
  widephase::AnyOf<widephase::SupportBuffer, std::monostate> held;
};

struct widephase_tracker {
  widephase::AnyOf<widephase::Tracker, std::monostate> held;
};

struct widephase_rays {
  widephase::AnyOf<widephase::RaySpan> columns;
};

struct widephase_hits {
  widephase::AnyHits held;
};

struct widephase_nearest {
  widephase::AnyOf<widephase::NearestHits, std::monostate> held;
};

struct widephase_impacts {
  widephase::AnyOf<widephase::ImpactHits, std::monostate> held;
};

struct widephase_findings {
  struct Row {
    widephase::Finding finding;
    std::string text;
  };
  std::vector<Row> rows;
};

namespace widephase {

[[noreturn]] inline void refuse(std::string_view array, std::string message,
                                std::int64_t row = -1) {
  throw Error(Finding{std::string(array), row, std::move(message)});
}

/// The message of a finding, with the names of C functions instead of those of C++.
std::string text_in_c(const Finding& finding);

/// Stores the current exception as the thread's last error.
widephase_result result_of_exception() noexcept;

/// Runs a call and turns exceptions into a result; none gets out.
template <class Call>
widephase_result guarded(Call&& call) noexcept {
  try {
    call();
    return WIDEPHASE_OK;
  } catch (...) {
    return result_of_exception();
  }
}

/// Dereferences a caller's pointer; throws `Error` if it is NULL.
template <class Thing>
Thing& required(Thing* thing, std::string_view name) {
  if (thing == nullptr) refuse(name, "is NULL");
  return *thing;
}

/// The caller's array of `count` elements; it may be NULL if `count` is 0.
template <class Thing>
std::span<Thing> required(Thing* first, std::int64_t count, std::string_view name) {
  if (count < 0) refuse(name, "has " + number(count) + " rows; a count is 0 or more");
  if (count > 0) required(first, name);
  return {first, static_cast<std::size_t>(count)};
}

/// A caller's cap; -1 means no cap.
inline std::size_t cap_of(std::int64_t given, std::string_view name) {
  if (given < -1) refuse(name, "is " + number(given) + "; expected -1 or a count");
  return given == -1 ? kNoCap : static_cast<std::size_t>(given);
}

/// Two ids per pair.
inline std::span<const Pair> pairs_of(const std::int32_t* pairs, std::int64_t count) {
  return required(reinterpret_cast<const Pair*>(pairs), count, "pairs");
}

/// What a handle holds. If its dimension or precision differs from the call's, it starts anew.
template <class Held, class... Others>
Held& held_as(std::variant<Others...>& any) {
  if (Held* held = std::get_if<Held>(&any)) return *held;
  any = Held();
  return std::get<Held>(any);
}

/// The static scene of a handle; throws `Error` if it holds none of this dimension and precision.
template <int D, class T>
const StaticScene<D, T>& static_scene_of(const widephase_static_scene& handle) {
  if (const auto* kept = std::get_if<StaticScene<D, T>>(&handle.kept)) return *kept;
  refuse("static_scene", "holds no scene of the moving one's dimension and precision");
}

/// Calls `call(columns)` with a scene and what it keeps.
template <class Call>
void with_columns(const widephase_scene* scene, const Call& call) {
  const widephase_scene& handle = required(scene, "scene");
  std::visit(
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
        if (handle.kept == nullptr) return call(columns);
        SceneSpan<D, T> both = columns;
        both.kept = &static_scene_of<D, T>(*handle.kept);
        call(std::as_const(both));
      },
      handle.columns);
}

/// The caller's options, or the defaults for NULL; throws `Error` for wrong values.
CollideOptions options_of(const widephase_options* pointer);
CastOptions cast_options_of(const widephase_options* pointer);
ShapeCastOptions shape_cast_options_of(const widephase_options* pointer);

template <class Handle>
widephase_result create(Handle** handle, std::string_view name) noexcept {
  return guarded([&] {
    required(handle, name) = nullptr;
    *handle = new Handle();
  });
}

template <class Handle>
void destroy(Handle** handle) noexcept {
  if (handle == nullptr) return;
  delete *handle;
  *handle = nullptr;
}

template <class T>
constexpr widephase_type type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return WIDEPHASE_UINT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return WIDEPHASE_INT32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return WIDEPHASE_UINT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return WIDEPHASE_INT64;
  if constexpr (std::is_same_v<T, float>) return WIDEPHASE_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return WIDEPHASE_FLOAT64;
}

/// "float32"; "type 17" for a number that is not a type.
std::string type_text(widephase_type type);

template <class T, int W>
widephase_array array_of(const ColumnSpan<T, W>& column) {
  widephase_array array{};
  for (int w = 0; w < W; ++w) array.planes[w] = column.plane(w);
  array.rows = static_cast<std::int64_t>(column.size());
  array.stride_bytes = column.stride();
  array.width = W;
  array.type = type_of<T>();
  return array;
}

template <class T, int W>
widephase_array array_of(const Column<T, W>& column) {
  return array_of(column.span());
}

inline widephase_array array_of(const Column<Pair>& pairs) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t));
  const Pair* first = pairs.plane();
  return array_of(ColumnSpan<std::int32_t, 2>::planes(
      {first == nullptr ? nullptr : &first->a, first == nullptr ? nullptr : &first->b},
      pairs.size(), sizeof(Pair)));
}

/// Throws `Error` unless a caller's array can be borrowed as a column of this type and width.
void check_array(const widephase_array& array, std::string_view name, widephase_type type,
                 int width);

template <class T, int W>
ColumnSpan<T, W> borrowed(const widephase_array& array, std::string_view name) {
  check_array(array, name, type_of<T>(), W);
  if (array.rows == 0) return {};
  std::array<const T*, W> planes;
  for (int w = 0; w < W; ++w) planes[w] = static_cast<const T*>(array.planes[w]);
  return ColumnSpan<T, W>::planes(planes, static_cast<std::size_t>(array.rows), array.stride_bytes);
}

/// Rows of `W` contiguous numbers. `type` is what the caller says they are; it must be `T`.
template <class T, int W>
ColumnSpan<T, W> borrowed_rows(widephase_type type, const void* data, std::int64_t rows,
                               std::int64_t stride_bytes, std::string_view name) {
  return borrowed<T, W>(widephase_rows(type, data, rows, W, stride_bytes), name);
}

/// Finds a column of an answer by its name.
class AnswerColumn {
 public:
  AnswerColumn(std::string_view handle, const char* name, widephase_type type,
               widephase_array* array)
      : handle_(handle),
        name_(&required(name, "name")),
        type_(type),
        array_(required(array, "array")) {
    array_ = {};
  }

  template <class Any>
  void consider(std::string_view name, const Any& column) {
    names_.append(names_.empty() ? "" : ", ").append(name);
    if (name == name_) found(array_of(column));
  }
  /// Throws `Error` if there was no column of this name.
  void end() const;

 private:
  void found(const widephase_array& array);

  std::string_view handle_;
  std::string_view name_;
  widephase_type type_;
  widephase_array& array_;
  std::string names_;
  bool is_found_ = false;
};

/// Calls `call(held)` with what a handle holds; throws `Error` if no call has written it.
template <class Any, class Call>
void with_held(const Any& any, std::string_view handle_name, const Call& call) {
  std::visit(
      [&]<class Held>(const Held& held) {
        if constexpr (std::is_same_v<Held, std::monostate>) {
          refuse(handle_name, "holds nothing yet; a call must write it first");
        } else {
          call(held);
        }
      },
      any);
}

/// Finds a column of what a handle holds; `list(held, column)` names all of them.
template <class Handle, class List>
widephase_result get(const Handle* handle, std::string_view handle_name, const char* name,
                     widephase_type type, widephase_array* array, const List& list) noexcept {
  return guarded([&] {
    AnswerColumn column(handle_name, name, type, array);
    with_held(required(handle, handle_name).held, handle_name,
              [&](const auto& held) { list(held, column); });
    column.end();
  });
}

}  // namespace widephase
