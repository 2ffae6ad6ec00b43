// Another project's program: two circles of radius 1, centres 1 apart, overlap by 1.
#include <cstdio>
#include <widephase/widephase.hpp>

int main() {
  widephase::SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {1, 0}};
  scene.circles.radius = {1, 1};
  widephase::ContactBuffer<2, float> contacts;
  widephase::Workspace<2, float> workspace;
  widephase::collide<2, float>(scene, contacts, workspace);
  std::printf("%zu contact, depth %g\n", contacts.size(), double(contacts.depth[0]));
  return contacts.size() == 1 && contacts.depth[0] == 1 ? 0 : 1;
}
