#pragma once

/// \file
/// widephase for C99 and for every language that calls C: arrays in, arrays out.
///
/// The data are those of the C++ library, under the names that docs/conventions.md gives them:
/// "sphere.center", "hull.geometry", "excluded", "bodies.position" go in, "normal", "depth",
/// "point" come out. Every function that can fail returns WIDEPHASE_OK or another result;
/// widephase_error_message then gives the reason in a sentence. docs/c.md has the rules of
/// ownership and threads.

#include <stddef.h>
#include <stdint.h>

#include <widephase/export.h>
#include <widephase/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library that is linked, "0.1.0".
WIDEPHASE_API const char* widephase_version(void);

// ---- Results

/// Whether a call succeeded, and if not, what kind of problem it met.
typedef int32_t widephase_result;
enum {
  WIDEPHASE_OK = 0,             ///< the call succeeded
  WIDEPHASE_INVALID = 1,        ///< input, a handle or an option that cannot be answered
  WIDEPHASE_OVER_CAP = 2,       ///< more pairs, contacts or points than the options' caps
  WIDEPHASE_OUT_OF_MEMORY = 3,  ///< handles stay usable, output is empty
  WIDEPHASE_FAILED = 4          ///< anything else; the message says more
};

// About the last call of this thread that failed; a call that succeeds leaves them. The texts stay
// until the next call of the thread that fails.

/// "sphere.radius[17] is -0.5; radius must be a finite number >= 0"; "" before any failure.
WIDEPHASE_API const char* widephase_error_message(void);
/// "sphere.radius": the array or argument with the problem; "" if there is no single one.
WIDEPHASE_API const char* widephase_error_array(void);
/// 17: its row; -1 if the problem is the array as a whole.
WIDEPHASE_API int64_t widephase_error_row(void);
/// After WIDEPHASE_OVER_CAP, the counts of the whole answer, -1 for what was not counted.
/// `widephase_error_exact` says whether they are exact. Each pointer may be NULL.
WIDEPHASE_API void widephase_error_needed(int64_t* pairs, int64_t* contacts, int64_t* points);
/// After WIDEPHASE_OVER_CAP, 0 if pairs were counted only up to 64 times `max_pairs`, so that the
/// number is a lower bound; else 1.
WIDEPHASE_API int32_t widephase_error_exact(void);

// ---- Arrays

/// The number type of an array.
typedef int32_t widephase_type;
enum {
  WIDEPHASE_UINT8 = 1,    ///< uint8_t
  WIDEPHASE_INT32 = 2,    ///< int32_t
  WIDEPHASE_UINT32 = 3,   ///< uint32_t
  WIDEPHASE_INT64 = 4,    ///< int64_t
  WIDEPHASE_FLOAT32 = 5,  ///< float
  WIDEPHASE_FLOAT64 = 6   ///< double
};

/// Rows of 1 to 4 numbers: component k of row i is at planes[k] plus stride_bytes * i bytes. The
/// layout of this structure is the same in all versions.
typedef struct widephase_array {
  const void* planes[4];  ///< only the first `width` are used
  int64_t rows;           ///< >= 0; with 0 rows the planes may be NULL
  int64_t stride_bytes;   ///< may be negative, or 0: one row repeated
  int32_t width;          ///< numbers per row, 1 to 4
  widephase_type type;    ///< the same for all planes
} widephase_array;

/// Rows of `width` contiguous numbers, such as a NumPy array of shape (n, width) or members of
/// structures of stride_bytes bytes.
static inline widephase_array widephase_rows(widephase_type type, const void* data, int64_t rows,
                                             int32_t width, int64_t stride_bytes) {
  const int64_t size = type == WIDEPHASE_UINT8                                ? 1
                       : type == WIDEPHASE_INT64 || type == WIDEPHASE_FLOAT64 ? 8
                                                                              : 4;
  widephase_array array;
  int32_t k;
  for (k = 0; k < 4; ++k) {
    array.planes[k] = data != NULL && k < width ? (const char*)data + k * size : NULL;
  }
  array.rows = rows;
  array.stride_bytes = stride_bytes;
  array.width = width;
  array.type = type;
  return array;
}

/// The id at one side of a pair, 0 for A or 1 for B: `pair` is an array "pair" or "pairs" from a
/// function _get, `row` its row. A loop over ids steps by two, since the ids of a pair are
/// neighbours.
static inline int32_t widephase_pair_side(const widephase_array* pair, int64_t row, int side) {
  return *(const int32_t*)((const char*)pair->planes[side] + row * pair->stride_bytes);
}

// ---- Handles: made by _create, freed by _destroy, which sets the caller's pointer to NULL and
// does nothing if it is NULL already.

typedef struct widephase_scene widephase_scene;            ///< columns of shapes, which it borrows
typedef struct widephase_geometries widephase_geometries;  ///< polygons and hulls, which it owns
typedef struct widephase_static_scene widephase_static_scene;  ///< what does not move, read once
typedef struct widephase_workspace widephase_workspace;  ///< scratch, reused from call to call
typedef struct widephase_contacts widephase_contacts;    ///< an answer: contacts and their points
typedef struct widephase_distances widephase_distances;  ///< an answer: distances, nearest points
typedef struct widephase_support widephase_support;      ///< an answer: support points
typedef struct widephase_tracker widephase_tracker;      ///< what persists from step to step
typedef struct widephase_rays widephase_rays;            ///< columns of rays, which it borrows
typedef struct widephase_hits widephase_hits;            ///< an answer: what rays or shapes hit
typedef struct widephase_nearest widephase_nearest;      ///< an answer: shapes nearest to points
typedef struct widephase_impacts widephase_impacts;      ///< an answer: when moving shapes meet
typedef struct widephase_environment widephase_environment;  ///< obstacles of robots, which it owns
typedef struct widephase_robot widephase_robot;  ///< bodies, joints and shapes, which it owns
/// An answer: contacts of robots.
typedef struct widephase_robot_contacts widephase_robot_contacts;
typedef struct widephase_findings widephase_findings;  ///< an answer: what is wrong with input

/// The precision of a scene or of geometries.
typedef int32_t widephase_precision;
enum {
  WIDEPHASE_FLOAT = 1,   ///< all in float
  WIDEPHASE_DOUBLE = 2,  ///< all in double
  WIDEPHASE_MIXED = 3    ///< sizes in float beside positions in double
};

// ---- Geometries: the convex polygons (2D) and hulls (3D) that shapes share

/// Dimension 2 or 3, WIDEPHASE_FLOAT or WIDEPHASE_DOUBLE. A mixed scene takes geometries of float.
WIDEPHASE_API widephase_result widephase_geometries_create(int32_t dimension,
                                                           widephase_precision precision,
                                                           widephase_geometries** geometries);
/// Ends the handle and sets it to NULL; scenes that were given the geometries keep them.
WIDEPHASE_API void widephase_geometries_destroy(widephase_geometries** geometries);

/// Appends the convex hull of points (n, dimension), given in any order, and copies them. `index`
/// becomes its number. 3 to 64 vertices in 2D, 4 to 255 in 3D. On an error nothing is appended.
WIDEPHASE_API widephase_result widephase_geometries_add(widephase_geometries* geometries,
                                                        widephase_type type, const void* points,
                                                        int64_t rows, int64_t stride_bytes,
                                                        int32_t* index);
/// In 3D, appends a hull of at most `max_vertices` (4 to 255) vertices that encloses the points. No
/// point of it is farther than `excess` from the hull of the points. `excess` may be NULL.
WIDEPHASE_API widephase_result widephase_geometries_add_enclosing(
    widephase_geometries* geometries, widephase_type type, const void* points, int64_t rows,
    int64_t stride_bytes, int32_t max_vertices, int32_t* index, double* excess);
/// "vertices", "offsets" (geometry g has vertices offsets[g] to offsets[g + 1] - 1) and "inner".
/// The pointers stay valid until the next call that adds to the handle or destroys it.
WIDEPHASE_API widephase_result widephase_geometries_get(const widephase_geometries* geometries,
                                                        const char* name, widephase_type type,
                                                        widephase_array* array);

// ---- Scenes

/// An empty scene of dimension 2 or 3.
WIDEPHASE_API widephase_result widephase_scene_create(int32_t dimension,
                                                      widephase_precision precision,
                                                      widephase_scene** scene);
/// Ends the handle and sets it to NULL. Arrays that it borrowed still belong to the caller.
WIDEPHASE_API void widephase_scene_destroy(widephase_scene** scene);

/// Sets a column by its name: KIND.FIELD, "excluded", "excluded_owners", "excluded_bodies",
/// "bodies.position", "bodies.angle" (2D), "bodies.orientation" (3D), "polygons.vertices" (2D) or
/// "hulls.vertices" (3D). The geometries also have ".offsets" and ".inner". Height fields (3D) have
/// "heightfields.heights", ".offsets", ".columns", ".cell" and ".neighbours", meshes (3D)
/// "meshes.vertices", ".vertex_offsets", ".indices", ".triangle_offsets", ".two_sided" and
/// ".beyond", chains (2D) "chains.vertices", ".offsets", ".loop", ".two_sided", ".before" and
/// ".after". Nothing is copied: every call with the scene reads the array, which must outlive these
/// calls. 0 rows (`data` may then be NULL) leave the column out.
///
/// `data` points to the first number of row 0, and rows are stride_bytes apart: 3 * sizeof(float)
/// for (n, 3) of float; 0 repeats one row. `type` must be the column's type: for real columns,
/// floats of the scene's precision. The numbers of rows are checked when a call reads the scene.
WIDEPHASE_API widephase_result widephase_scene_set(widephase_scene* scene, const char* name,
                                                   widephase_type type, const void* data,
                                                   int64_t rows, int64_t stride_bytes);
/// Like widephase_scene_set, with one array per component, for structures of arrays. The order of
/// the pointers sets the order of the components, so quaternions may be stored as w x y z.
WIDEPHASE_API widephase_result widephase_scene_set_array(widephase_scene* scene, const char* name,
                                                         const widephase_array* array);
/// The array last set for a column; 0 rows if none. `width` and `type` are always those of the
/// column.
WIDEPHASE_API widephase_result widephase_scene_get(const widephase_scene* scene, const char* name,
                                                   widephase_array* array);
/// The name of column `index` of the scene, 0, 1, ...; NULL beyond the last.
WIDEPHASE_API const char* widephase_scene_column_name(const widephase_scene* scene, int32_t index);

/// A box that wraps round along the axes whose `periodic` is not 0: `dimension` numbers each, which
/// are copied (and rounded in a scene of float). All NULL: none.
WIDEPHASE_API widephase_result widephase_scene_set_domain(widephase_scene* scene, const double* min,
                                                          const double* max,
                                                          const uint8_t* periodic);
/// Sets the geometries as they are now. After adding to the handle, call this again. The handle may
/// be destroyed. NULL: none.
WIDEPHASE_API widephase_result
widephase_scene_set_geometries(widephase_scene* scene, const widephase_geometries* geometries);

/// The id of the first shape of a kind ("sphere"). Ids count through the kinds, and within a kind
/// through the rows.
WIDEPHASE_API widephase_result widephase_scene_first_id(const widephase_scene* scene,
                                                        const char* kind, int32_t* id);
/// The number of shapes of all kinds; every id is below it.
WIDEPHASE_API widephase_result widephase_scene_shape_count(const widephase_scene* scene,
                                                           int32_t* count);
/// The largest world + 1; 0 without shapes.
WIDEPHASE_API widephase_result widephase_scene_world_count(const widephase_scene* scene,
                                                           int32_t* count);

/// The kind of a shape as a number, as widephase_scene_locate reports it.
enum {
  WIDEPHASE_KIND_SPHERE = 0,        ///< 3D
  WIDEPHASE_KIND_CIRCLE = 0,        ///< 2D
  WIDEPHASE_KIND_CAPSULE = 1,       ///< both
  WIDEPHASE_KIND_AABB = 2,          ///< both
  WIDEPHASE_KIND_BOX = 3,           ///< both
  WIDEPHASE_KIND_POLYGON = 4,       ///< 2D
  WIDEPHASE_KIND_HULL = 5,          ///< 3D
  WIDEPHASE_KIND_CYLINDER = 6,      ///< 3D
  WIDEPHASE_KIND_HALFSPACE = 7,     ///< both
  WIDEPHASE_KIND_ELLIPSOID = 8,     ///< 3D
  WIDEPHASE_KIND_CONE = 9,          ///< 3D
  WIDEPHASE_KIND_HEIGHTFIELD = 10,  ///< 3D
  WIDEPHASE_KIND_MESH = 11,         ///< 3D
  WIDEPHASE_KIND_CHAIN = 12         ///< 2D
};
/// The name of a kind in the scene's column names: for 0 "circle" in 2D, "sphere" in 3D. NULL for a
/// kind that the scene's dimension does not have.
WIDEPHASE_API const char* widephase_scene_kind_name(const widephase_scene* scene, int32_t kind);
/// The kind of each of `count` ids, and its row in the kind's columns: the inverse of
/// widephase_scene_first_id. `kinds` and `rows` have one number per id. Ids from
/// widephase_scene_shape_count on are those of the kept scene, with their rows in its columns. An
/// id that neither scene has is an error that names "ids" and the row of that id; the rows before
/// it are written.
WIDEPHASE_API widephase_result widephase_scene_locate(const widephase_scene* scene,
                                                      const int32_t* ids, int64_t count,
                                                      uint8_t* kinds, int32_t* rows);

// ---- What is wrong with a scene. Every call checks its input and reports the first problem only;
// these functions list more of them, without a call.

/// Empty. widephase_scene_validate and widephase_scene_validate_pairs replace the findings. They
/// may be used with scenes of any dimension and precision.
WIDEPHASE_API widephase_result widephase_findings_create(widephase_findings** findings);
/// Ends the handle, with the texts that widephase_findings_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_findings_destroy(widephase_findings** findings);
/// Lists each problem of the scene, in the order of its columns, at most `limit` (-1: all). If
/// there is none, the scene is valid for calls with this `margin` (a length, finite and >= 0).
/// WIDEPHASE_OK only says that it was checked: widephase_findings_count says whether it is valid.
WIDEPHASE_API widephase_result widephase_scene_validate(const widephase_scene* scene, double margin,
                                                        int64_t limit,
                                                        widephase_findings* findings);
/// The same for a caller's pairs, two ids per pair. It finds ids that the scene does not have, and
/// shapes that are paired with themselves. The scene's own columns are not checked.
WIDEPHASE_API widephase_result widephase_scene_validate_pairs(const widephase_scene* scene,
                                                              const int32_t* pairs,
                                                              int64_t pair_count, int64_t limit,
                                                              widephase_findings* findings);
/// What is valid and yet seldom meant: kinds without world where others name worlds, which are then
/// in world 0 alone.
WIDEPHASE_API widephase_result widephase_scene_notes(const widephase_scene* scene,
                                                     widephase_findings* findings);
/// The number of findings; 0 before any call.
WIDEPHASE_API widephase_result widephase_findings_count(const widephase_findings* findings,
                                                        int64_t* count);
/// Finding `index`, 0 to count - 1, as an error would report it: `array` "sphere.radius", `row` 17
/// (-1: the array as a whole), and `message`. A message is a sentence: "sphere.radius[17] is -0.5;
/// radius must be a finite number >= 0". Each pointer may be NULL. The texts stay valid until the
/// next call that writes the findings.
WIDEPHASE_API widephase_result widephase_findings_get(const widephase_findings* findings,
                                                      int64_t index, const char** array,
                                                      int64_t* row, const char** message);

// ---- Options

/// The order of contacts.
typedef int32_t widephase_order;
enum {
  WIDEPHASE_ORDER_KIND = 0,    ///< by kind of pair, then in the order of the pairs
  WIDEPHASE_ORDER_SOURCE = 1,  ///< in the order of the pairs
  WIDEPHASE_ORDER_ID = 2,      ///< ascending (a, b)
  WIDEPHASE_ORDER_WORLD = 3    ///< pairs of two shapes of world -1, then by world
};

/// The method that finds contacts and distances, for kinds of pairs that have a choice.
typedef int32_t widephase_method;
enum {
  WIDEPHASE_METHOD_AUTO = 0,    ///< closed forms, else separating axes, else GJK and EPA
  WIDEPHASE_METHOD_SAT = 1,     ///< separating axes
  WIDEPHASE_METHOD_GJK_EPA = 2  ///< support points only
};

/// What a shape is to a ray that starts in it: 0 hit at t = 0, 1 passed over, 2 hit where the ray
/// leaves it.
typedef int32_t widephase_inside;

/// What a shape is to a moving one that overlaps it at the start. 0: hit at t = 0; 1: the same, but
/// passed over if the motion does not deepen the overlap; 2: passed over.
typedef int32_t widephase_start_overlap;

/// The instruction set of a call. One that the build or the CPU lacks is WIDEPHASE_INVALID.
typedef int32_t widephase_isa;
enum {
  WIDEPHASE_ISA_WIDEST = 0,  ///< the widest there is, or what the environment's WIDEPHASE_ISA names
  WIDEPHASE_ISA_SCALAR = 1,  ///< one number at a time
  WIDEPHASE_ISA_SSE2 = 2,    ///< x86-64's baseline
  WIDEPHASE_ISA_AVX2 = 3,    ///< x86-64 with AVX2
  WIDEPHASE_ISA_AVX512 = 4,  ///< x86-64 with AVX-512 F, CD, DQ, BW and VL
  WIDEPHASE_ISA_NEON64 = 5   ///< 64-bit ARM
};

/// The result for a world (`world_status`).
enum {
  WIDEPHASE_WORLD_ANSWERED = 0,  ///< all its contacts are there
  WIDEPHASE_WORLD_INVALID = 1,   ///< one of its shapes is invalid, so it was left out
  WIDEPHASE_WORLD_LEFT_OUT = 2   ///< the mask left it out
};

/// What each pair of a caller's list carries from step to step. Set it to 0 at first; then the
/// library writes it.
typedef struct widephase_warm_start {
  uint64_t axis;       ///< hulls, or with steadiness: the face of the least overlap
  uint64_t simplex;    ///< where GJK ended
  uint32_t points[4];  ///< in 3D with steadiness: the features of the points
} widephase_warm_start;

/// Each field has the name and meaning of one of CollideOptions (widephase/collide.hpp). New fields
/// are only ever added at the end. widephase_options_init sets the fields that fit in the given
/// size.
typedef struct widephase_options {
  size_t struct_size;     ///< sizeof(widephase_options) of the caller's header
  double margin;          ///< contacts are reported up to this distance apart
  double steadiness;      ///< a length by which bodies at rest keep their face and points
  widephase_order order;  ///< in which order contacts come
  /// Which way contacts and distances are found, for the pairs that have it.
  widephase_method method;
  widephase_isa isa;  ///< the instruction set, which changes no bit
  int32_t threads;    ///< 0: all cores; 1: the calling thread alone; n: n threads
  /// A caller's own threads in place of oneTBB, where it is set: calls function(index, context)
  /// once for each index below count and returns when all are done.
  void (*for_each)(void* self, size_t count, void (*function)(size_t index, void* context),
                   void* context);
  void* for_each_self;       ///< handed to `for_each`
  int32_t for_each_threads;  ///< how many run at once
  int32_t moving_pairs;      ///< 1: with a static scene: whether moving shapes meet one another too
  /// NULL, or a byte per world: those with 0 are left out.
  const uint8_t* world_mask;
  int64_t world_mask_count;  ///< bytes there, the scene's world count or more
  /// NULL, or a byte per world, written: 1 where it was left out as invalid, 2 by the mask.
  uint8_t* world_status;
  int64_t world_status_count;  ///< bytes there, the scene's world count or more
  /// NULL, or one per pair, read and written: where the last step's search ended.
  widephase_warm_start* warm_starts;
  int64_t warm_start_count;  ///< the pairs of the call
  /// More pairs are an error that tells their number, counted up to 64 times this
  /// (WIDEPHASE_OVER_CAP); -1: no cap.
  int64_t max_pairs;
  int64_t max_contacts;  ///< more contacts are an error that tells their number; -1: no cap
  int64_t max_points;    ///< more points of contacts are an error that tells their number; likewise
  /// 1: on one workspace step after step: shapes that move little are not sorted anew. Contacts are
  /// the same; pairs, and contacts unless `order` sorts them, come in an order that also depends on
  /// the calls before.
  int32_t keeps_order;
  /// The most contacts of a pair with a surface: the deepest stay; 0: all.
  int32_t most_patches;
  /// Degrees, up to 90: triangles or segments whose normals agree within it are one contact.
  double patch_angle;
  widephase_inside inside;  ///< of rays: what a shape is to one that starts in it
  /// For shape casts: what a shape is to one that overlaps it at the start.
  widephase_start_overlap start_overlap;
  double tolerance;  ///< for shape casts: a length by which they may end before the contact
  /// Boxes, polygons and hulls of one owner whose sides are flush within it are one solid; 0: none.
  double flush_tolerance;
} widephase_options;

/// The defaults, those of CollideOptions: widephase_options_init(&options, sizeof options).
/// Wherever a call takes options, NULL means these.
WIDEPHASE_API void widephase_options_init(widephase_options* options, size_t struct_size);

// ---- Scratch and answers. All work with scenes of any dimension and precision. They hold the
// results of the last call. Their memory is freed when a call of another dimension or precision
// uses them. One call at a time.

/// Empty. It grows as calls need memory.
WIDEPHASE_API widephase_result widephase_workspace_create(widephase_workspace** workspace);
/// Ends the handle, with the pairs and bounds in it, and sets it to NULL.
WIDEPHASE_API void widephase_workspace_destroy(widephase_workspace** workspace);
/// "pairs", "bounds.min" and "bounds.max" of the last call, valid until the next one. Tests of
/// pairs and distances of pairs may leave none.
WIDEPHASE_API widephase_result widephase_workspace_get(const widephase_workspace* workspace,
                                                       const char* name, widephase_type type,
                                                       widephase_array* array);

/// Empty; each call replaces the contacts.
WIDEPHASE_API widephase_result widephase_contacts_create(widephase_contacts** contacts);
/// Ends the handle, with the arrays that widephase_contacts_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_contacts_destroy(widephase_contacts** contacts);
/// Arrays with one row per contact: "pair" (2), "source", "normal" (dimension), "depth", "status".
/// "offset" has one more row: where each contact's points begin. Arrays with one row per point:
/// "point" (dimension), "point_depth", "feature", and in scenes with surfaces "part"
/// (2). Also "world_offset". Pointers stay valid until the next call that writes the contacts.
/// `type` must be the column's type: integers as in docs/conventions.md, reals in the scene's
/// precision ("point" of a mixed scene is float64).
WIDEPHASE_API widephase_result widephase_contacts_get(const widephase_contacts* contacts,
                                                      const char* name, widephase_type type,
                                                      widephase_array* array);

/// A hash of every array of the contacts, with their lengths. It is the C++ library's hash and the
/// same on every machine. Answers with equal bits have equal hashes.
WIDEPHASE_API widephase_result widephase_contacts_hash(const widephase_contacts* contacts,
                                                       uint64_t* hash);

/// Empty; each call replaces the distances.
WIDEPHASE_API widephase_result widephase_distances_create(widephase_distances** distances);
/// Ends the handle, with the arrays that widephase_distances_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_distances_destroy(widephase_distances** distances);
/// "distance", "normal" (dimension, unit from A to B), "point_a", "point_b" (dimension), "feature",
/// "status"; after widephase_min_distance also "pair" (2).
WIDEPHASE_API widephase_result widephase_distances_get(const widephase_distances* distances,
                                                       const char* name, widephase_type type,
                                                       widephase_array* array);

/// Empty; each call replaces the points.
WIDEPHASE_API widephase_result widephase_support_create(widephase_support** support);
/// Ends the handle, with the arrays that widephase_support_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_support_destroy(widephase_support** support);
/// "point" (dimension) and "feature".
WIDEPHASE_API widephase_result widephase_support_get(const widephase_support* support,
                                                     const char* name, widephase_type type,
                                                     widephase_array* array);

// ---- Calls. Each gives the same bits as the C++ function of its name. `pairs` has two ids per
// pair. `options` may be NULL.

/// All contacts of a scene.
WIDEPHASE_API widephase_result widephase_collide(const widephase_scene* scene,
                                                 widephase_contacts* contacts,
                                                 widephase_workspace* workspace,
                                                 const widephase_options* options);
/// Contacts of the caller's pairs only.
WIDEPHASE_API widephase_result widephase_collide_pairs(const widephase_scene* scene,
                                                       const int32_t* pairs, int64_t pair_count,
                                                       widephase_contacts* contacts,
                                                       widephase_workspace* workspace,
                                                       const widephase_options* options);
/// 1 for each pair that widephase_collide_pairs would report, else 0.
WIDEPHASE_API widephase_result widephase_test_pairs(const widephase_scene* scene,
                                                    const int32_t* pairs, int64_t pair_count,
                                                    uint8_t* is_contact,
                                                    widephase_workspace* workspace,
                                                    const widephase_options* options);
/// The first stage: computes bounds and packs rows into the workspace. Call it whenever the scene
/// has changed.
WIDEPHASE_API widephase_result widephase_update_bounds(const widephase_scene* scene,
                                                       widephase_workspace* workspace,
                                                       const widephase_options* options);
/// The second stage: finds the pairs of these bounds, "pairs" of the workspace. Fails if the last
/// call left no bounds.
WIDEPHASE_API widephase_result widephase_find_pairs(const widephase_scene* scene,
                                                    widephase_workspace* workspace,
                                                    const widephase_options* options);
/// The third stage: contacts of the workspace's pairs, or of any pairs, from the rows that the
/// first stage packed.
WIDEPHASE_API widephase_result widephase_find_contacts(const widephase_scene* scene,
                                                       const int32_t* pairs, int64_t pair_count,
                                                       widephase_contacts* contacts,
                                                       widephase_workspace* workspace,
                                                       const widephase_options* options);
/// Distance, normal and nearest points of each of the caller's pairs.
WIDEPHASE_API widephase_result widephase_pair_distances(const widephase_scene* scene,
                                                        const int32_t* pairs, int64_t pair_count,
                                                        widephase_distances* distances,
                                                        widephase_workspace* workspace,
                                                        const widephase_options* options);
/// The nearest pair of each world.
WIDEPHASE_API widephase_result widephase_min_distance(const widephase_scene* scene,
                                                      widephase_distances* distances,
                                                      widephase_workspace* workspace,
                                                      const widephase_options* options);
/// 1 for each world with a contact, else 0; `is_contact` has the scene's world count or more.
WIDEPHASE_API widephase_result widephase_any_contact(const widephase_scene* scene,
                                                     uint8_t* is_contact, int64_t count,
                                                     widephase_workspace* workspace,
                                                     const widephase_options* options);
/// The farthest point of each shape in `ids` along its direction; `directions` has one row per id.
WIDEPHASE_API widephase_result widephase_support_points(
    const widephase_scene* scene, const int32_t* ids, const widephase_array* directions,
    widephase_support* support, widephase_workspace* workspace, const widephase_options* options);

// ---- Bodies: frames that carry shapes. KIND.body names the body of each shape; bodies.* are the
// poses.

/// Moves every shape that names a body by that body's pose. Calls do this by themselves; this shows
/// where the shapes are. `placed` is another scene of the same dimension and precision; what was
/// set in it before is lost. It owns the columns that moved (centres, ends, corners, orientations,
/// planes). All its other columns are those of `scene`, whose arrays must outlive it. It has no
/// bodies, so shapes are not moved twice. Ids stay the same. Every call takes it and
/// widephase_scene_get reads it, until the next widephase_place into it.
///
/// Computed in double and rounded once. Only the threads of `options` are used. Fails for a pose
/// that is not finite or not unit, for a missing body, and for columns of unequal length. Also
/// fails for an aabb of a rotated body (make it a box). After a failure `placed` has no shapes.
WIDEPHASE_API widephase_result widephase_place(const widephase_scene* scene,
                                               widephase_scene* placed,
                                               const widephase_options* options);
/// The bodies of each contact's A and B, two numbers per contact, -1 if a shape has none. `bodies`
/// has `count` rows, at least as many as there are contacts; rows beyond these are not written. If
/// a contact has an id that the scene does not have, the call fails and writes nothing.
WIDEPHASE_API widephase_result widephase_contact_bodies(const widephase_scene* scene,
                                                        const widephase_contacts* contacts,
                                                        int32_t* bodies, int64_t count);

// ---- Step after step

/// The first step sets a tracker's dimension and precision; every later scene must have the same.
WIDEPHASE_API widephase_result widephase_tracker_create(widephase_tracker** tracker);
/// Ends the handle, with the arrays that widephase_tracker_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_tracker_destroy(widephase_tracker** tracker);
/// widephase_collide as the tracker's next step.
WIDEPHASE_API widephase_result widephase_tracker_collide(widephase_tracker* tracker,
                                                         const widephase_scene* scene,
                                                         widephase_contacts* contacts,
                                                         widephase_workspace* workspace,
                                                         const widephase_options* options);
/// widephase_collide_pairs as the tracker's next step.
WIDEPHASE_API widephase_result widephase_tracker_collide_pairs(
    widephase_tracker* tracker, const widephase_scene* scene, const int32_t* pairs,
    int64_t pair_count, widephase_contacts* contacts, widephase_workspace* workspace,
    const widephase_options* options);
/// The first part of a step by stages: matches the workspace's pairs, or any pairs, with those of
/// the last step. `warm_starts` becomes an array of the tracker, one per pair, which stays valid
/// until the step ends; `warm_start_count` is its length. It is NULL if no search would read it.
/// Pass both to widephase_find_contacts as the options of these names. The pairs must stay in place
/// until widephase_tracker_end_step. `options` are those of widephase_find_contacts, whose warm
/// starts are ignored here. On an error no step begins.
WIDEPHASE_API widephase_result widephase_tracker_begin_step(
    widephase_tracker* tracker, const widephase_scene* scene, const int32_t* pairs,
    int64_t pair_count, widephase_warm_start** warm_starts, int64_t* warm_start_count,
    const widephase_options* options);
/// The second part, after widephase_find_contacts: matches the contacts of these pairs with those
/// of the last step, for widephase_tracker_get. Fails for contacts of other pairs, and if no step
/// has begun.
WIDEPHASE_API widephase_result widephase_tracker_end_step(widephase_tracker* tracker,
                                                          const widephase_contacts* contacts,
                                                          const widephase_options* options);
/// "last_contact" and "last_point": the index in the last step, or -1 for none; "ended.pair",
/// "ended.key", "ended.world", "ended.contact", "ended.kept" (of A and B: 1 for a shape of the kept
/// scene). Valid until the next step. Points are matched by feature. With steadiness in both steps,
/// the points that are left are matched if they are within it of each other on A.
WIDEPHASE_API widephase_result widephase_tracker_get(const widephase_tracker* tracker,
                                                     const char* name, widephase_type type,
                                                     widephase_array* array);
/// Forgets the worlds whose byte is not 0, or all if `worlds` is NULL. Each world of the last step
/// needs a byte.
WIDEPHASE_API widephase_result widephase_tracker_forget(widephase_tracker* tracker,
                                                        const uint8_t* worlds, int64_t count);

// ---- What does not move

/// Empty until widephase_static_scene_build.
WIDEPHASE_API widephase_result widephase_static_scene_create(widephase_static_scene** static_scene);
/// Ends the handle and sets it to NULL; workspaces that used it stay usable.
WIDEPHASE_API void widephase_static_scene_destroy(widephase_static_scene** static_scene);
/// Reads a scene and keeps nothing of the caller's arrays.
WIDEPHASE_API widephase_result widephase_static_scene_build(widephase_static_scene* static_scene,
                                                            const widephase_scene* scene,
                                                            widephase_workspace* workspace,
                                                            const widephase_options* options);
/// Reads the rows of `ids`, those of the static shapes that have changed, again. All others must be
/// as they were. Numbers of rows and point sets stay; the handle is as it was after an error.
WIDEPHASE_API widephase_result widephase_static_scene_update(widephase_static_scene* static_scene,
                                                             const widephase_scene* scene,
                                                             const int32_t* ids, int64_t count,
                                                             widephase_workspace* workspace,
                                                             const widephase_options* options);
/// From now on every call with the scene answers for the static shapes too, a tracker's steps,
/// tests and distances included. Static shape i has the id (number of moving shapes + i), static
/// body b the number (bodies of the scene + b). The handle must outlive these calls, and may be
/// built anew between them. NULL: none.
WIDEPHASE_API widephase_result widephase_scene_set_kept(widephase_scene* scene,
                                                        const widephase_static_scene* kept);
/// widephase_collide of a scene as if these static shapes were set to be kept.
WIDEPHASE_API widephase_result widephase_static_scene_collide(
    const widephase_static_scene* static_scene, const widephase_scene* moving,
    widephase_contacts* contacts, widephase_workspace* workspace, const widephase_options* options);

// ---- Rays against what does not move

/// No rays, for static scenes of this dimension, 2 or 3, and precision.
WIDEPHASE_API widephase_result widephase_rays_create(int32_t dimension,
                                                     widephase_precision precision,
                                                     widephase_rays** rays);
/// Ends the handle and sets it to NULL. Arrays that it borrowed still belong to the caller.
WIDEPHASE_API void widephase_rays_destroy(widephase_rays** rays);
/// Sets a column as widephase_scene_set does: "origin", "direction", "max_t", "world", "category",
/// "mask", "owner", "body", "excluded" (static shape, ray), "excluded_owners", "excluded_bodies".
WIDEPHASE_API widephase_result widephase_rays_set(widephase_rays* rays, const char* name,
                                                  widephase_type type, const void* data,
                                                  int64_t rows, int64_t stride_bytes);
/// The same with one array per component.
WIDEPHASE_API widephase_result widephase_rays_set_array(widephase_rays* rays, const char* name,
                                                        const widephase_array* array);
/// Empty; each call replaces the hits.
WIDEPHASE_API widephase_result widephase_hits_create(widephase_hits** hits);
/// Ends the handle, with the arrays that widephase_hits_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_hits_destroy(widephase_hits** hits);
/// "shape" (a static shape's id or -1), "t", "normal", "point", "feature" and "status" of each ray;
/// in scenes with surfaces "part", after casts of shapes "depth".
WIDEPHASE_API widephase_result widephase_hits_get(const widephase_hits* hits, const char* name,
                                                  widephase_type type, widephase_array* array);
/// For each ray the nearest static shape that it meets. `margin` is the radius of a cast ball.
WIDEPHASE_API widephase_result widephase_cast_rays(const widephase_static_scene* static_scene,
                                                   const widephase_rays* rays, widephase_hits* hits,
                                                   widephase_workspace* workspace,
                                                   const widephase_options* options);
/// 1 for each ray that meets a static shape, else 0; `count` is the number of rays.
WIDEPHASE_API widephase_result widephase_any_hit(const widephase_static_scene* static_scene,
                                                 const widephase_rays* rays, uint8_t* is_hit,
                                                 int64_t count, widephase_workspace* workspace,
                                                 const widephase_options* options);

// ---- What moving shapes hit

/// For each pair where B, moved along its "direction", first touches A: one row per pair. Of `ways`
/// only "direction" and "max_t" (NULL: 1) are read. `hits` then has the arrays of rays, of which
/// "shape" is A's id or -1, and "depth" of overlaps at the start.
WIDEPHASE_API widephase_result widephase_cast_pairs(const widephase_scene* scene,
                                                    const int32_t* pairs, int64_t pair_count,
                                                    const widephase_rays* ways,
                                                    widephase_hits* hits,
                                                    widephase_workspace* workspace,
                                                    const widephase_options* options);
/// For each moving shape the first static one that it touches on its way: one row per moving shape,
/// and "shape" is a static shape's id or -1. All else is as for pairs.
WIDEPHASE_API widephase_result widephase_cast_shapes(const widephase_static_scene* static_scene,
                                                     const widephase_scene* moving,
                                                     const widephase_rays* ways,
                                                     widephase_hits* hits,
                                                     widephase_workspace* workspace,
                                                     const widephase_options* options);

// ---- What is near points and moving shapes

/// Empty; each call replaces the rows.
WIDEPHASE_API widephase_result widephase_nearest_create(widephase_nearest** nearest);
/// Ends the handle, with the arrays that widephase_nearest_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_nearest_destroy(widephase_nearest** nearest);
/// "shape" (a static shape's id or -1), "distance", "normal" and "point": k rows per point, the
/// nearest first.
WIDEPHASE_API widephase_result widephase_nearest_get(const widephase_nearest* nearest,
                                                     const char* name, widephase_type type,
                                                     widephase_array* array);
/// For each "origin" of `points` the k nearest static shapes within `max_distance`, which may be
/// INFINITY. Directions and "max_t" are not read. Of the options `threads`, `isa`, `method` and
/// `world_mask` count.
WIDEPHASE_API widephase_result widephase_nearest_shapes(const widephase_static_scene* static_scene,
                                                        const widephase_rays* points, int64_t k,
                                                        double max_distance,
                                                        widephase_nearest* nearest,
                                                        widephase_workspace* workspace,
                                                        const widephase_options* options);
/// 1 for each moving shape that has a contact with a static one, else 0; `count` is the number of
/// moving shapes.
WIDEPHASE_API widephase_result widephase_any_overlap(const widephase_static_scene* static_scene,
                                                     const widephase_scene* moving,
                                                     uint8_t* is_overlap, int64_t count,
                                                     widephase_workspace* workspace,
                                                     const widephase_options* options);

// ---- When moving bodies meet

/// Empty; each call replaces the rows.
WIDEPHASE_API widephase_result widephase_impacts_create(widephase_impacts** impacts);
/// Ends the handle, with the arrays that widephase_impacts_get returned, and sets it to NULL.
WIDEPHASE_API void widephase_impacts_destroy(widephase_impacts** impacts);
/// "pair" (ids, or -1 and -1), "t", "normal", "point", "depth", "feature", "status" and "part" of
/// each row; "part" is empty in scenes without surfaces.
WIDEPHASE_API widephase_result widephase_impacts_get(const widephase_impacts* impacts,
                                                     const char* name, widephase_type type,
                                                     widephase_array* array);
/// When the shapes of each pair meet first while the bodies of the scene move from their poses, at
/// t = 0, to `position_end` and `turn_end` at t = 1. Those have one row per body: angles in 2D,
/// less than half a turn from the start, and quaternions x y z w in 3D. NULL: that part does not
/// change.
WIDEPHASE_API widephase_result widephase_time_of_impact(
    const widephase_scene* scene, const widephase_array* position_end,
    const widephase_array* turn_end, const int32_t* pairs, int64_t pair_count,
    widephase_impacts* impacts, widephase_workspace* workspace, const widephase_options* options);
/// What each body meets first, one row per body: B is a shape of the body, A what it meets.
WIDEPHASE_API widephase_result widephase_first_impacts(const widephase_scene* scene,
                                                       const widephase_array* position_end,
                                                       const widephase_array* turn_end,
                                                       widephase_impacts* impacts,
                                                       widephase_workspace* workspace,
                                                       const widephase_options* options);

// ---- Robots: a tree of bodies that joints move, in many configurations

/// How a joint moves, and how many values it has in a configuration.
enum {
  WIDEPHASE_JOINT_FIXED = 0,       ///< not at all: none
  WIDEPHASE_JOINT_REVOLUTE = 1,    ///< one angle about its axis
  WIDEPHASE_JOINT_CONTINUOUS = 2,  ///< the same
  WIDEPHASE_JOINT_PRISMATIC = 3,   ///< one length along its axis
  WIDEPHASE_JOINT_PLANAR = 4,      ///< two lengths across its axis, then an angle about it
  WIDEPHASE_JOINT_FLOATING = 5,    ///< a position x y z, then a quaternion x y z w
  WIDEPHASE_JOINT_BALL = 6         ///< a quaternion x y z w
};

/// Bodies and joints: arrays of the caller, which are copied. Those that may be NULL say so.
typedef struct widephase_robot_columns {
  int64_t body_count;         ///< bodies, parents in any order
  const int32_t* parent;      ///< of each body; -1: the world
  const double* position;     ///< three numbers per body: its origin in the parent's frame
  const double* orientation;  ///< x y z w per body; NULL: none is rotated
  int64_t joint_count;        ///< several joints of one body act one after the other
  const int32_t* type;        ///< of each joint, WIDEPHASE_JOINT_...
  const int32_t* body;        ///< which it moves
  const double* axis;         ///< three numbers per joint: a unit vector in the body's frame
  const double* anchor;       ///< three numbers: a point that a rotation leaves; NULL: the origin
  const char* const* name;    ///< for messages; NULL: none
  int64_t excluded_count;     ///< pairs of owners of shapes that never meet
  const int32_t* excluded_owners;  ///< two per pair
  int64_t link_count;              ///< 0: the robot carries nothing
  const int32_t* link_body;        ///< of each link, the body that it is on; -1: the world
  const double* link_position;  ///< three numbers per link, in the body's frame; NULL: its origin
  const double* link_orientation;  ///< x y z w per link; NULL: none is rotated
} widephase_robot_columns;

/// Makes a robot. Set all members of `columns` to zero, then those that it has. `shapes` is a scene
/// in 3D whose columns `body` name the bodies and whose `owner` tells its links; it is copied in
/// double.
WIDEPHASE_API widephase_result widephase_robot_create(const widephase_robot_columns* columns,
                                                      const widephase_scene* shapes,
                                                      widephase_robot** robot);
/// Ends the handle and sets it to NULL.
WIDEPHASE_API void widephase_robot_destroy(widephase_robot** robot);
/// How many values a configuration has; -1 for NULL.
WIDEPHASE_API int64_t widephase_robot_value_count(const widephase_robot* robot);
/// Makes `carrying`, the robot with the shapes of a scene in 3D on a link, as one more link of this
/// name. `position` and `orientation` (x y z w) place the scene in the frame of the link; NULL: in
/// that frame. The shapes may touch that link, links of the same body, and `allowed` ones. They are
/// behind the robot's own, kind by kind.
WIDEPHASE_API widephase_result widephase_robot_attach(
    const widephase_robot* robot, const char* name, int32_t link, const double* position,
    const double* orientation, const widephase_scene* shapes, const int32_t* allowed,
    int64_t allowed_count, widephase_robot** carrying);
/// Makes `left`, the robot without what was attached by this name.
WIDEPHASE_API widephase_result widephase_robot_detach(const widephase_robot* robot,
                                                      const char* name, widephase_robot** left);
/// Reads the shapes of a scene in 3D as obstacles, which are copied in double; obstacle i is shape
/// i of it. Threads may share the handle.
WIDEPHASE_API widephase_result widephase_environment_create(const widephase_scene* scene,
                                                            widephase_environment** environment);
/// Spheres of one radius >= 0 around points, such as a depth camera sees; obstacle i is point i.
/// `points` has `count` rows of three numbers of float or double (`type`), `stride_bytes` apart.
/// All answers are those for as many spheres, made for 10^5 to 10^6 of them; only the time `at`
/// that a proof found to touch may be another. A number that is not finite is an error. All threads
/// build it.
WIDEPHASE_API widephase_result widephase_environment_create_points(
    widephase_type type, const void* points, int64_t count, int64_t stride_bytes, double radius,
    widephase_environment** environment);
/// Ends the handle and sets it to NULL.
WIDEPHASE_API void widephase_environment_destroy(widephase_environment** environment);
/// 1 for each configuration in which the robot touches itself or an obstacle, else 0. `q` has
/// `count` rows of float or double (`type`), `stride_bytes` apart. `environment` may be NULL.
/// `worlds`, one per configuration, tells which world's obstacles count beside those of -1; NULL if
/// the environment has no worlds. Of `options` those of widephase_any_contact count.
WIDEPHASE_API widephase_result widephase_robot_any_contact(
    const widephase_robot* robot, widephase_type type, const void* q, int64_t count,
    int64_t stride_bytes, const widephase_environment* environment, const int32_t* worlds,
    uint8_t* is_contact, widephase_workspace* workspace, const widephase_options* options);
/// What touches first in each configuration: three numbers per configuration in `first`, all -1
/// where nothing touches. The first number is the lowest id of a shape of the robot that touches.
/// The second is the lowest obstacle that it touches, or -1. The third is -1, or, if it touches no
/// obstacle, the lowest shape of the robot that it touches. The other arguments are those of
/// widephase_robot_any_contact.
WIDEPHASE_API widephase_result widephase_robot_first_contact(
    const widephase_robot* robot, widephase_type type, const void* q, int64_t count,
    int64_t stride_bytes, const widephase_environment* environment, const int32_t* worlds,
    int32_t* first, widephase_workspace* workspace, const widephase_options* options);
/// Empty; each call replaces the rows.
WIDEPHASE_API widephase_result widephase_robot_contacts_create(widephase_robot_contacts** contacts);
/// Ends the handle, with the arrays that widephase_robot_contacts_get returned, and sets it to
/// NULL.
WIDEPHASE_API void widephase_robot_contacts_destroy(widephase_robot_contacts** contacts);
/// "configuration" (a row of `q`), "link" and "shape" of the robot, and "obstacle", or, where that
/// is -1, "other_link" and "other_shape". "normal" goes from the robot's shape to the other;
/// "depth". Contact i has the points "offset"[i] to "offset"[i + 1] - 1 of "point" and
/// "point_depth".
WIDEPHASE_API widephase_result widephase_robot_contacts_get(
    const widephase_robot_contacts* contacts, const char* name, widephase_type type,
    widephase_array* array);
/// All contacts, ascending by configuration. The other arguments are those of
/// widephase_robot_any_contact; `max_contacts` and `max_points` count for 512 configurations at a
/// time.
WIDEPHASE_API widephase_result widephase_robot_find_contacts(
    const widephase_robot* robot, widephase_type type, const void* q, int64_t count,
    int64_t stride_bytes, const widephase_environment* environment, const int32_t* worlds,
    widephase_robot_contacts* contacts, widephase_workspace* workspace,
    const widephase_options* options);
/// Checks motions from the rows of `from` to those of `to`, which are as `q` in
/// widephase_robot_any_contact; values change linearly. One `status` per motion: 0 nothing touches,
/// 1 something does at the time `at` (0 at the start, 1 at the end; else NaN), 2 undecided. With
/// `proof` 0, samples are asked, at most `resolution` apart as a length of values. Otherwise 0 is
/// proven for all times, and parts below `least_width` are not divided. Of `options` those of
/// widephase_any_contact count.
WIDEPHASE_API widephase_result widephase_robot_check_motions(
    const widephase_robot* robot, widephase_type type, const void* from, const void* to,
    int64_t count, int64_t stride_bytes, const widephase_environment* environment,
    const int32_t* worlds, int32_t proof, double resolution, double least_width, uint8_t* status,
    double* at, widephase_workspace* workspace, const widephase_options* options);
/// The nearest pair of each configuration: its `distance`, below 0 for what overlaps, and in `pair`
/// three numbers as in widephase_robot_first_contact. Without a pair all three are -1, and the
/// distance is the largest finite number. `gradient` gets one number per value of a configuration:
/// how fast the distance grows with it; NULL: not wanted. The other arguments are those of
/// widephase_robot_any_contact.
WIDEPHASE_API widephase_result widephase_robot_min_distance(
    const widephase_robot* robot, widephase_type type, const void* q, int64_t count,
    int64_t stride_bytes, const widephase_environment* environment, const int32_t* worlds,
    double* distance, int32_t* pair, double* gradient, widephase_workspace* workspace,
    const widephase_options* options);

#ifdef __cplusplus
}
#endif
