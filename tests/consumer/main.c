/* Another project's program in C: two circles of radius 1, centres 1 apart, overlap by 1. */
#include <stdio.h>
#include <widephase/widephase.h>

int main(void) {
  const float centers[4] = {0, 0, 1, 0};
  const float radius = 1;
  widephase_scene* scene = NULL;
  widephase_contacts* contacts = NULL;
  widephase_workspace* workspace = NULL;
  widephase_array depth;
  if (widephase_scene_create(2, WIDEPHASE_FLOAT, &scene) != WIDEPHASE_OK ||
      widephase_contacts_create(&contacts) != WIDEPHASE_OK ||
      widephase_workspace_create(&workspace) != WIDEPHASE_OK ||
      widephase_scene_set(scene, "circle.center", WIDEPHASE_FLOAT32, centers, 2, 8) !=
          WIDEPHASE_OK ||
      widephase_scene_set(scene, "circle.radius", WIDEPHASE_FLOAT32, &radius, 2, 0) !=
          WIDEPHASE_OK ||
      widephase_collide(scene, contacts, workspace, NULL) != WIDEPHASE_OK ||
      widephase_contacts_get(contacts, "depth", WIDEPHASE_FLOAT32, &depth) != WIDEPHASE_OK) {
    puts(widephase_error_message());
    return 1;
  }
  printf("%d contact, depth %g\n", (int)depth.rows, *(const float*)depth.planes[0]);
  return depth.rows == 1 && *(const float*)depth.planes[0] == 1 ? 0 : 1;
}
