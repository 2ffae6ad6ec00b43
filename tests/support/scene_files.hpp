#pragma once

// Folders of a test in which scenes are read and written.

#include <string>
#include <vector>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"

#include <widephase/scene.hpp>

namespace widephase::test {

/// Scenes as their files have them.
class SceneFiles : public OwnFolder {
 protected:
  static tools::SceneFile load(const std::string& path) {
    return tools::read_scene(path, tools::detect_format(path), {});
  }
  static tools::SceneFile load_text(const std::string& text) {
    write("scene.json", text);
    return load("scene.json");
  }
  static void save(const tools::SceneFile& scene, const std::string& path) {
    tools::OutputFile file(path);
    tools::write_scene(scene, tools::output_format(path), file);
    file.commit();
  }
  static std::string error_of(const std::string& text) {
    try {
      SceneColumns<3, double> scene;
      load_text(text).to_columns(scene);
    } catch (const tools::FileError& error) {
      return error.what();
    }
    return "no error";
  }
  template <class T>
  static std::vector<T> numbers(const Column<T>& column) {
    return {column.begin(), column.end()};
  }
};

/// Files of other programs, read as valid scenes in 3D.
class ConvertedFiles : public OwnFolder {
 protected:
  static SceneColumns<3, double> load(const std::string& path,
                                      std::vector<std::string>* said = nullptr) {
    std::vector<std::string> notes;
    SceneColumns<3, double> scene;
    tools::read_scene(path, tools::detect_format(path), {}, notes).to_columns(scene);
    EXPECT_TRUE((validate<3, double>(scene).empty())) << path;
    if (said != nullptr) *said = notes;
    return scene;
  }
  static std::string error_of(const std::string& path) {
    try {
      load(path);
    } catch (const tools::FileError& error) {
      return error.what();
    }
    return "no error";
  }
};

}  // namespace widephase::test
