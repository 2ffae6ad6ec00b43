// widephase.h: errors, geometries and scenes.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>
#include <widephase/version.hpp>

#include "c/c_handles.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

/// The parameter of C that an array is given by.
const char* array_in_c(const std::string& array) {
  return array == "angle_end" || array == "orientation_end" ? "turn_end" : array.c_str();
}

/// Fixed buffers: an error must be reported even when no memory can be allocated.
struct LastError {
  char message[1024] = "";
  char array[128] = "";
  std::int64_t row = -1;
  AnswerCounts needed;

  void set(const char* text, const std::optional<Finding>& finding = {},
           const AnswerCounts& counts = {}) {
    std::snprintf(message, sizeof(message), "%s", text);
    std::snprintf(array, sizeof(array), "%s", finding ? array_in_c(finding->array) : "");
    row = finding ? finding->row : -1;
    needed = counts;
  }
  void set(const Error& error, const AnswerCounts& counts = {}) {
    set(error.what(), error.finding(), counts);
    if (!error.finding()) return;
    try {
      std::snprintf(message, sizeof(message), "%s", text_in_c(*error.finding()).c_str());
    } catch (const std::bad_alloc&) {
      // Keep the C++ message.
    }
  }
};

thread_local LastError last_error;

constexpr const char* kTypes[] = {"", "uint8", "int32", "uint32", "int64", "float32", "float64"};

std::size_t size_of(widephase_type type) {
  if (type == WIDEPHASE_UINT8) return 1;
  return type == WIDEPHASE_INT64 || type == WIDEPHASE_FLOAT64 ? 8 : 4;
}

/// Calls `visit(kind or table, field, column)` for every array that a scene borrows.
template <class AnyScene, class Visit>
void for_each_column(AnyScene& scene, const Visit& visit) {
  constexpr int D = std::remove_cvref_t<AnyScene>::dimension;
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kind = std::remove_cvref_t<decltype(table)>::kind;
    for_each_field(table, [&](const auto& field, auto& column) {
      visit(kind_name(kind, D), field.name, column);
    });
  });
  visit("", "excluded", scene.excluded);
  visit("", "excluded_owners", scene.excluded_owners);
  visit("", "excluded_bodies", scene.excluded_bodies);
  visit("bodies", "position", scene.bodies.position);
  visit("bodies", D == 2 ? "angle" : "orientation", scene.bodies.turn);
  scene.for_each_geometry_column(
      [&](std::string_view library, std::string_view field, auto& column) {
        if (library != "hulls" || field != "inner") visit(library, field, column);
      },
      scene);
}

std::string joined(std::string_view table, std::string_view field) {
  return table.empty() ? std::string(field) : std::string(table) + "." + std::string(field);
}

[[gnu::noinline]] bool is_name(std::string_view name, std::string_view table,
                               std::string_view field) {
  if (table.empty()) return name == field;
  return name.size() == table.size() + 1 + field.size() && name.starts_with(table) &&
         name[table.size()] == '.' && name.ends_with(field);
}

template <int D>
const std::vector<std::string>& column_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    const SceneSpan<D, float> scene;
    for_each_column(scene, [&](std::string_view table, std::string_view field, const auto&) {
      list.push_back(joined(table, field));
    });
    return list;
  }();
  return names;
}

/// Reports an unknown name. The message lists the columns of its kind, or else all kinds.
[[noreturn]] void refuse_name(std::string_view name, int dimension,
                              const std::vector<std::string>& names) {
  const std::string_view table = name.substr(0, name.find('.'));
  std::string fields, tables;
  std::string_view last;
  for (const std::string& known : names) {
    const std::string_view word = std::string_view(known).substr(0, known.find('.'));
    if (word == table) fields.append(fields.empty() ? "" : ", ").append(known);
    if (word != last) tables.append(tables.empty() ? "" : ", ").append(word);
    last = word;
  }
  refuse(name, "is not a column of a " + number(dimension) + "D scene; " +
                   (fields.empty() ? "it has " + tables : "there are " + fields));
}

/// A column of any type, so that code that uses it by name is compiled once per type, not once per
/// column.
struct BorrowedColumn {
  void* column = nullptr;
  int width = 0;
  void (*set)(void* column, const widephase_array& array, std::string_view name) = nullptr;
  widephase_array (*get)(const void* column) = nullptr;
};

template <class T, int W>
BorrowedColumn erased(ColumnSpan<T, W>& column) {
  return {&column, W,
          [](void* self, const widephase_array& array, std::string_view name) {
            *static_cast<ColumnSpan<T, W>*>(self) = borrowed<T, W>(array, name);
          },
          [](const void* self) { return array_of(*static_cast<const ColumnSpan<T, W>*>(self)); }};
}

/// Throws `Error` for a name that the scene does not have.
BorrowedColumn find_column(widephase_scene& scene, std::string_view name) {
  BorrowedColumn found;
  std::visit(
      [&]<int D, class T>(Scene<Borrowed<D, T>>& columns) {
        for_each_column(columns, [&](std::string_view table, std::string_view field, auto& column) {
          if (is_name(name, table, field)) found = erased(column);
        });
        if (found.column == nullptr) refuse_name(name, D, column_names<D>());
      },
      scene.columns);
  return found;
}

/// Makes the alternative for a dimension and precision of the C interface. Only some handles have
/// Mixed.
template <class Any, template <int, class> class Of, bool has_mixed>
Any of_precision(std::int32_t dimension, widephase_precision precision) {
  if (dimension != 2 && dimension != 3) {
    refuse("dimension", "is " + number(dimension) + "; expected 2 or 3");
  }
  const auto of_dimension = [&]<int D>() -> Any {
    switch (precision) {
      case WIDEPHASE_FLOAT:
        return Of<D, float>();
      case WIDEPHASE_DOUBLE:
        return Of<D, double>();
      case WIDEPHASE_MIXED:
        if constexpr (has_mixed) return Of<D, Mixed>();
        [[fallthrough]];
      default:
        refuse("precision",
               "is " + number(precision) + "; expected WIDEPHASE_FLOAT" +
                   (has_mixed ? ", WIDEPHASE_DOUBLE or WIDEPHASE_MIXED" : " or WIDEPHASE_DOUBLE"));
    }
  };
  return dimension == 2 ? of_dimension.template operator()<2>()
                        : of_dimension.template operator()<3>();
}

/// Appends to a table of geometries. A table that a scene shares is copied first.
template <class Add>
void add_geometry(widephase_geometries& geometries, const Add& add) {
  std::visit(
      [&]<int D, class T>(SharedGeometries<D, T>& table) {
        if (!geometries.is_shared) return add(*table);
        auto copy = std::make_shared<GeometryTable<Owned<D, T>>>(*table);
        add(*copy);
        table = std::move(copy);
        geometries.is_shared = false;
      },
      geometries.table);
}

}  // namespace

std::string text_in_c(const Finding& finding) {
  constexpr Rewording kInC[] = {
      {"add_hull with max_vertices", "widephase_geometries_add_enclosing"},
      {"add_hull", "widephase_geometries_add"},
      {"add_polygon", "widephase_geometries_add"},
      {"a Tracker", "a tracker"},
      {"angle_end", "turn_end"},
      {"orientation_end", "turn_end"},
      {"build_static_scene", "widephase_static_scene_build"},
      {"update_static_scene", "widephase_static_scene_update"},
      {"call find_pairs and find_contacts",
       "call widephase_find_pairs and widephase_find_contacts"},
  };
  return finding.text_in(kInC);
}

widephase_result result_of_exception() noexcept {
  try {
    throw;
  } catch (const CapacityError& error) {
    last_error.set(error, error.needed());
    return WIDEPHASE_OVER_CAP;
  } catch (const Error& error) {
    last_error.set(error);
    return WIDEPHASE_INVALID;
  } catch (const NoMemory& error) {
    last_error.set(error.what());
    return WIDEPHASE_OUT_OF_MEMORY;
  } catch (const std::bad_alloc&) {
    last_error.set("out of memory");
    return WIDEPHASE_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    last_error.set(error.what());
  } catch (...) {
    last_error.set("an exception of an unknown type");
  }
  return WIDEPHASE_FAILED;
}

std::string type_text(widephase_type type) {
  return type > 0 && type < static_cast<int>(std::size(kTypes)) ? kTypes[type]
                                                                : "type " + number(type);
}

void check_array(const widephase_array& array, std::string_view name, widephase_type type,
                 int width) {
  if (array.type != type) {
    refuse(name, "is given as " + type_text(array.type) + "; it must be " + type_text(type));
  }
  if (array.width != width) {
    refuse(name, "is given with " + number(array.width) + " numbers a row; it has " +
                     number(width));
  }
  if (array.rows < 0) {
    refuse(name, "is given with " + number(array.rows) + " rows; expected 0 or more");
  }
  if (array.rows == 0) return;
  ColumnLayout layout{{}, width, size_of(type), static_cast<std::size_t>(array.rows),
                      static_cast<std::ptrdiff_t>(array.stride_bytes)};
  for (int w = 0; w < width; ++w) {
    layout.planes[static_cast<std::size_t>(w)] = array.planes[w];
  }
  if (std::string wrong = wrong_layout(layout); !wrong.empty()) refuse(name, std::move(wrong));
}

void AnswerColumn::found(const widephase_array& array) {
  is_found_ = true;
  if (array.type != type_) {
    refuse(std::string(handle_) + "." + std::string(name_),
           "is asked for as " + type_text(type_) + "; it is " + type_text(array.type));
  }
  array_ = array;
}

void AnswerColumn::end() const {
  if (is_found_) return;
  refuse(std::string(handle_) + "." + std::string(name_), "is not there; there are " + names_);
}

}  // namespace widephase

using namespace widephase;

const char* widephase_version(void) { return version().data(); }

const char* widephase_error_message(void) { return last_error.message; }
const char* widephase_error_array(void) { return last_error.array; }
int64_t widephase_error_row(void) { return last_error.row; }
int32_t widephase_error_exact(void) { return last_error.needed.exact ? 1 : 0; }
void widephase_error_needed(int64_t* pairs, int64_t* contacts, int64_t* points) {
  if (pairs != nullptr) *pairs = last_error.needed.pairs;
  if (contacts != nullptr) *contacts = last_error.needed.contacts;
  if (points != nullptr) *points = last_error.needed.points;
}

widephase_result widephase_geometries_create(int32_t dimension, widephase_precision precision,
                                             widephase_geometries** geometries) {
  return guarded([&] {
    required(geometries, "geometries") = nullptr;
    auto made = std::make_unique<widephase_geometries>();
    made->table =
        of_precision<decltype(made->table), SharedGeometries, false>(dimension, precision);
    std::visit(
        []<class Table>(std::shared_ptr<Table>& table) { table = std::make_shared<Table>(); },
        made->table);
    *geometries = made.release();
  });
}

void widephase_geometries_destroy(widephase_geometries** geometries) { destroy(geometries); }

widephase_result widephase_geometries_add(widephase_geometries* geometries, widephase_type type,
                                          const void* points, int64_t rows, int64_t stride_bytes,
                                          int32_t* index) {
  return guarded([&] {
    required(index, "index");
    add_geometry(
        required(geometries, "geometries"), [&]<int D, class T>(GeometryTable<Owned<D, T>>& table) {
          const auto span = borrowed_rows<T, D>(type, points, rows, stride_bytes, "points");
          if constexpr (D == 2) *index = add_polygon(table, span);
          if constexpr (D == 3) *index = add_hull(table, span);
        });
  });
}

widephase_result widephase_geometries_add_enclosing(widephase_geometries* geometries,
                                                    widephase_type type, const void* points,
                                                    int64_t rows, int64_t stride_bytes,
                                                    int32_t max_vertices, int32_t* index,
                                                    double* excess) {
  return guarded([&] {
    required(index, "index");
    add_geometry(
        required(geometries, "geometries"), [&]<int D, class T>(GeometryTable<Owned<D, T>>& table) {
          if constexpr (D == 2) {
            refuse("geometries", "are of 2D; simpler ones that enclose points are made in 3D");
          } else {
            const auto span = borrowed_rows<T, D>(type, points, rows, stride_bytes, "points");
            const SimplerHull<T> hull = add_hull(table, span, max_vertices);
            *index = hull.index;
            if (excess != nullptr) *excess = static_cast<double>(hull.excess);
          }
        });
  });
}

widephase_result widephase_geometries_get(const widephase_geometries* geometries, const char* name,
                                          widephase_type type, widephase_array* array) {
  return guarded([&] {
    AnswerColumn column("geometries", name, type, array);
    std::visit(
        [&](const auto& table) {
          column.consider("vertices", table->vertices);
          column.consider("offsets", table->offsets);
          column.consider("inner", table->inner);
        },
        required(geometries, "geometries").table);
    column.end();
  });
}

widephase_result widephase_scene_create(int32_t dimension, widephase_precision precision,
                                        widephase_scene** scene) {
  return guarded([&] {
    required(scene, "scene") = nullptr;
    auto made = std::make_unique<widephase_scene>();
    made->columns = of_precision<decltype(made->columns), SceneSpan, true>(dimension, precision);
    *scene = made.release();
  });
}

void widephase_scene_destroy(widephase_scene** scene) { destroy(scene); }

widephase_result widephase_scene_set(widephase_scene* scene, const char* name, widephase_type type,
                                     const void* data, int64_t rows, int64_t stride_bytes) {
  return guarded([&] {
    const BorrowedColumn found = find_column(required(scene, "scene"), &required(name, "name"));
    found.set(found.column, widephase_rows(type, data, rows, found.width, stride_bytes), name);
  });
}

widephase_result widephase_scene_set_array(widephase_scene* scene, const char* name,
                                           const widephase_array* array) {
  return guarded([&] {
    const BorrowedColumn found = find_column(required(scene, "scene"), &required(name, "name"));
    found.set(found.column, required(array, "array"), name);
  });
}

widephase_result widephase_scene_get(const widephase_scene* scene, const char* name,
                                     widephase_array* array) {
  return guarded([&] {
    required(array, "array") = {};
    widephase_scene copy{required(scene, "scene").columns, {}, {}};
    const BorrowedColumn found = find_column(copy, &required(name, "name"));
    *array = found.get(found.column);
  });
}

const char* widephase_scene_column_name(const widephase_scene* scene, int32_t index) {
  const char* name = nullptr;
  (void)guarded([&] {
    std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>&) {
          const auto& names = column_names<D>();
          if (index >= 0 && static_cast<std::size_t>(index) < names.size()) {
            name = names[static_cast<std::size_t>(index)].c_str();
          }
        },
        required(scene, "scene").columns);
  });
  return name;
}

widephase_result widephase_scene_set_domain(widephase_scene* scene, const double* min,
                                            const double* max, const uint8_t* periodic) {
  return guarded([&] {
    std::visit(
        [&]<int D, class T>(Scene<Borrowed<D, T>>& columns) {
          Domain<D, PositionOf<T>> domain;
          if (min != nullptr || max != nullptr || periodic != nullptr) {
            required(min, "min"), required(max, "max"), required(periodic, "periodic");
            for (int k = 0; k < D; ++k) {
              domain.min[k] = static_cast<PositionOf<T>>(min[k]);
              domain.max[k] = static_cast<PositionOf<T>>(max[k]);
              domain.periodic[k] = periodic[k] != 0;
            }
          }
          columns.domain = domain;
        },
        required(scene, "scene").columns);
  });
}

widephase_result widephase_scene_set_geometries(widephase_scene* scene,
                                                const widephase_geometries* geometries) {
  return guarded([&] {
    std::visit(
        [&]<int D, class T>(Scene<Borrowed<D, T>>& columns) {
          using Table = GeometryTable<Borrowed<D, SizeOf<T>>>;
          if (geometries == nullptr) {
            columns.geometries = Table();
            scene->geometries.reset();
            return;
          }
          const auto* table = std::get_if<SharedGeometries<D, SizeOf<T>>>(&geometries->table);
          if (table == nullptr) {
            refuse("geometries", std::string("are of another dimension or precision; the scene's "
                                             "are of ") +
                                     number(D) + "D in " + type_text(type_of<SizeOf<T>>()));
          }
          geometries->is_shared = true;
          scene->geometries = *table;
          columns.geometries = Table{(*table)->vertices, (*table)->offsets, (*table)->inner};
        },
        required(scene, "scene").columns);
  });
}

widephase_result widephase_scene_first_id(const widephase_scene* scene, const char* kind,
                                          int32_t* id) {
  return guarded([&] {
    required(id, "id") = -1;
    const std::string_view word = &required(kind, "kind");
    std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
          const SceneLayout layout = layout_of(columns);
          for_each_table(columns, [&]<class Table>(const Table&) {
            if (word == kind_name(Table::kind, D)) *id = layout.id(Table::kind, 0);
          });
          if (*id < 0) refuse_name(word, D, column_names<D>());
        },
        required(scene, "scene").columns);
  });
}

widephase_result widephase_scene_shape_count(const widephase_scene* scene, int32_t* count) {
  return guarded([&] {
    required(count, "count") = 0;
    std::visit([&](const auto& columns) { *count = layout_of(columns).shape_count(); },
               required(scene, "scene").columns);
  });
}

widephase_result widephase_scene_world_count(const widephase_scene* scene, int32_t* count) {
  return guarded([&] {
    required(count, "count") = 0;
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      *count = world_count<D, T>(columns);
    });
  });
}

const char* widephase_scene_kind_name(const widephase_scene* scene, int32_t kind) {
  const char* name = nullptr;
  (void)guarded([&] {
    std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
          for_each_table(columns, [&]<class Table>(const Table&) {
            // A string literal, so it ends with a 0.
            if (kind == static_cast<int>(Table::kind)) name = kind_name(Table::kind, D).data();
          });
        },
        required(scene, "scene").columns);
  });
  return name;
}

widephase_result widephase_scene_locate(const widephase_scene* scene, const int32_t* ids,
                                        int64_t count, uint8_t* kinds, int32_t* rows) {
  static_assert(sizeof(Kind) == sizeof(uint8_t));
  static_assert(kKindCount == WIDEPHASE_KIND_CHAIN + 1, "widephase.h names every kind");
  return guarded([&] {
    with_columns(scene, [&](const auto& columns) {
      locate(columns, required(ids, count, "ids"),
             required(reinterpret_cast<Kind*>(kinds), count, "kinds"),
             required(rows, count, "rows"));
    });
  });
}
