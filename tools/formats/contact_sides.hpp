#pragma once

// What a contact's two shapes are, beyond their ids: for files of contacts, messages and Python.

#include <array>
#include <functional>
#include <optional>
#include <string>

#include <widephase/contacts.hpp>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// The columns that tell the shapes of a kind apart. Borrowed; empty columns have defaults.
struct KindRows {
  std::size_t count = 0;
  ColumnSpan<std::int32_t> world;
  ColumnSpan<std::int64_t> key;
  ColumnSpan<std::int32_t> body;
  const Array* name = nullptr;  ///< of type text; null: no names
};

/// The shapes of a scene, for ids in the order of `Kind`.
struct SceneRows {
  int dimension = 2;
  std::array<KindRows, kKindCount> kinds;
  std::int32_t body_count = 0;
  std::span<const std::int64_t> frames;  ///< of the worlds; empty: unknown

  std::size_t shape_count() const;
};

/// Borrows the file's arrays.
SceneRows rows_of(const SceneFile& file);

/// A shape, found by its id.
struct ShapeRow {
  Kind kind = Kind::sphere;
  std::int32_t row = 0;
  std::int32_t world = 0;
  std::int64_t key = 0;
  std::int32_t body = -1;
  std::string_view name;  ///< empty: none
  bool is_kept = false;
};

/// The shapes of a scene and of the one that it has kept, by the ids of contacts.
struct ShapesById {
  SceneRows moving;
  std::optional<SceneRows> kept;

  /// The id must be in range. Rows, default keys and bodies of kept shapes count on from 0, from 0
  /// and from the moving scene's bodies, as the library says.
  ShapeRow operator[](std::int32_t id) const;
  std::size_t shape_count() const;
  /// "panda_hand"; without a name "sphere 20487", or "sphere 20487 (key 25)" where keys are given.
  std::string word(std::int32_t id) const;
  bool has_names() const;
  bool has_keys() const;
};

/// Both sides of each contact, (A, B).
struct ContactSides {
  /// Whether the columns `frame`, `kept` and `name` are known, with rows or without any contact.
  bool has_frame = false, has_kept = false, has_name = false;
  Column<std::int32_t> world;    ///< of the pair: -1 if both shapes are in every world
  Column<std::int64_t> frame;    ///< of that world, -1 for world -1
  Column<std::uint8_t, 2> kind;  ///< a `Kind`
  Column<std::int32_t, 2> row;   ///< in the table of the kind, of the kept scene if it is kept
  Column<std::int64_t, 2> key;
  Column<std::int32_t, 2> body;  ///< -1: none
  Column<std::uint8_t, 2> kept;  ///< 1: of the kept scene
  Array name;                    ///< (c, 2) texts, empty for none
};

/// Calls `visit(name, column)` for the sides' columns of numbers that are never left out,
/// in the order of files.
template <class Sides, class Visit>
void for_each_side_column(Sides& sides, const Visit& visit) {
  visit("body", sides.body);
  visit("world", sides.world);
  visit("kind", sides.kind);
  visit("row", sides.row);
  visit("key", sides.key);
}

/// "panda_hand", "sphere 20487", "kept box 3": a side of a contact.
std::string word_of(const ContactSides& sides, std::size_t contact, int side, int dimension);

/// "frame 2730 (world 12)", or "world 12" of a scene without numbers of frames.
std::string world_text(std::int32_t world, std::optional<std::int64_t> frame);

ContactSides sides_of(const Column<Pair>& pairs, const ShapesById& shapes);

/// The error's sentence, with the name of the shape or body that its row is, if it has one.
std::string said_of(const Error& error, const SceneFile& scene);

}  // namespace widephase::tools
