#pragma once

// Files of rays, and of what they hit.

#include <deque>

#include <widephase/rays.hpp>

#include "tools/formats/array.hpp"
#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// The columns of a `.npz` by the names of `RaySpan`, or of a `.csv` under a header line
/// `ox,oy[,oz],dx,dy[,dz][,max_t][,world]` in any order and case.
class RaysFile {
 public:
  /// Throws `FileError` for columns that are missing, unknown or of another dimension.
  RaysFile(const std::string& path, int dimension);

  /// The rays in a scene's precision; the columns belong to this file. One row of a column stands
  /// for all.
  template <int D, class T>
  RaySpan<D, T> rays();

 private:
  template <class N, int W>
  ColumnSpan<N, W> column(std::string_view name, std::size_t rows);
  const NamedArray* find(std::string_view name) const;

  std::string path_;
  std::vector<NamedArray> arrays_;
  std::deque<Array> cast_;
};

/// The columns of `RayHits` by their names.
template <int D, class T>
void write_hits_npz(const RayHits<D, T>& hits, OutputFile& file);
/// One line per ray: shape,t,nx,ny[,nz],px,py[,pz],feature,status[,part].
template <int D, class T>
void write_hits_csv(const RayHits<D, T>& hits, OutputFile& file);
/// The array or column `hit`.
void write_any_npz(const std::vector<std::uint8_t>& hits, OutputFile& file);
void write_any_csv(const std::vector<std::uint8_t>& hits, OutputFile& file);

}  // namespace widephase::tools
