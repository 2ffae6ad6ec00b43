#include <cstdio>
#include <widephase/widephase.hpp>

int main() {
  widephase::SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {1.5f, 0}, {4, 0}};
  scene.circles.radius = {1, 1, 1};

  widephase::ContactBuffer<2, float> contacts;
  widephase::Workspace<2, float> workspace;  // keep both: the next step allocates nothing
  widephase::collide(scene, contacts, workspace);

  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::printf("circles %d and %d overlap by %g along (%g, %g)\n", contacts.pair[i].a,
                contacts.pair[i].b, contacts.depth[i], contacts.normal(i, 0),
                contacts.normal(i, 1));
  }
}
