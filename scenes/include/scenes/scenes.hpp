#pragma once

// Scenes for measurements and tests, defined by a name, a count and a seed. They have the same bits
// on every machine and with every compiler.

#include <cstdint>
#include <span>
#include <string_view>

#include <widephase/scene.hpp>

namespace widephase::scenes {

struct Generator {
  std::string_view name;
  std::string_view text;  ///< a line about what it generates
  bool is_in_2d;
  bool is_in_3d;
  std::size_t world_size = 0;  ///< bodies per world if the recipe names no number of worlds; 0: all

  bool is_in(int dimension) const { return dimension == 2 ? is_in_2d : is_in_3d; }
};

/// All generators, in the order in which they are listed.
std::span<const Generator> generators();

/// Null if no generator has the name.
const Generator* find_generator(std::string_view name);

struct Recipe {
  std::size_t count = 0;  ///< the number of bodies, without floors and walls
  std::uint64_t seed = 1;
  std::size_t worlds = 0;  ///< worlds of count / worlds bodies each; 0: the generator's own number
};

/// Generates a scene. Throws `Error` if no generator of the dimension has the name, or if there are
/// more worlds than bodies.
template <int D, class T>
SceneColumns<D, T> generate(std::string_view name, const Recipe& recipe);

/// The side of the square or cube in which `uniform` puts `count` bodies.
template <int D>
double uniform_side(std::size_t count);

/// A hash of every column, with their lengths; the same on every machine.
template <int D, class T>
std::uint64_t hash(const SceneColumns<D, T>& scene);

}  // namespace widephase::scenes
