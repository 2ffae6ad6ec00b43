// Another project's program on several ranks: circles in a row, each of which touches the next one.
#include <cstdio>
#include <widephase/distributed_scene.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::size_t found = 0;
  {
    widephase::SceneColumns<2, float> scene;
    for (int i = 0; i < 10; ++i) {
      scene.circles.center.push_back({static_cast<float>(i), 0});
      scene.circles.radius.push_back(0.5f);
    }
    widephase::DistributedScene<2, float> distributed(MPI_COMM_WORLD);
    distributed.take_whole(scene);
    widephase::ContactBuffer<2, float> contacts, all;
    distributed.step(contacts);
    widephase::gather<2, float>(MPI_COMM_WORLD, contacts, all);
    found = all.size();
  }
  if (rank == 0) std::printf("%zu contacts on %d ranks\n", found, ranks);
  MPI_Finalize();
  return ranks == 2 && found == (rank == 0 ? 9u : 0u) ? 0 : 1;
}
