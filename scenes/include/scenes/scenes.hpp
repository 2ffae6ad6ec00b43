#pragma once

// Scenes to measure and to test with, each made by a name, a count and a seed: the same bits on
// every machine, for every compiler.

#include <cstdint>
#include <span>
#include <string_view>

#include <widephase/scene.hpp>

namespace widephase::scenes {

struct Generator {
  std::string_view name;
  std::string_view text;  ///< what it makes, in a line
  bool is_in_2d;
  bool is_in_3d;
  std::size_t world_size = 0;  ///< bodies a world where no number of worlds is asked for; 0: all

  bool is_in(int dimension) const { return dimension == 2 ? is_in_2d : is_in_3d; }
};

/// All of them, in the order in which they are shown.
std::span<const Generator> generators();

/// Null where none has the name.
const Generator* find_generator(std::string_view name);

struct Recipe {
  std::size_t count = 0;  ///< bodies; floors and walls come on top
  std::uint64_t seed = 1;
  std::size_t worlds = 0;  ///< as many scenes of count / worlds bodies each; 0: the generator's own
};

/// The scene. Throws `Error` for a name that no generator of the dimension has, and for more worlds
/// than bodies.
template <int D, class T>
SceneColumns<D, T> generate(std::string_view name, const Recipe& recipe);

/// The side of the square or cube in which `uniform` puts `count` bodies.
template <int D>
double uniform_side(std::size_t count);

/// The hash of every column, lengths included; alike on every machine.
template <int D, class T>
std::uint64_t hash(const SceneColumns<D, T>& scene);

}  // namespace widephase::scenes
