#pragma once

/* What the lines of C in README and docs/ take as given; they are compiled and not run. */

#include <stdint.h>
#include <stdio.h>
#include <widephase/widephase.h>

struct ball_of_context {
  double mass;
  float position[3];
  float radius;
};
extern struct ball_of_context balls[1000];
extern int64_t count;
extern widephase_scene* scene;
extern widephase_contacts* contacts;
extern widephase_workspace* workspace;
extern widephase_array depth;
