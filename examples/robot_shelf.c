/* A robot arm against a shelf, from C: 48 configurations in one call. The shelf does not move, so
   it is read once and kept. The arm's links are bodies, one set of them in each world: a step
   writes only poses. The answer says which link meets which part of the shelf. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <widephase/widephase.h>

enum { worlds = 48, links = 3, parts = 4 };

static const char* const link_names[links] = {"upper arm", "forearm", "tool"};
static const char* const part_names[parts] = {"left side", "right side", "lower board",
                                              "upper board"};

/* The shelf, in metres. Its table names world -1: it stands in every world. */
static const float shelf_min[parts][3] = {
    {0.7f, 0.3f, 0}, {0.7f, -0.32f, 0}, {0.7f, -0.3f, 0.2f}, {0.7f, -0.3f, 0.6f}};
static const float shelf_max[parts][3] = {
    {1, 0.32f, 0.8f}, {1, -0.3f, 0.8f}, {1, 0.3f, 0.22f}, {1, 0.3f, 0.62f}};
static const int32_t every_world = -1;
/* Shapes of one owner never meet, and each link is an owner, so the shelf has a number of its own.
 */
static const int32_t shelf_owner = links;

/* A link is a capsule in the frame of its joint: two along x, and a tool that hangs down. */
static const float link_a[links][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
static const float link_b[links][3] = {{0.5f, 0, 0}, {0.4f, 0, 0}, {0, 0, -0.15f}};
static const float link_radius[links] = {0.05f, 0.04f, 0.02f};
/* Links that a joint connects overlap there: they never meet, in any world. */
static const int32_t neighbours[2][2] = {{0, 1}, {1, 2}};

/* One row per link and world: its capsule, and the pose of its body. */
static float capsule_a[worlds * links][3], capsule_b[worlds * links][3], radius[worlds * links];
static int32_t world_of[worlds * links], body_of[worlds * links], link_of[worlds * links];
static float position[worlds * links][3], orientation[worlds * links][4];

static void check(widephase_result result) {
  if (result == WIDEPHASE_OK) return;
  fprintf(stderr, "%s\n", widephase_error_message());
  exit(1);
}

static void set(widephase_scene* scene, const char* name, widephase_type type, const void* data,
                int64_t rows, int64_t stride_bytes) {
  check(widephase_scene_set(scene, name, type, data, rows, stride_bytes));
}

/* Forward kinematics: shoulder and elbow turn about the vertical, and the arm is at `height`. */
static void pose(int world, float shoulder, float elbow, float height) {
  float yaw = shoulder, x = 0, y = 0;
  int link;
  for (link = 0; link < links; ++link) {
    const int row = world * links + link;
    if (link == 1) yaw += elbow;
    position[row][0] = x;
    position[row][1] = y;
    position[row][2] = height;
    orientation[row][2] = sinf(yaw / 2); /* x y z w */
    orientation[row][3] = cosf(yaw / 2);
    x += link_b[link][0] * cosf(yaw);
    y += link_b[link][0] * sinf(yaw);
  }
}

/* The shoulder swings from -60 to 60 degrees, a configuration a world. */
static void swing(float elbow, float height) {
  int world;
  for (world = 0; world < worlds; ++world) {
    pose(world, (float)world / (worlds - 1) * 2.1f - 1.05f, elbow, height);
  }
}

/* The arm's capsules have the first ids, in the order of their rows; static shape i has the id
   (number of moving shapes + i). */
static const char* name_of(int32_t id) {
  return id < worlds * links ? link_names[link_of[id]] : part_names[id - worlds * links];
}

/* Says what is valid and seldom meant, such as owners that the arm and the shelf share. */
static void warn(const widephase_scene* scene) {
  widephase_findings* notes = NULL;
  const char* text;
  int64_t i, count = 0;
  check(widephase_findings_create(&notes));
  check(widephase_scene_notes(scene, notes));
  check(widephase_findings_count(notes, &count));
  for (i = 0; i < count; ++i) {
    check(widephase_findings_get(notes, i, NULL, NULL, &text));
    fprintf(stderr, "warning: %s\n", text);
  }
  widephase_findings_destroy(&notes);
}

/* Says which configurations touch, and the first contact of each. */
static void report(const char* motion, const widephase_scene* arm, widephase_contacts* contacts,
                   widephase_workspace* workspace) {
  char touched[worlds + 1];
  int32_t first[worlds][2];
  widephase_array pairs;
  int64_t i;
  int world;
  for (world = 0; world < worlds; ++world) touched[world] = '.';
  touched[worlds] = 0;
  check(widephase_collide(arm, contacts, workspace, NULL));
  check(widephase_contacts_get(contacts, "pair", WIDEPHASE_INT32, &pairs));
  for (i = 0; i < pairs.rows; ++i) {
    const int32_t a = widephase_pair_side(&pairs, i, 0), b = widephase_pair_side(&pairs, i, 1);
    const int32_t moving = a < worlds * links ? a : b;
    world = world_of[moving];
    if (touched[world] == 'x') continue;
    touched[world] = 'x';
    first[world][0] = moving;
    first[world][1] = moving == a ? b : a;
  }
  printf("%-9s %s\n", motion, touched);
  for (world = 0; world < worlds; ++world) {
    if (touched[world] == '.') continue;
    printf("  configuration %d: %s meets %s\n", world, name_of(first[world][0]),
           name_of(first[world][1]));
  }
}

int main(void) {
  widephase_scene *shelf = NULL, *arm = NULL;
  widephase_static_scene* kept = NULL;
  widephase_workspace* workspace = NULL;
  widephase_contacts* contacts = NULL;
  int row, k;
  check(widephase_workspace_create(&workspace));
  check(widephase_contacts_create(&contacts));

  check(widephase_scene_create(3, WIDEPHASE_FLOAT, &shelf));
  set(shelf, "aabb.min", WIDEPHASE_FLOAT32, shelf_min, parts, sizeof shelf_min[0]);
  set(shelf, "aabb.max", WIDEPHASE_FLOAT32, shelf_max, parts, sizeof shelf_max[0]);
  set(shelf, "aabb.world", WIDEPHASE_INT32, &every_world, parts, 0); /* one row repeated */
  set(shelf, "aabb.owner", WIDEPHASE_INT32, &shelf_owner, parts, 0);
  check(widephase_static_scene_create(&kept));
  check(widephase_static_scene_build(kept, shelf, workspace, NULL));
  widephase_scene_destroy(&shelf); /* a static scene borrows nothing */

  for (row = 0; row < worlds * links; ++row) {
    world_of[row] = row / links;
    link_of[row] = row % links;
    body_of[row] = row;
    radius[row] = link_radius[row % links];
    for (k = 0; k < 3; ++k) {
      capsule_a[row][k] = link_a[row % links][k];
      capsule_b[row][k] = link_b[row % links][k];
    }
  }
  check(widephase_scene_create(3, WIDEPHASE_FLOAT, &arm));
  set(arm, "capsule.a", WIDEPHASE_FLOAT32, capsule_a, worlds * links, sizeof capsule_a[0]);
  set(arm, "capsule.b", WIDEPHASE_FLOAT32, capsule_b, worlds * links, sizeof capsule_b[0]);
  set(arm, "capsule.radius", WIDEPHASE_FLOAT32, radius, worlds * links, sizeof radius[0]);
  set(arm, "capsule.world", WIDEPHASE_INT32, world_of, worlds * links, sizeof world_of[0]);
  set(arm, "capsule.body", WIDEPHASE_INT32, body_of, worlds * links, sizeof body_of[0]);
  set(arm, "capsule.owner", WIDEPHASE_INT32, link_of, worlds * links, sizeof link_of[0]);
  set(arm, "excluded_owners", WIDEPHASE_INT32, neighbours, 2, sizeof neighbours[0]);
  set(arm, "bodies.position", WIDEPHASE_FLOAT32, position, worlds * links, sizeof position[0]);
  set(arm, "bodies.orientation", WIDEPHASE_FLOAT32, orientation, worlds * links,
      sizeof orientation[0]);
  check(widephase_scene_set_kept(arm, kept));
  warn(arm);

  /* Stretched, the arm is 0.9 long: it passes between the boards and meets the sides. Folded, it
     is shorter than the way to the shelf. Higher, it passes above all. */
  swing(0, 0.4f);
  report("stretched", arm, contacts, workspace);
  swing(2.2f, 0.4f); /* the scene borrows the poses: nothing to set again */
  report("folded", arm, contacts, workspace);
  swing(0, 1.1f);
  report("raised", arm, contacts, workspace);

  widephase_scene_destroy(&arm);
  widephase_static_scene_destroy(&kept);
  widephase_contacts_destroy(&contacts);
  widephase_workspace_destroy(&workspace);
  return 0;
}
