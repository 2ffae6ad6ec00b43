#pragma once

// What the robot readers share: collects shapes in frames and makes a scene of them.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "tools/formats/scene_file.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

/// The columns of a shape besides its geometry.
struct ShapeTags {
  std::int32_t body = -1;
  std::int32_t owner = -1;
  std::uint8_t fixed = 0;
  std::uint32_t category = 1;
  std::uint32_t mask = ~std::uint32_t{0};
  std::string name;  ///< empty: none
};

/// The names of a scene's shapes and bodies, as indices into the distinct ones; 0 is none.
struct RobotNames {
  std::shared_ptr<std::vector<std::string>> distinct =
      std::make_shared<std::vector<std::string>>(1);
  std::array<std::vector<std::int32_t>, kKindCount> shapes;  ///< by kind and row
  std::vector<std::int32_t> bodies;

  /// Follows `replicate`: shapes of world -1 once, before the `count` copies of the others.
  void repeat(const SceneColumns<3, double>& scene, std::size_t count);
};

/// A few words of a file can multiply copies or lists: these limits are checked before memory is
/// filled.
inline constexpr std::size_t kMostRobotShapes = 100'000'000;
inline constexpr std::size_t kMostExcluded = 100'000'000;

/// Collects shapes in the order of a file. The scene groups them by kind, so ids are known only
/// after all shapes are added.
class RobotScene {
 public:
  /// Each returns the shape's number: 0, 1, ... over all kinds.
  std::size_t add_sphere(const Vector3& center, double radius, const ShapeTags& tags);
  std::size_t add_capsule(const Vector3& a, const Vector3& b, double radius, const ShapeTags& tags);
  std::size_t add_box(const Frame3& frame, const Vector3& half_extents, const ShapeTags& tags);
  std::size_t add_cylinder(const Frame3& frame, double half_height, double radius,
                           const ShapeTags& tags);
  std::size_t add_cone(const Frame3& frame, double half_height, double radius,
                       const ShapeTags& tags);
  std::size_t add_ellipsoid(const Frame3& frame, const Vector3& half_extents,
                            const ShapeTags& tags);
  /// `geometry` is an index of `hulls`.
  std::size_t add_hull(const Frame3& frame, std::int32_t geometry, const ShapeTags& tags);
  GeometryTable<Owned<3, double>>& hulls() { return scene_.geometries; }
  /// `geometry` is an index of `heightfields`.
  std::size_t add_heightfield(const Frame3& frame, std::int32_t geometry, const ShapeTags& tags);
  HeightfieldTable<Owned<3, double>>& heightfields() { return scene_.heightfield_geometries; }
  /// `geometry` is an index of `meshes`.
  std::size_t add_mesh(const Frame3& frame, std::int32_t geometry, const ShapeTags& tags);
  MeshTable<Owned<3, double>>& meshes() { return scene_.mesh_geometries; }
  /// Solid below the plane of the frame's x and y axes.
  std::size_t add_halfspace(const Frame3& frame, const ShapeTags& tags);
  std::int32_t add_body(const Frame3& frame, const std::string& name = {});
  /// No shape of `some` collides with a shape of `others`; both hold shape numbers. Returns false
  /// and changes nothing if there would be more than `kMostExcluded` pairs in all.
  [[nodiscard]] bool exclude(const std::vector<std::size_t>& some,
                             const std::vector<std::size_t>& others);

  /// Takes pairs of shape numbers back from those that never collide, in either order.
  void allow(const std::vector<std::array<std::size_t, 2>>& pairs);

  std::size_t shape_count() const { return kinds_.size(); }
  SceneColumns<3, double> take();
  const RobotNames& names() const { return names_; }

 private:
  struct Shape {
    Kind kind;
    std::int32_t row;
  };
  template <class Table>
  std::size_t add_round(Table& table, const Frame3& frame, double half_height, double radius,
                        const ShapeTags& tags);
  template <class Table>
  std::size_t add_tags(Table& table, const ShapeTags& tags);
  template <class Table>
  std::size_t add_instance(Table& table, const Frame3& frame, std::int32_t geometry,
                           const ShapeTags& tags);

  std::int32_t index_of(const std::string& name);

  SceneColumns<3, double> scene_;
  RobotNames names_;
  std::map<std::string, std::int32_t, std::less<>> known_names_{{"", 0}};
  std::vector<Shape> kinds_;
  std::vector<std::array<std::uint32_t, 2>> excluded_;
};

/// Columns that only hold their default are left out. Throws a `FileError` if the scene is not
/// valid: even if all numbers of a file are finite, their sums may not be.
SceneFile scene_file_of(const std::string& path, SceneColumns<3, double> scene,
                        const RobotNames& names = {});

}  // namespace widephase::tools
