#include "support/hull_clouds.hpp"

#include <cstdint>
#include <fstream>
#include <utility>

namespace widephase::test {

std::vector<Vertices3> read_clouds(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Vertices3> clouds;
  std::uint32_t count = 0;
  while (file.read(reinterpret_cast<char*>(&count), sizeof count)) {
    Vertices3 cloud(count);
    for (Vertex3& p : cloud) {
      float numbers[3];
      file.read(reinterpret_cast<char*>(numbers), sizeof numbers);
      p = {numbers[0], numbers[1], numbers[2]};
    }
    clouds.push_back(std::move(cloud));
  }
  return clouds;
}

}  // namespace widephase::test
