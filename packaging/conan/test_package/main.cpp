// Two spheres of radius 1, centres 1.5 apart, overlap by 0.5.
#include <widephase/widephase.hpp>

int main() {
  widephase::SceneColumns<3, double> scene;
  scene.spheres.center = {{0, 0, 0}, {0, 1.5, 0}};
  scene.spheres.radius = {1, 1};
  widephase::ContactBuffer<3, double> contacts;
  widephase::Workspace<3, double> workspace;
  widephase::collide(scene, contacts, workspace);
  return contacts.size() == 1 && contacts.depth[0] == 0.5 ? 0 : 1;
}
