#pragma once

// Contacts with shapes that lie flush with others of their owner, as an instruction set's object
// provides them. Every such object includes this header, so it has no inline function.

#include "kernels/surface_table.hpp"
#include "soa/flush_view.hpp"

namespace widephase {

/// A scene's flush parts among the rows that kernels read.
struct FlushSide {
  FlushView view;
  std::int32_t first[kKindCount + 1];  ///< its own first id of each kind
  std::int32_t shift[kKindCount];      ///< from its own ids to those of the rows
};

/// What the rows of all kinds are, offset so that ids index them; as in `PairRun`.
template <class T>
struct FlushRows {
  const T* rows[kKindCount];
  int row_width[kKindCount];
  const double* anchors[kKindCount];  ///< null unless in mixed precision
  int anchor_width[kKindCount];
  const T* rests;  ///< of hulls or polygons; null if nothing was removed
  const T* library;
  const std::int16_t* indices;
  const T* margins;  ///< by id; null if no shape has its own
  T margin;
  double steadiness;  ///< a contact stays if its solid reaches no farther than this beyond it
  double period[3];   ///< of the domain; 0 along axes that do not wrap
  int side_count;
  FlushSide sides[2];  ///< of the moving scene, and of the kept one
};

/// A shape of a contact.
struct FlushShape {
  Kind kind;
  std::int32_t id;
  std::int32_t part;  ///< of its side; -1: it is none
  int side;
};

/// A contact as the kernel of its kinds found it, A the shape of the lower kind or id.
template <class T, int D>
struct FlushContact {
  FlushShape a, b;
  T normal[D];
  T depth;
  double point[D];  ///< the deepest, on A, from A's anchor
};

template <class T, int D>
struct FlushKernel {
  /// Whether a direction out of a part is that of a face that no neighbour covers: if it is so for
  /// both shapes of a contact that are parts, the contact stays.
  bool (*is_on_open_face)(const FlushRows<T>& rows, const FlushShape& shape, const T* normal);
  /// Whether the parts' solids do not feel a contact as it is. The answer is then another one: one
  /// patch, whose points are relative to A's anchor.
  bool (*replace)(const FlushRows<T>& rows, const FlushContact<T, D>& contact, void* room,
                  SurfacePatch<T, D>& answer);
  std::size_t room_bytes;  ///< aligned to 64
};

/// The kernel of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <class T, int D>
const FlushKernel<T, D>& flush_kernel(Isa isa);

}  // namespace widephase
