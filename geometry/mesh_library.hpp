#pragma once

#include <vector>

#include <widephase/executor.hpp>
#include <widephase/shapes.hpp>

#include "geometry/mesh_tree.hpp"

namespace widephase {

/// The meshes of a scene as kernels read them.
template <class T>
class MeshLibrary {
 public:
  MeshLibrary() = default;
  MeshLibrary(MeshLibrary&&) = default;  // a copy's views would be of the original
  MeshLibrary& operator=(MeshLibrary&&) = default;

  /// Reads the meshes. One that is as in the last call is kept; where only vertices moved, its
  /// bounds are found anew, and its tree too once it has become half as slow again. Returns false
  /// if a mesh is not valid; the library is then empty.
  bool update(const MeshTable<Borrowed<3, T>>& table, const Threads& threads);

  const MeshView<T>* views() const { return views_.data(); }  ///< by geometry
  std::size_t size() const { return views_.size(); }
  std::size_t bytes() const;
  /// How often a mesh was built, and how often its bounds alone were found anew.
  std::int64_t builds() const { return builds_; }
  std::int64_t refits() const { return refits_; }

 private:
  struct Mesh {
    Column<std::byte> memory;  ///< of all arrays
    std::int64_t given_vertices = 0;
    bool uses_all_vertices = false;
    TileSizes built;
    MeshView<T> beyond;  ///< the mesh with a tree of what is beyond its borders
  };
  enum class Change { none, vertices, all };

  /// What is new of a mesh; `threads` are for large ones.
  Change change_of(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                   const Threads& threads) const;
  /// Whether each corner of a mesh's triangles is at the place of its vertex.
  bool has_its_corners(const MeshTable<Borrowed<3, T>>& table, std::size_t m,
                       const Threads& threads) const;
  /// Whether a mesh keeps its links after its vertices moved, but for triangles that may have lost
  /// their area; its positions are then the new ones.
  bool move_vertices(const MeshTable<Borrowed<3, T>>& table, std::size_t m);
  /// Moves vertices and bounds; false if that is not enough.
  bool refit(const MeshTable<Borrowed<3, T>>& table, std::size_t m, const Threads& threads);
  void build(const MeshTable<Borrowed<3, T>>& table, std::size_t m, const Threads& threads);
  void build_trees(std::size_t m, const Threads& threads);

  std::vector<Mesh> meshes_;
  std::vector<MeshView<T>> views_;
  std::int64_t builds_ = 0, refits_ = 0;
};

}  // namespace widephase
