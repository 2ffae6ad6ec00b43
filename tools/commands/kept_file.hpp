#pragma once

// What --kept names: a scene that is read once, beside one that is asked about.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include <widephase/static_scene.hpp>

#include "tools/commands/progress.hpp"
#include "tools/formats/contact_sides.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/number_shifts.hpp"
#include "tools/formats/point_sets.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

/// Throws `UsageError` if options leave only pairs with a kept file, and there is none.
inline void check_moving_pairs(const CollideOptions& options, const std::string& kept) {
  if (options.moving_pairs || !kept.empty()) return;
  throw UsageError("--moving-pairs false leaves the pairs with --kept FILE; add it");
}

template <int D, class T>
class KeptFile {
 public:
  /// Reads the file as what `scene`, the columns of `moving`, keeps. As when both are joined, its
  /// owners are numbered on from those of `moving`, and it is in all worlds if it alone names none.
  /// Its point sets become those of both. Tells of worlds.
  void read(const std::string& path, const SceneFile& moving, SceneColumns<D, T>& scene,
            Workspace<D, T>& workspace, const CollideOptions& options, Progress& progress) {
    SceneFile& file = file_.emplace(read_complete_scene(path));
    if (file.dimension() != D) {
      throw FileError(path,
                      fmt::format("is in {}D; {} is in {}D", file.dimension(), moving.path(), D));
    }
    const bool has_worlds = std::ranges::any_of(
        file.arrays(), [](const NamedArray& entry) { return entry.name.ends_with(".world"); });
    const bool is_in_all = names_worlds(moving) && !has_worlds && file.shape_count() > 0;
    if (is_in_all) file.set_world(-1);
    file.to_columns(columns);
    number_on(owner_shift(moving, file));
    give_point_sets(scene, columns);
    CollideOptions wanted;
    wanted.margin = options.margin;
    wanted.threads = options.threads;
    wanted.isa = options.isa;
    try {
      build_static_scene<D, T>(columns, kept_, workspace, wanted);
    } catch (const Error& error) {
      throw FileError(path, said_of(error, file));
    }
    scene.kept = &kept_;
    if (!is_in_all) return;
    progress.finish();
    print_error(printable(all_worlds_note(file, moving.world_count())));
  }

  /// None before `read`.
  const std::optional<SceneFile>& file() const { return file_; }

  SceneColumns<D, T> columns;  ///< what was read; nothing of it is needed any more

 private:
  void number_on(std::int32_t shift) {
    const auto add = [&](std::int32_t& owner) { owner += owner < 0 ? 0 : shift; };
    for_each_table(columns, [&](auto& table) {
      for (std::size_t row = 0; row < table.owner.size(); ++row) add(table.owner[row]);
    });
    for (std::size_t row = 0; row < columns.excluded_owners.size(); ++row) {
      for (int side = 0; side < 2; ++side) add(columns.excluded_owners(row, side));
    }
  }

  std::optional<SceneFile> file_;
  StaticScene<D, T> kept_;
};

}  // namespace widephase::tools
