#pragma once

#include <optional>
#include <string>

#include <widephase/contacts.hpp>
#include <widephase/scene.hpp>

namespace widephase::tools {

struct PictureOptions {
  std::optional<std::int32_t> world;  ///< this one and the shapes of world -1; otherwise all
  std::string title;
  std::optional<std::int64_t> frame = {};  ///< of that world, for the title
};

/// An SVG of the shapes, with contact points and normals. The colour of a shape shows its number of
/// contacts, those of other worlds left out. 2D scenes are seen from above; 3D scenes in an
/// orthographic view, from above and to one side. The shapes of `kept`, if any, have the ids after
/// those of the scene.
template <int D, class T>
std::string picture_of(const SceneColumns<D, T>& scene, const ContactBuffer<D, T>& contacts,
                       const PictureOptions& options, const SceneColumns<D, T>* kept = nullptr);

}  // namespace widephase::tools
