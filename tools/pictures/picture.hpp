#pragma once

#include <optional>
#include <string>

#include <widephase/contacts.hpp>
#include <widephase/scene.hpp>

namespace widephase::tools {

struct PictureOptions {
  std::optional<std::int32_t> world;  ///< only this one and what meets every world; else all
  std::string title;
};

/// An SVG of the shapes, coloured by the number of their contacts, with contact points and
/// normals. 2D from above; 3D in an orthographic view from above and aside.
template <int D, class T>
std::string picture_of(const SceneColumns<D, T>& scene, const ContactBuffer<D, T>& contacts,
                       const PictureOptions& options);

}  // namespace widephase::tools
