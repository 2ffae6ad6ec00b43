#pragma once

#include <optional>
#include <string>

#include <widephase/contacts.hpp>
#include <widephase/scene.hpp>

#include "output_file.hpp"

namespace widephase::tools {

struct PictureOptions {
  std::optional<std::int32_t> world;  ///< only this one and what meets every world; else all
  std::string title;
};

/// An SVG of the shapes, coloured by the number of their contacts, with contact points and
/// normals. 2D from above; 3D in an orthographic view from above and aside.
template <int D, class T>
void write_picture(const SceneColumns<D, T>& scene, const ContactBuffer<D, T>& contacts,
                   const PictureOptions& options, OutputFile& file);

}  // namespace widephase::tools
