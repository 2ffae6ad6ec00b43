// The polytope that EPA grows: its nearest face, its vertices and the neighbours of its faces,
// against loops over all of them. It grows until its planes have been packed. Only one lane; other
// tests compare the instruction sets.

#define WIDEPHASE_ISA_scalar 1
#include "kernels/core/support/polytope3.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace widephase::test {
namespace {

template <class T>
PolytopeVertex<T> vertex_at_point(const Vec<T, 3>& point) {
  return {point, point, {{0, 0, 0}}, 0, 0};
}

template <class T>
int nearest_by_loop(const Polytope3<T>& polytope) {
  int best = -1;
  for (int at = 0; at < polytope.face_count; ++at) {
    const T here = polytope.distance(at);
    if (here < (best < 0 ? Polytope3<T>::none : polytope.distance(best))) best = at;
  }
  return best;
}

/// Each side of a face is, the other way round, the side of the face beside it.
template <class T>
void expect_closed(const Polytope3<T>& polytope) {
  for (int at = 0; at < polytope.face_count; ++at) {
    if (!(polytope.distance(at) < Polytope3<T>::none)) continue;
    const auto& face = polytope.face[at];
    for (int k = 0; k < 3; ++k) {
      const auto& other = polytope.face[face.beside[k] >> 2];
      const int m = face.beside[k] & 3;
      EXPECT_EQ(other.vertex[m], face.vertex[(k + 1) % 3]);
      EXPECT_EQ(other.vertex[(m + 1) % 3], face.vertex[k]);
      EXPECT_EQ(other.beside[m], face_side(at, k));
    }
  }
}

template <class T>
void expect_vertices(const Polytope3<T>& polytope) {
  for (int v = 0; v < polytope.vertex_count; ++v) {
    PolytopeVertex<T> w = polytope.vertex[v];
    EXPECT_TRUE(polytope.has(w)) << v;
    for (int k = 0; k < 3; ++k) {
      w.point = polytope.vertex[v].point;
      w.point[k] += T(0.0001);
      EXPECT_FALSE(polytope.has(w)) << v;
    }
  }
  EXPECT_FALSE(polytope.has(vertex_at_point<T>({{0, 0, 0}})));
}

template <class T>
void grow_in_a_ball() {
  constexpr int kVertices = 300;
  const auto polytope = std::make_unique<Polytope3<T>>(Vec<T, 3>{{0, 0, 0}});
  // Four equal faces: the first one is the nearest.
  const T corners[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  for (const T(&p)[3] : corners) {
    polytope->vertex[polytope->vertex_count++] =
        vertex_at_point<T>({{p[0] / 2, p[1] / 2, p[2] / 2}});
  }
  constexpr FirstTriangles<4> kFaces({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
  constexpr FirstTriangles<4> kMirrored({{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
  polytope->begin(kFaces);
  if (!(polytope->distance(0) > 0)) polytope->begin(kMirrored);
  expect_closed(*polytope);
  while (polytope->vertex_count < kVertices) {
    const int nearest = polytope->nearest();
    ASSERT_EQ(nearest, nearest_by_loop(*polytope)) << polytope->vertex_count;
    ASSERT_GE(nearest, 0);
    const PolytopeVertex<T> w = vertex_at_point<T>(polytope->face[nearest].normal);
    ASSERT_FALSE(polytope->has(w));
    polytope->vertex[polytope->vertex_count++] = w;
    ASSERT_TRUE(polytope->expand(nearest, w, 4 * kRounding<T>)) << polytope->vertex_count;
    if (polytope->vertex_count % 16 == 0) {
      expect_closed(*polytope);
      expect_vertices(*polytope);
    }
  }
  // Faces that are left out are none.
  for (int left = polytope->face_count; left > 0; --left) {
    const int nearest = polytope->nearest();
    ASSERT_EQ(nearest, nearest_by_loop(*polytope));
    if (nearest < 0) break;
    polytope->leave_out(nearest);
  }
  EXPECT_LT(polytope->nearest(), 0);
  // What begins anew has none of the old faces.
  polytope->remove_faces();
  EXPECT_LT(polytope->nearest(), 0);
  polytope->vertex_count = 4;
  polytope->begin(kFaces);
  EXPECT_EQ(polytope->nearest(), nearest_by_loop(*polytope));
}

TEST(polytope_faces, the_nearest_is_that_of_a_loop) {
  grow_in_a_ball<float>();
  grow_in_a_ball<double>();
}

}  // namespace
}  // namespace widephase::test
