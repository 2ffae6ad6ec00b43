/* widephase.h from C99: every function, answers that can be told by hand, and each error's words.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <widephase/widephase.h>

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  printf("line %d: %s does not hold; last error: %s\n", line, what, widephase_error_message());
}
#define EXPECT(what) expect(what, #what, __LINE__)
#define OK(call) expect((call) == WIDEPHASE_OK, #call, __LINE__)

/* The call is refused, with this array, row and message. */
static void expect_refused(widephase_result result, const char* array, int64_t row,
                           const char* message, int line) {
  if (result == WIDEPHASE_INVALID && strcmp(widephase_error_array(), array) == 0 &&
      widephase_error_row() == row && strcmp(widephase_error_message(), message) == 0) {
    return;
  }
  ++failures;
  printf("line %d: got %d, %s, %ld, \"%s\"\n   instead of %s, %ld, \"%s\"\n", line, (int)result,
         widephase_error_array(), (long)widephase_error_row(), widephase_error_message(), array,
         (long)row, message);
}
#define REFUSED(call, array, row, message) expect_refused(call, array, row, message, __LINE__)

static widephase_workspace* workspace = NULL;
static widephase_contacts* contacts = NULL;

static widephase_array column(const char* name, widephase_type type) {
  widephase_array array;
  OK(widephase_contacts_get(contacts, name, type, &array));
  return array;
}

/* A body of a simulator's own, of which the scene borrows three members. */
struct ball {
  double mass;
  float position[3];
  float radius;
  int32_t world;
};

/* Of a scene whose balls 1 and 2 have radii of -2 and -0.5. */
static void expect_findings(const widephase_scene* scene) {
  const int32_t pairs[4] = {0, 2, 1, 3};
  widephase_findings* findings = NULL;
  const char *array = NULL, *message = NULL;
  int64_t count = 0, row = 0;
  OK(widephase_findings_create(&findings));
  OK(widephase_scene_validate(scene, 0, -1, findings));
  OK(widephase_findings_count(findings, &count));
  EXPECT(count == 2);
  OK(widephase_findings_get(findings, 1, &array, &row, &message));
  EXPECT(strcmp(array, "sphere.radius") == 0 && row == 2);
  EXPECT(strcmp(message, "sphere.radius[2] is -0.5; radius must be a finite number >= 0") == 0);
  OK(widephase_scene_validate_pairs(scene, pairs, 2, 1, findings));
  OK(widephase_findings_get(findings, 0, NULL, NULL, &message));
  EXPECT(strcmp(message, "pairs[1] names shape 3; the scene's ids are 0 to 2") == 0);
  REFUSED(widephase_findings_get(findings, 1, &array, &row, &message), "index", -1,
          "index is 1; there are 1 findings, counted from 0");
  widephase_findings_destroy(&findings);
  EXPECT(findings == NULL);
}

static void spheres_in_structures(void) {
  /* Balls 0 and 1 of radius 1, centres 1.5 apart along x: overlap 0.5. Ball 2 is far away. */
  struct ball balls[3] = {{1, {0, 0, 0}, 1, 0}, {1, {1.5f, 0, 0}, 1, 0}, {1, {9, 0, 0}, 1, 1}};
  const int64_t stride = (int64_t)sizeof(struct ball);
  const float* depth;
  const int32_t *a, *b;
  const int64_t* offset;
  widephase_array array;
  widephase_scene* scene = NULL;
  widephase_tracker* tracker = NULL;
  widephase_support* support = NULL;
  widephase_distances* distances = NULL;
  widephase_options options;
  const int32_t pairs[4] = {0, 2, 1, 0};
  const int32_t ids[2] = {0, 2};
  const float directions[6] = {1, 0, 0, 0, 0, -2};
  uint8_t flags[2] = {9, 9};
  int32_t rows[2] = {-1, -1};
  uint64_t hash = 0, other_hash = 0;
  int32_t count = 0;
  int32_t id = 0;

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, balls[0].position, 3, stride));
  OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT32, &balls[0].radius, 3, stride));
  OK(widephase_scene_set(scene, "sphere.world", WIDEPHASE_INT32, &balls[0].world, 3, stride));
  OK(widephase_scene_shape_count(scene, &count));
  EXPECT(count == 3);
  OK(widephase_scene_world_count(scene, &count));
  EXPECT(count == 2);
  OK(widephase_scene_first_id(scene, "capsule", &id));
  EXPECT(id == 3);
  OK(widephase_scene_locate(scene, ids, 2, flags, rows));
  EXPECT(flags[0] == WIDEPHASE_KIND_SPHERE && rows[0] == 0 && rows[1] == 2);
  EXPECT(strcmp(widephase_scene_kind_name(scene, flags[1]), "sphere") == 0);
  EXPECT(widephase_scene_kind_name(scene, WIDEPHASE_KIND_POLYGON) == NULL);
  REFUSED(widephase_scene_locate(scene, &id, 1, flags, rows), "ids", 0,
          "ids[0] is 3; the scene's ids are 0 to 2");

  OK(widephase_collide(scene, contacts, workspace, NULL));
  array = column("depth", WIDEPHASE_FLOAT32);
  depth = array.planes[0];
  EXPECT(array.rows == 1 && array.width == 1 && depth[0] == 0.5f);
  array = column("pair", WIDEPHASE_INT32);
  a = array.planes[0];
  b = array.planes[1];
  EXPECT(array.rows == 1 && array.width == 2 && array.stride_bytes == 8 && *a == 0 && *b == 1);
  array = column("normal", WIDEPHASE_FLOAT32);
  EXPECT(array.width == 3 && ((const float*)array.planes[0])[0] == 1 &&
         ((const float*)array.planes[1])[0] == 0 && ((const float*)array.planes[2])[0] == 0);
  array = column("offset", WIDEPHASE_INT64);
  offset = array.planes[0];
  EXPECT(array.rows == 2 && offset[0] == 0 && offset[1] == 1);
  EXPECT(column("point", WIDEPHASE_FLOAT32).rows == 1);
  EXPECT(column("point_depth", WIDEPHASE_FLOAT32).rows == 1);
  EXPECT(column("feature", WIDEPHASE_UINT32).rows == 1);
  array = column("part", WIDEPHASE_INT32);
  EXPECT(array.rows == 0 && array.width == 2);  // there is no surface of triangles
  EXPECT(column("status", WIDEPHASE_UINT8).rows == 1);
  EXPECT(column("source", WIDEPHASE_INT64).rows == 1);
  EXPECT(column("world_offset", WIDEPHASE_INT64).rows == 0);
  OK(widephase_workspace_get(workspace, "pairs", WIDEPHASE_INT32, &array));
  EXPECT(array.rows == 1);
  OK(widephase_contacts_hash(contacts, &hash));
  OK(widephase_collide(scene, contacts, workspace, NULL));
  OK(widephase_contacts_hash(contacts, &other_hash));
  EXPECT(hash != 0 && hash == other_hash);

  OK(widephase_collide_pairs(scene, pairs, 2, contacts, workspace, NULL));
  array = column("source", WIDEPHASE_INT64);
  EXPECT(array.rows == 1 && *(const int64_t*)array.planes[0] == 1);
  OK(widephase_test_pairs(scene, pairs, 2, flags, workspace, NULL));
  EXPECT(flags[0] == 0 && flags[1] == 1);
  OK(widephase_any_contact(scene, flags, 2, workspace, NULL));
  EXPECT(flags[0] == 1 && flags[1] == 0);

  OK(widephase_update_bounds(scene, workspace, NULL));
  OK(widephase_find_pairs(scene, workspace, NULL));
  OK(widephase_find_contacts(scene, pairs, 2, contacts, workspace, NULL));
  EXPECT(column("depth", WIDEPHASE_FLOAT32).rows == 1);

  OK(widephase_distances_create(&distances));
  OK(widephase_pair_distances(scene, pairs, 2, distances, workspace, NULL));
  OK(widephase_distances_get(distances, "distance", WIDEPHASE_FLOAT32, &array));
  EXPECT(array.rows == 2 && ((const float*)array.planes[0])[0] == 7);
  EXPECT(((const float*)array.planes[0])[1] == -0.5f);
  OK(widephase_min_distance(scene, distances, workspace, NULL));
  OK(widephase_distances_get(distances, "pair", WIDEPHASE_INT32, &array));
  EXPECT(array.rows == 2);
  EXPECT(widephase_pair_side(&array, 0, 0) < widephase_pair_side(&array, 0, 1));

  OK(widephase_support_create(&support));
  array = widephase_rows(WIDEPHASE_FLOAT32, directions, 2, 3, 3 * (int64_t)sizeof(float));
  OK(widephase_support_points(scene, ids, &array, support, workspace, NULL));
  OK(widephase_support_get(support, "point", WIDEPHASE_FLOAT32, &array));
  EXPECT(array.rows == 2 && ((const float*)array.planes[0])[0] == 1);
  EXPECT(((const float*)array.planes[2])[1] == -1);

  OK(widephase_tracker_create(&tracker));
  OK(widephase_tracker_collide(tracker, scene, contacts, workspace, NULL));
  OK(widephase_tracker_get(tracker, "last_contact", WIDEPHASE_INT64, &array));
  EXPECT(array.rows == 1 && *(const int64_t*)array.planes[0] == -1);
  OK(widephase_tracker_collide_pairs(tracker, scene, pairs, 2, contacts, workspace, NULL));
  OK(widephase_tracker_get(tracker, "last_contact", WIDEPHASE_INT64, &array));
  EXPECT(array.rows == 1 && *(const int64_t*)array.planes[0] == 0);
  balls[1].position[0] = 5; /* the scene borrows it */
  OK(widephase_tracker_collide(tracker, scene, contacts, workspace, NULL));
  OK(widephase_tracker_get(tracker, "ended.pair", WIDEPHASE_INT32, &array));
  EXPECT(array.rows == 1);
  const uint8_t forgotten[2] = {1, 0};
  REFUSED(widephase_tracker_forget(tracker, forgotten, 1), "worlds", -1,
          "worlds has 1 entries; the scene has 2 worlds, so give it as many or more");
  OK(widephase_tracker_forget(tracker, forgotten, 2));
  OK(widephase_tracker_forget(tracker, NULL, 0));

  /* The same by stages: balls 0 and 1 are together again, and begin; then they persist. */
  balls[1].position[0] = 1.5f;
  OK(widephase_update_bounds(scene, workspace, NULL));
  OK(widephase_find_pairs(scene, workspace, NULL));
  OK(widephase_workspace_get(workspace, "pairs", WIDEPHASE_INT32, &array));
  widephase_options_init(&options, sizeof options);
  for (count = -1; count < 1; ++count) {
    OK(widephase_tracker_begin_step(tracker, scene, array.planes[0], array.rows,
                                    &options.warm_starts, &options.warm_start_count, NULL));
    EXPECT(options.warm_starts == NULL && options.warm_start_count == 0); /* spheres need none */
    OK(widephase_find_contacts(scene, array.planes[0], array.rows, contacts, workspace, &options));
    OK(widephase_tracker_end_step(tracker, contacts, NULL));
    {
      widephase_array last;
      OK(widephase_tracker_get(tracker, "last_contact", WIDEPHASE_INT64, &last));
      EXPECT(last.rows == 1 && *(const int64_t*)last.planes[0] == count);
    }
  }
  REFUSED(widephase_tracker_end_step(tracker, contacts, NULL), "contacts", -1,
          "contacts have no begin_step before them; call it once for each");

  /* 0.2 apart is within a margin of 0.25. */
  balls[1].position[0] = 2.2f;
  widephase_options_init(&options, sizeof options);
  options.margin = 0.25;
  options.threads = 1;
  options.keeps_order = 1;
  OK(widephase_collide(scene, contacts, workspace, &options));
  EXPECT(column("depth", WIDEPHASE_FLOAT32).rows == 1);
  options.max_contacts = 0;
  EXPECT(widephase_collide(scene, contacts, workspace, &options) == WIDEPHASE_OVER_CAP);
  {
    int64_t pair_count = 0, contact_count = 0, point_count = 0;
    widephase_error_needed(&pair_count, &contact_count, &point_count);
    widephase_error_needed(NULL, NULL, NULL);
    EXPECT(pair_count == 1 && contact_count == 1 && point_count == 1);
    EXPECT(widephase_error_exact() == 1);
  }

  /* A step that fails leaves the message of the border's check: column and row. */
  balls[2].radius = -0.5f;
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "sphere.radius", 2,
          "sphere.radius[2] is -0.5; radius must be a finite number >= 0");
  EXPECT(column("depth", WIDEPHASE_FLOAT32).rows == 0);
  balls[1].radius = -2;
  expect_findings(scene);
  balls[1].radius = 1;
  balls[2].radius = 1;

  /* A tracker follows scenes of one kind; workspace and contacts serve any. */
  {
    widephase_scene* other = NULL;
    OK(widephase_scene_create(2, WIDEPHASE_DOUBLE, &other));
    REFUSED(widephase_tracker_collide(tracker, other, contacts, workspace, NULL), "tracker", -1,
            "tracker follows scenes of another dimension or precision; make another tracker");
    OK(widephase_collide(other, contacts, workspace, NULL));
    EXPECT(column("depth", WIDEPHASE_FLOAT64).rows == 0);
    OK(widephase_collide(scene, contacts, workspace, NULL));
    widephase_scene_destroy(&other);
  }

  widephase_tracker_destroy(&tracker);
  widephase_support_destroy(&support);
  widephase_distances_destroy(&distances);
  widephase_scene_destroy(&scene);
  EXPECT(scene == NULL && tracker == NULL && support == NULL && distances == NULL);
}

static void polygons_and_planes(void) {
  /* Two unit squares, centres 0.75 apart along x, with an array a component: overlap 0.25. Their
   * points come in any order, with one inside. */
  const double points[10] = {0.5, 0.5, -0.5, -0.5, 0, 0, -0.5, 0.5, 0.5, -0.5};
  const double x[2] = {0, 0.75};
  const double y[2] = {0, 0};
  const double angle = 0;
  widephase_array array = {
      {NULL, NULL, NULL, NULL}, 2, (int64_t)sizeof(double), 2, WIDEPHASE_FLOAT64};
  int32_t geometry = -1;
  widephase_geometries* geometries = NULL;
  widephase_scene* scene = NULL;
  const double min[2] = {0, 0}, max[2] = {10, 10};
  const uint8_t periodic[2] = {1, 0};
  const double far_x[2] = {0.25, 9.75};

  OK(widephase_geometries_create(2, WIDEPHASE_DOUBLE, &geometries));
  OK(widephase_geometries_add(geometries, WIDEPHASE_FLOAT64, points, 5, 2 * (int64_t)sizeof(double),
                              &geometry));
  EXPECT(geometry == 0);
  REFUSED(widephase_geometries_add(geometries, WIDEPHASE_FLOAT64, points, 2,
                                   2 * (int64_t)sizeof(double), &geometry),
          "points", -1,
          "points has fewer than 3 distinct points; a polygon needs 3 that span an area");
  REFUSED(widephase_geometries_add_enclosing(geometries, WIDEPHASE_FLOAT64, points, 5, 16, 4,
                                             &geometry, NULL),
          "geometries", -1,
          "geometries are of 2D; simpler ones that enclose points are made in 3D");
  {
    widephase_array vertices;
    OK(widephase_geometries_get(geometries, "vertices", WIDEPHASE_FLOAT64, &vertices));
    EXPECT(vertices.rows == 4 && vertices.width == 2);
  }

  OK(widephase_scene_create(2, WIDEPHASE_DOUBLE, &scene));
  OK(widephase_scene_set_geometries(scene, geometries));
  array.planes[0] = x;
  array.planes[1] = y;
  OK(widephase_scene_set_array(scene, "polygon.center", &array));
  OK(widephase_scene_set(scene, "polygon.angle", WIDEPHASE_FLOAT64, &angle, 2, 0));
  OK(widephase_scene_set(scene, "polygon.geometry", WIDEPHASE_INT32, &geometry, 2, 0));
  /* What is added later is not the scene's, which keeps what it was given. */
  OK(widephase_geometries_add(geometries, WIDEPHASE_FLOAT64, points, 4, 2 * (int64_t)sizeof(double),
                              &geometry));
  EXPECT(geometry == 1);
  geometry = 0;
  widephase_geometries_destroy(&geometries);
  OK(widephase_collide(scene, contacts, workspace, NULL));
  {
    widephase_array depth = column("depth", WIDEPHASE_FLOAT64);
    EXPECT(depth.rows == 1 && *(const double*)depth.planes[0] == 0.25);
    EXPECT(column("point", WIDEPHASE_FLOAT64).rows == 2);
  }
  geometry = 1;
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "polygon.geometry", 0,
          "polygon.geometry[0] is 1; the scene has 1 geometries, counted from 0");
  geometry = 0;

  /* Across the sides of a domain of 10 they are 0.5 apart. */
  array.planes[0] = far_x;
  OK(widephase_scene_set_array(scene, "polygon.center", &array));
  OK(widephase_collide(scene, contacts, workspace, NULL));
  EXPECT(column("depth", WIDEPHASE_FLOAT64).rows == 0);
  OK(widephase_scene_set_domain(scene, min, max, periodic));
  OK(widephase_collide(scene, contacts, workspace, NULL));
  EXPECT(column("depth", WIDEPHASE_FLOAT64).rows == 1);
  OK(widephase_scene_set_domain(scene, NULL, NULL, NULL));
  REFUSED(widephase_scene_set_domain(scene, min, NULL, periodic), "max", -1, "max is NULL");

  /* Without geometries and without shapes again. */
  OK(widephase_scene_set_geometries(scene, NULL));
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "polygon.geometry", 0,
          "polygon.geometry[0] is 0; the scene has 0 geometries, counted from 0");
  OK(widephase_scene_set(scene, "polygon.center", WIDEPHASE_FLOAT64, NULL, 0, 0));
  OK(widephase_scene_set(scene, "polygon.angle", WIDEPHASE_FLOAT64, NULL, 0, 0));
  OK(widephase_scene_set(scene, "polygon.geometry", WIDEPHASE_INT32, NULL, 0, 0));
  OK(widephase_collide(scene, contacts, workspace, NULL));
  EXPECT(column("depth", WIDEPHASE_FLOAT64).rows == 0);
  widephase_scene_destroy(&scene);
}

static void hulls_on_the_ground(void) {
  /* A cube with corners at +-1 around (0, 0, 0.75), above solid ground below z = 0: 0.25 deep. */
  float corners[8][3];
  const float up[3] = {0, 0, 1};
  const float zero = 0;
  const double center[3] = {0, 0, 0.75};
  const float turn[4] = {0, 0, 0, 1};
  int32_t geometry = -1, simpler = -1;
  double excess = -1;
  int i;
  widephase_array depth;
  widephase_geometries* geometries = NULL;
  widephase_scene *ground = NULL, *cube = NULL, *mixed = NULL, *mixed_cube = NULL;
  widephase_static_scene* kept = NULL;
  const float center32[3] = {0, 0, 0.75f};
  const double zero64 = 0, raised64 = 0.125;
  const int32_t changed[2] = {1, 2};
  const int32_t ids[4] = {0, 1, 2, 3};
  uint8_t kinds[4] = {9, 9, 9, 9};
  int32_t rows[4] = {-1, -1, -1, -1};

  for (i = 0; i < 8; ++i) {
    corners[i][0] = (i & 1) != 0 ? 1.0f : -1.0f;
    corners[i][1] = (i & 2) != 0 ? 1.0f : -1.0f;
    corners[i][2] = (i & 4) != 0 ? 1.0f : -1.0f;
  }
  OK(widephase_geometries_create(3, WIDEPHASE_FLOAT, &geometries));
  OK(widephase_geometries_add(geometries, WIDEPHASE_FLOAT32, corners, 8, (int64_t)sizeof corners[0],
                              &geometry));
  OK(widephase_geometries_add_enclosing(geometries, WIDEPHASE_FLOAT32, corners, 8,
                                        (int64_t)sizeof corners[0], 8, &simpler, &excess));
  EXPECT(geometry == 0 && simpler == 1 && excess == 0);

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &ground));
  OK(widephase_scene_set(ground, "halfspace.normal", WIDEPHASE_FLOAT32, up, 1, 12));
  OK(widephase_scene_set(ground, "halfspace.offset", WIDEPHASE_FLOAT32, &zero, 1, 4));
  OK(widephase_scene_set_geometries(ground, geometries));
  OK(widephase_static_scene_create(&kept));

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &cube));
  OK(widephase_scene_set(cube, "hull.center", WIDEPHASE_FLOAT32, center32, 1, 12));
  OK(widephase_scene_set(cube, "hull.orientation", WIDEPHASE_FLOAT32, turn, 1, 16));
  OK(widephase_scene_set(cube, "hull.geometry", WIDEPHASE_INT32, &geometry, 1, 4));
  REFUSED(widephase_static_scene_collide(kept, cube, contacts, workspace, NULL), "static_scene", -1,
          "static_scene holds no scene of the moving one's dimension and precision");
  OK(widephase_static_scene_build(kept, ground, workspace, NULL));
  OK(widephase_static_scene_collide(kept, cube, contacts, workspace, NULL));
  depth = column("depth", WIDEPHASE_FLOAT32);
  EXPECT(depth.rows == 1 && *(const float*)depth.planes[0] == 0.25f);
  EXPECT(column("point_depth", WIDEPHASE_FLOAT32).rows == 4);

  /* Mixed: positions in double, sizes in float, geometries of float. */
  OK(widephase_scene_create(3, WIDEPHASE_MIXED, &mixed));
  OK(widephase_scene_set(mixed, "hull.center", WIDEPHASE_FLOAT64, center, 1, 24));
  OK(widephase_scene_set(mixed, "hull.orientation", WIDEPHASE_FLOAT32, turn, 1, 16));
  OK(widephase_scene_set(mixed, "hull.geometry", WIDEPHASE_INT32, &geometry, 1, 4));
  OK(widephase_scene_set(mixed, "halfspace.normal", WIDEPHASE_FLOAT32, up, 1, 12));
  OK(widephase_scene_set(mixed, "halfspace.offset", WIDEPHASE_FLOAT64, &zero64, 1, 8));
  OK(widephase_scene_set_geometries(mixed, geometries));
  OK(widephase_collide(mixed, contacts, workspace, NULL));
  depth = column("depth", WIDEPHASE_FLOAT32);
  EXPECT(depth.rows == 1 && *(const float*)depth.planes[0] == 0.25f);
  EXPECT(column("point", WIDEPHASE_FLOAT64).rows == 4);
  REFUSED(widephase_static_scene_collide(kept, mixed, contacts, workspace, NULL), "static_scene",
          -1, "static_scene holds no scene of the moving one's dimension and precision");
  OK(widephase_static_scene_build(kept, mixed, workspace, NULL));
  OK(widephase_scene_create(3, WIDEPHASE_MIXED, &mixed_cube));
  OK(widephase_scene_set(mixed_cube, "hull.center", WIDEPHASE_FLOAT64, center, 1, 24));
  OK(widephase_scene_set(mixed_cube, "hull.orientation", WIDEPHASE_FLOAT32, turn, 1, 16));
  OK(widephase_scene_set(mixed_cube, "hull.geometry", WIDEPHASE_INT32, &geometry, 1, 4));
  OK(widephase_static_scene_collide(kept, mixed_cube, contacts, workspace, NULL));
  /* With the cube that is kept and with the ground. */
  depth = column("depth", WIDEPHASE_FLOAT32);
  EXPECT(depth.rows == 2 && ((const float*)depth.planes[0])[1] == 0.25f);
  OK(widephase_scene_set_kept(mixed_cube, kept));
  OK(widephase_scene_locate(mixed_cube, ids, 3, kinds, rows));
  EXPECT(kinds[0] == WIDEPHASE_KIND_HULL && kinds[1] == WIDEPHASE_KIND_HULL &&
         kinds[2] == WIDEPHASE_KIND_HALFSPACE && rows[0] == 0 && rows[1] == 0 && rows[2] == 0);
  REFUSED(widephase_scene_locate(mixed_cube, ids, 4, kinds, rows), "ids", 3,
          "ids[3] is 3; the ids of the scene and of what it keeps are 0 to 2");
  OK(widephase_scene_set_kept(mixed_cube, NULL));
  /* Shape 1 is the ground, which rises to z = 0.125: 0.375 deep. There is no shape 2. */
  OK(widephase_scene_set(mixed, "halfspace.offset", WIDEPHASE_FLOAT64, &raised64, 1, 8));
  OK(widephase_static_scene_update(kept, mixed, changed, 1, workspace, NULL));
  OK(widephase_static_scene_collide(kept, mixed_cube, contacts, workspace, NULL));
  depth = column("depth", WIDEPHASE_FLOAT32);
  EXPECT(depth.rows == 2 && ((const float*)depth.planes[0])[1] == 0.375f);
  REFUSED(widephase_static_scene_update(kept, mixed, changed, 2, workspace, NULL), "ids", 1,
          "ids[1] is 2; the static scene has 2 shapes, whose ids begin at 0");
  REFUSED(widephase_static_scene_update(kept, cube, changed, 1, workspace, NULL), "static_scene",
          -1, "static_scene holds no scene of this one's dimension and precision");

  widephase_scene_destroy(&mixed_cube);
  widephase_static_scene_destroy(&kept);
  widephase_scene_destroy(&mixed);
  widephase_scene_destroy(&cube);
  widephase_scene_destroy(&ground);
  widephase_geometries_destroy(&geometries);
}

static void smooth_shapes(void) {
  /* An egg, two high from its middle up and one to its sides, with its middle at 1.75 over the
   * ground: 0.25 deep. A cone of radius 1 stands in the ground by 0.5, rounded by 0.25: its base is
   * at -0.5 - 0.25. It is 4 away from the egg. */
  const float egg[3] = {0, 0, 1.75f}, half[3] = {1, 1, 2}, cone[3] = {4, 0, 0.5f};
  const float level[4] = {0, 0, 0, 1}, up[3] = {0, 0, 1};
  const float ground = 0, one = 1, rounding = 0.25f;
  const int32_t ids[2] = {1, 2};
  widephase_array pair;
  const float* depth;
  uint8_t kinds[2] = {0, 0};
  int32_t rows[2] = {-1, -1};
  widephase_scene* scene = NULL;

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  OK(widephase_scene_set(scene, "halfspace.normal", WIDEPHASE_FLOAT32, up, 1, 0));
  OK(widephase_scene_set(scene, "halfspace.offset", WIDEPHASE_FLOAT32, &ground, 1, 0));
  OK(widephase_scene_set(scene, "ellipsoid.center", WIDEPHASE_FLOAT32, egg, 1, 0));
  OK(widephase_scene_set(scene, "ellipsoid.orientation", WIDEPHASE_FLOAT32, level, 1, 0));
  OK(widephase_scene_set(scene, "ellipsoid.half_extents", WIDEPHASE_FLOAT32, half, 1, 0));
  OK(widephase_scene_set(scene, "cone.center", WIDEPHASE_FLOAT32, cone, 1, 0));
  OK(widephase_scene_set(scene, "cone.orientation", WIDEPHASE_FLOAT32, level, 1, 0));
  OK(widephase_scene_set(scene, "cone.half_height", WIDEPHASE_FLOAT32, &one, 1, 0));
  OK(widephase_scene_set(scene, "cone.radius", WIDEPHASE_FLOAT32, &one, 1, 0));
  OK(widephase_scene_set(scene, "cone.rounding", WIDEPHASE_FLOAT32, &rounding, 1, 0));
  OK(widephase_scene_locate(scene, ids, 2, kinds, rows));
  EXPECT(kinds[0] == WIDEPHASE_KIND_ELLIPSOID && kinds[1] == WIDEPHASE_KIND_CONE);
  EXPECT(strcmp(widephase_scene_kind_name(scene, WIDEPHASE_KIND_CONE), "cone") == 0);

  OK(widephase_collide(scene, contacts, workspace, NULL));
  pair = column("pair", WIDEPHASE_INT32);
  EXPECT(pair.rows == 2);
  EXPECT(widephase_pair_side(&pair, 0, 0) == 0 && widephase_pair_side(&pair, 0, 1) == 1);
  EXPECT(widephase_pair_side(&pair, 1, 0) == 0 && widephase_pair_side(&pair, 1, 1) == 2);
  depth = column("depth", WIDEPHASE_FLOAT32).planes[0];
  EXPECT(depth[0] == 0.25f && depth[1] == 0.75f);
  widephase_scene_destroy(&scene);
}

static void bodies_carry_shapes(void) {
  /* Two balls of radius 1 at x = 1 of their bodies' frames: body 0 stands, body 1 is turned by half
   * a turn about z and lies at x = 3.5, thus its ball at 2.5. They overlap by 0.5. */
  struct body {
    float position[3];
    float orientation[4];
  } bodies[2] = {{{0, 0, 0}, {0, 0, 0, 1}}, {{3.5f, 0, 0}, {0, 0, 1, 0}}};
  const int64_t stride = (int64_t)sizeof(struct body);
  const float center[3] = {1, 0, 0};
  const float radius = 1;
  const int32_t body[2] = {0, 1};
  int32_t found[2] = {-1, -1};
  widephase_array array;
  widephase_scene *scene = NULL, *placed = NULL;

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &placed));
  OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, center, 2, 0));
  OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT32, &radius, 2, 0));
  OK(widephase_scene_set(scene, "sphere.body", WIDEPHASE_INT32, body, 2, 4));
  OK(widephase_scene_set(scene, "bodies.position", WIDEPHASE_FLOAT32, bodies[0].position, 2,
                         stride));
  OK(widephase_scene_set(scene, "bodies.orientation", WIDEPHASE_FLOAT32, bodies[0].orientation, 2,
                         stride));
  OK(widephase_place(scene, placed, NULL));
  OK(widephase_scene_get(placed, "sphere.center", &array));
  EXPECT(array.rows == 2 && ((const float*)array.planes[0])[0] == 1);
  EXPECT(array.stride_bytes == 4 && ((const float*)array.planes[0])[1] == 2.5f);
  OK(widephase_scene_get(placed, "sphere.radius", &array));
  EXPECT(array.planes[0] == &radius);

  OK(widephase_collide(scene, contacts, workspace, NULL));
  EXPECT(*(const float*)column("depth", WIDEPHASE_FLOAT32).planes[0] == 0.5f);
  OK(widephase_contact_bodies(scene, contacts, found, 1));
  EXPECT(found[0] == 0 && found[1] == 1);
  REFUSED(widephase_contact_bodies(scene, contacts, found, 0), "bodies", -1,
          "bodies has 0 rows; there are 1 contacts, so give it as many or more");

  bodies[1].orientation[3] = 1;
  REFUSED(widephase_place(scene, placed, NULL), "bodies.orientation", 1,
          "bodies.orientation[1] has squared length 2; it must be 1 within 1e-4");
  REFUSED(widephase_place(scene, scene, NULL), "placed", -1,
          "placed is the scene itself; make another one for what is placed");
  widephase_scene_destroy(&placed);
  widephase_scene_destroy(&scene);
}

static void height_fields_are_columns(void) {
  /* Two cells, the second without its upper triangle. */
  float heights[6] = {0, 0, 0, 0, 0, 0};
  const int64_t offsets[2] = {0, 6};
  const int32_t columns = 3, geometry = 0, id = 0;
  const float cell[2] = {1, 2}, center[3] = {0, 0, 0}, level[4] = {0, 0, 0, 1};
  uint8_t kind = 0;
  int32_t row = -1;
  widephase_array array;
  widephase_scene* scene = NULL;

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  OK(widephase_scene_set(scene, "heightfields.heights", WIDEPHASE_FLOAT32, heights, 6, 4));
  OK(widephase_scene_set(scene, "heightfields.offsets", WIDEPHASE_INT64, offsets, 2, 8));
  OK(widephase_scene_set(scene, "heightfields.columns", WIDEPHASE_INT32, &columns, 1, 4));
  OK(widephase_scene_set(scene, "heightfields.cell", WIDEPHASE_FLOAT32, cell, 1, 8));
  OK(widephase_scene_set(scene, "heightfield.center", WIDEPHASE_FLOAT32, center, 1, 12));
  OK(widephase_scene_set(scene, "heightfield.orientation", WIDEPHASE_FLOAT32, level, 1, 16));
  OK(widephase_scene_set(scene, "heightfield.geometry", WIDEPHASE_INT32, &geometry, 1, 4));
  OK(widephase_scene_get(scene, "heightfields.neighbours", &array));
  EXPECT(array.rows == 0 && array.width == 4 && array.type == WIDEPHASE_INT32);
  OK(widephase_scene_locate(scene, &id, 1, &kind, &row));
  EXPECT(kind == WIDEPHASE_KIND_HEIGHTFIELD && row == 0);
  OK(widephase_collide(scene, contacts, workspace, NULL));
  heights[4] = 1e30f * 1e30f;
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "heightfields.heights", 4,
          "heightfields.heights[4] is inf; a height must be a finite number, or NaN for a hole");
  widephase_scene_destroy(&scene);
}

static void meshes_are_columns(void) {
  /* A square of two triangles, and a ball 0.25 deep in it. */
  const float vertices[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  int32_t indices[6] = {0, 1, 2, 0, 2, 3};
  const int64_t vertex_offsets[2] = {0, 4}, triangle_offsets[2] = {0, 2};
  const int32_t geometry = 0, id = 1;
  const float center[3] = {0, 0, 0}, level[4] = {0, 0, 0, 1}, radius = 0.5f;
  const float ball[3] = {0.75f, 0.25f, 0.25f};
  uint8_t kind = 0;
  int32_t row = -1;
  widephase_array parts;
  widephase_scene* scene = NULL;

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  OK(widephase_scene_set(scene, "meshes.vertices", WIDEPHASE_FLOAT32, vertices, 4, 12));
  OK(widephase_scene_set(scene, "meshes.vertex_offsets", WIDEPHASE_INT64, vertex_offsets, 2, 8));
  OK(widephase_scene_set(scene, "meshes.indices", WIDEPHASE_INT32, indices, 2, 12));
  OK(widephase_scene_set(scene, "meshes.triangle_offsets", WIDEPHASE_INT64, triangle_offsets, 2,
                         8));
  OK(widephase_scene_set(scene, "mesh.center", WIDEPHASE_FLOAT32, center, 1, 12));
  OK(widephase_scene_set(scene, "mesh.orientation", WIDEPHASE_FLOAT32, level, 1, 16));
  OK(widephase_scene_set(scene, "mesh.geometry", WIDEPHASE_INT32, &geometry, 1, 4));
  OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, ball, 1, 12));
  OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT32, &radius, 1, 4));
  OK(widephase_scene_locate(scene, &id, 1, &kind, &row));
  EXPECT(kind == WIDEPHASE_KIND_MESH && row == 0);
  OK(widephase_collide(scene, contacts, workspace, NULL));
  OK(widephase_contacts_get(contacts, "part", WIDEPHASE_INT32, &parts));
  EXPECT(parts.rows == 1);
  indices[4] = 4;
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "meshes.indices", 1,
          "meshes.indices[1] names vertex 4; mesh 0 has 4 vertices, counted from 0");
  widephase_scene_destroy(&scene);
}

static void columns_have_names(void) {
  widephase_scene* scene = NULL;
  const char* name;
  int32_t count = 0, scalars = 0;
  widephase_array array;
  char text[64];
  OK(widephase_scene_create(3, WIDEPHASE_MIXED, &scene));
  for (; (name = widephase_scene_column_name(scene, count)) != NULL; ++count) {
    OK(widephase_scene_get(scene, name, &array));
    EXPECT(array.rows == 0 && array.width >= 1 && array.width <= 4);
    scalars += array.width == 1;
    /* All of them can be set by that name, and only by it. */
    OK(widephase_scene_set(scene, name, array.type, NULL, 0, 0));
    strcpy(text, name);
    strcat(text, "s");
    EXPECT(widephase_scene_set(scene, text, array.type, NULL, 0, 0) == WIDEPHASE_INVALID);
  }
  /* 11 kinds with 8 tags each; 2, 3, 2, 4, 4, 5, 2, 4, 5, 3 and 4 columns of their own; 18 others. */
  EXPECT(count == 11 * 8 + 38 + 18);
  EXPECT(scalars > 11 * 8);
  EXPECT(strcmp(widephase_scene_column_name(scene, 0), "sphere.center") == 0);
  EXPECT(widephase_scene_column_name(scene, -1) == NULL);
  OK(widephase_scene_get(scene, "sphere.center", &array));
  EXPECT(array.type == WIDEPHASE_FLOAT64 && array.width == 3);
  OK(widephase_scene_get(scene, "sphere.radius", &array));
  EXPECT(array.type == WIDEPHASE_FLOAT32 && array.width == 1);
  widephase_scene_destroy(&scene);
}

static void wrong_arguments_are_named(void) {
  widephase_scene* scene = NULL;
  widephase_geometries* geometries = NULL;
  widephase_contacts* fresh = NULL;
  widephase_options options;
  widephase_array array = {{NULL, NULL, NULL, NULL}, 1, 4, 2, WIDEPHASE_FLOAT32};
  const float numbers[8] = {0, 0, 0, 1, 1, 1, 2, 2};
  const int32_t pair[2] = {0, 0};
  uint8_t flag = 0;
  int32_t number = 0;

  REFUSED(widephase_scene_create(4, WIDEPHASE_FLOAT, &scene), "dimension", -1,
          "dimension is 4; expected 2 or 3");
  REFUSED(widephase_scene_create(3, 0, &scene), "precision", -1,
          "precision is 0; expected WIDEPHASE_FLOAT, WIDEPHASE_DOUBLE or WIDEPHASE_MIXED");
  REFUSED(widephase_geometries_create(3, WIDEPHASE_MIXED, &geometries), "precision", -1,
          "precision is 3; expected WIDEPHASE_FLOAT or WIDEPHASE_DOUBLE");
  EXPECT(scene == NULL && geometries == NULL);
  REFUSED(widephase_scene_create(3, WIDEPHASE_FLOAT, NULL), "scene", -1, "scene is NULL");

  OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  REFUSED(widephase_scene_set(scene, "sphere.centre", WIDEPHASE_FLOAT32, numbers, 1, 12),
          "sphere.centre", -1,
          "sphere.centre is not a column of a 3D scene; there are sphere.center, sphere.radius, "
          "sphere.world, sphere.category, sphere.mask, sphere.owner, sphere.fixed, sphere.margin, "
          "sphere.key, sphere.body");
  REFUSED(widephase_scene_set(scene, "circle.center", WIDEPHASE_FLOAT32, numbers, 1, 12),
          "circle.center", -1,
          "circle.center is not a column of a 3D scene; it has sphere, capsule, aabb, box, hull, "
          "cylinder, halfspace, ellipsoid, cone, heightfield, mesh, excluded, excluded_owners, "
          "excluded_bodies, bodies, hulls, heightfields, meshes");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT64, numbers, 1, 12),
          "sphere.center", -1, "sphere.center is given as float64; it must be float32");
  REFUSED(widephase_scene_set(scene, "sphere.center", 17, numbers, 1, 12), "sphere.center", -1,
          "sphere.center is given as type 17; it must be float32");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, numbers, -1, 12),
          "sphere.center", -1, "sphere.center is given with -1 rows; expected 0 or more");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, NULL, 1, 12),
          "sphere.center", -1, "sphere.center is given with 1 rows and is NULL");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, numbers, 1, 13),
          "sphere.center", -1,
          "sphere.center is given with addresses or a stride (13 bytes) that are not a multiple of 4");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, (const char*)numbers + 1,
                              1, 12),
          "sphere.center", -1,
          "sphere.center is given with addresses or a stride (12 bytes) that are not a multiple of 4");
  REFUSED(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, numbers, 2, 4),
          "sphere.center", -1,
          "sphere.center is given with a stride of 4 bytes, but a row has 12; rows must not "
          "overlap (a stride of 0 repeats one)");
  REFUSED(widephase_scene_set_array(scene, "sphere.center", &array), "sphere.center", -1,
          "sphere.center is given with 2 numbers a row; it has 3");
  REFUSED(widephase_scene_set_array(scene, "sphere.center", NULL), "array", -1, "array is NULL");
  REFUSED(widephase_scene_set(scene, NULL, WIDEPHASE_FLOAT32, numbers, 1, 12), "name", -1,
          "name is NULL");
  REFUSED(widephase_scene_set(NULL, "sphere.center", WIDEPHASE_FLOAT32, numbers, 1, 12), "scene",
          -1, "scene is NULL");
  REFUSED(
      widephase_scene_get(scene, "sphere", &array), "sphere", -1,
      "sphere is not a column of a 3D scene; there are sphere.center, sphere.radius, sphere.world, "
      "sphere.category, sphere.mask, sphere.owner, sphere.fixed, sphere.margin, sphere.key, "
      "sphere.body");
  REFUSED(
      widephase_scene_first_id(scene, "polygon", &number), "polygon", -1,
      "polygon is not a column of a 3D scene; it has sphere, capsule, aabb, box, hull, cylinder, "
      "halfspace, ellipsoid, cone, heightfield, mesh, excluded, excluded_owners, excluded_bodies, "
      "bodies, hulls, heightfields, meshes");
  REFUSED(widephase_scene_shape_count(scene, NULL), "count", -1, "count is NULL");
  REFUSED(widephase_scene_world_count(NULL, &number), "scene", -1, "scene is NULL");
  EXPECT(widephase_scene_column_name(NULL, 0) == NULL);

  OK(widephase_geometries_create(3, WIDEPHASE_DOUBLE, &geometries));
  REFUSED(widephase_scene_set_geometries(scene, geometries), "geometries", -1,
          "geometries are of another dimension or precision; the scene's are of 3D in float32");
  REFUSED(widephase_geometries_add(geometries, WIDEPHASE_FLOAT32, numbers, 2, 12, &number),
          "points", -1, "points is given as float32; it must be float64");
  REFUSED(widephase_geometries_add(geometries, WIDEPHASE_FLOAT64, numbers, 2, 24, NULL), "index",
          -1, "index is NULL");
  REFUSED(widephase_geometries_add(NULL, WIDEPHASE_FLOAT64, numbers, 2, 24, &number), "geometries",
          -1, "geometries is NULL");
  widephase_geometries_destroy(&geometries);

  /* Columns of a kind that do not fit together, seen by the call. */
  OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT32, numbers, 2, 12));
  OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT32, numbers, 1, 4));
  REFUSED(widephase_collide(scene, contacts, workspace, NULL), "sphere.radius", -1,
          "sphere.radius has 1 rows, but sphere.center has 2");
  OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT32, numbers, 2, 4));
  REFUSED(widephase_collide_pairs(scene, pair, 1, contacts, workspace, NULL), "pairs", 0,
          "pairs[0] names shape 0 twice; a shape does not meet itself");
  REFUSED(widephase_collide_pairs(scene, NULL, 1, contacts, workspace, NULL), "pairs", -1,
          "pairs is NULL");
  REFUSED(widephase_collide_pairs(scene, pair, -1, contacts, workspace, NULL), "pairs", -1,
          "pairs has -1 rows; a count is 0 or more");
  REFUSED(widephase_test_pairs(scene, pair, 1, NULL, workspace, NULL), "is_contact", -1,
          "is_contact is NULL");
  REFUSED(widephase_any_contact(scene, &flag, 0, workspace, NULL), "is_contact", -1,
          "is_contact has 0 entries; the scene has 1 worlds, so give it as many or more");

  /* NULL for a handle. */
  REFUSED(widephase_collide(NULL, contacts, workspace, NULL), "scene", -1, "scene is NULL");
  REFUSED(widephase_collide(scene, NULL, workspace, NULL), "contacts", -1, "contacts is NULL");
  REFUSED(widephase_collide(scene, contacts, NULL, NULL), "workspace", -1, "workspace is NULL");
  REFUSED(widephase_tracker_collide(NULL, scene, contacts, workspace, NULL), "tracker", -1,
          "tracker is NULL");
  REFUSED(widephase_tracker_forget(NULL, NULL, 0), "tracker", -1, "tracker is NULL");
  REFUSED(widephase_static_scene_build(NULL, scene, workspace, NULL), "static_scene", -1,
          "static_scene is NULL");
  REFUSED(widephase_static_scene_collide(NULL, scene, contacts, workspace, NULL), "static_scene",
          -1, "static_scene is NULL");
  REFUSED(widephase_pair_distances(scene, pair, 0, NULL, workspace, NULL), "distances", -1,
          "distances is NULL");
  REFUSED(widephase_min_distance(scene, NULL, workspace, NULL), "distances", -1,
          "distances is NULL");
  array = widephase_rows(WIDEPHASE_FLOAT32, NULL, 0, 3, 12);
  REFUSED(widephase_support_points(scene, NULL, &array, NULL, workspace, NULL), "support", -1,
          "support is NULL");
  REFUSED(widephase_support_points(scene, NULL, NULL, NULL, workspace, NULL), "directions", -1,
          "directions is NULL");
  REFUSED(widephase_contacts_get(NULL, "depth", WIDEPHASE_FLOAT32, &array), "contacts", -1,
          "contacts is NULL");
  REFUSED(widephase_contacts_hash(contacts, NULL), "hash", -1, "hash is NULL");

  /* Columns of answers. */
  OK(widephase_contacts_create(&fresh));
  REFUSED(widephase_contacts_get(fresh, "depth", WIDEPHASE_FLOAT32, &array), "contacts", -1,
          "contacts holds nothing yet; a call must write it first");
  OK(widephase_collide(scene, fresh, workspace, NULL));
  REFUSED(widephase_contacts_get(fresh, "depth", WIDEPHASE_FLOAT64, &array), "contacts.depth", -1,
          "contacts.depth is asked for as float64; it is float32");
  EXPECT(array.rows == 0 && array.planes[0] == NULL);
  REFUSED(widephase_contacts_get(fresh, "depths", WIDEPHASE_FLOAT32, &array), "contacts.depths", -1,
          "contacts.depths is not there; there are pair, source, normal, depth, status, offset, "
          "point, point_depth, feature, part, world_offset");
  REFUSED(widephase_contacts_get(fresh, "depth", WIDEPHASE_FLOAT32, NULL), "array", -1,
          "array is NULL");
  widephase_contacts_destroy(&fresh);

  /* A destroyed handle is NULL, and destroyed twice does nothing. */
  widephase_contacts_destroy(&fresh);
  widephase_contacts_destroy(NULL);
  REFUSED(widephase_collide(scene, fresh, workspace, NULL), "contacts", -1, "contacts is NULL");

  /* Options. */
  memset(&options, 0, sizeof options);
  REFUSED(widephase_collide(scene, contacts, workspace, &options), "options.struct_size", -1,
          "options.struct_size is 0; widephase_options_init(options, sizeof *options) sets it");
#define WRONG_OPTION(field, value, message)                                               \
  widephase_options_init(&options, sizeof options);                                       \
  options.field = value;                                                                  \
  REFUSED(widephase_collide(scene, contacts, workspace, &options), "options." #field, -1, \
          "options." #field " " message)
  WRONG_OPTION(order, 4, "is 4; expected 0 to 3");
  WRONG_OPTION(method, -1, "is -1; expected 0 to 2");
  WRONG_OPTION(isa, 6, "is 6; expected 0 to 5");
  WRONG_OPTION(threads, -2, "is -2; expected 0 or more");
  WRONG_OPTION(max_pairs, -2, "is -2; expected -1 or a count");
  WRONG_OPTION(max_contacts, -3, "is -3; expected -1 or a count");
  WRONG_OPTION(max_points, -4, "is -4; expected -1 or a count");
  widephase_options_init(&options, sizeof options);
  options.world_mask_count = 1;
  REFUSED(widephase_collide(scene, contacts, workspace, &options), "options.world_mask", -1,
          "options.world_mask is NULL");
  widephase_options_init(&options, sizeof options);
  options.margin = -1;
  REFUSED(widephase_collide(scene, contacts, workspace, &options), "margin", -1,
          "margin is -1; it must be finite and >= 0");
  widephase_options_init(NULL, 0);
  widephase_scene_destroy(&scene);
}

int main(void) {
  EXPECT(strcmp(widephase_version(), WIDEPHASE_VERSION) == 0);
  EXPECT(strcmp(widephase_error_message(), "") == 0 && strcmp(widephase_error_array(), "") == 0);
  EXPECT(widephase_error_row() == -1);
  OK(widephase_workspace_create(&workspace));
  OK(widephase_contacts_create(&contacts));
  spheres_in_structures();
  polygons_and_planes();
  hulls_on_the_ground();
  smooth_shapes();
  bodies_carry_shapes();
  columns_have_names();
  height_fields_are_columns();
  meshes_are_columns();
  wrong_arguments_are_named();
  widephase_contacts_destroy(&contacts);
  widephase_workspace_destroy(&workspace);
  if (failures > 0) printf("%d failures\n", failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
