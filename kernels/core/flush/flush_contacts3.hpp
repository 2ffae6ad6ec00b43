#pragma once

// Contacts of parts in 3D with shapes and with one another, and the points along the best
// direction.

#include "kernels/core/convex/one_pair3.hpp"
#include "kernels/core/flush/flush_ways3.hpp"

namespace widephase {
namespace {

template <class T>
class FlushContacts : FlushWays3<T> {
 public:
  using Ways = FlushWays3<T>;
  using typename Ways::Solid;
  /// Memory for a contact: the faces that meet, and the neighbours.
  struct Room {
    FacesRoom<T> faces;
    typename Ways::Neighbours beside;
  };

  FlushContacts(const FlushRows<T>& rows, const FlushContact<T, 3>& contact, Room& room)
      : Ways(rows, contact, room.beside), room_(room.faces) {}

  bool replace(SurfacePatch<T>& answer) {
    const bool is_found = this->find_best([&](bool by_a, const Vector& u, const Vector& place) {
      this->try_ways(by_a, u, place, solid(!by_a));
      if (solid(!by_a).part == nullptr) try_other_faces(by_a);
    });
    return is_found && find_points(answer);
  }

 private:
  using typename Ways::Side;
  using Ways::a_;
  using Ways::b_;
  using Ways::best_;
  using Ways::contact_;
  using Ways::image_;
  using Ways::rounding_;
  using Ways::solid;

  /// The normals of faces of a shape that is no part, at a vertex of the part: those at its faces
  /// and edges are tried there.
  void try_other_faces(bool by_a) {
    const Solid &part = solid(by_a), &other = solid(!by_a);
    const auto ask = [&](const Vector& out, double height, T feature) {
      const Vector u = -out;
      const CoreSupport far = part.farthest_along(u);
      const double depth = height + dot(u, far.point) + other.radius;
      if (!(depth < best_.length) || part.find_end(u, rounding_).count > 1) return;
      const double longer = this->climb(part, u, far.point, best_.length - depth);
      this->take(by_a, u, depth, longer, false, far, feature);
    };
    switch (other.core.form) {
      case CoreForm::point:
      case CoreForm::segment:
      case CoreForm::ellipsoid:
        return;
      case CoreForm::box:
      case CoreForm::hull:
        for (int face = 0; face < other.face_count(); ++face) {
          const Vector out = other.face_normal(face);
          ask(out, dot(out, other.face_point(face)), face_feature(T(face)));
        }
        return;
      case CoreForm::cylinder:
      case CoreForm::cone:
        for (int face = 0; face < (other.core.form == CoreForm::cone ? 1 : 2); ++face) {
          const Vector axis = widened(other.core.axis[2]);
          const Vector out = unit_of(face == 1 ? axis : -axis);
          ask(out, dot(out, other.at + (face == 1 ? axis : -axis)), face_feature(T(face)));
        }
        return;
    }
  }

  /// The points along the best direction, by the rule for all cores.
  bool find_points(SurfacePatch<T>& answer) {
    const ShapePair<T> pair{a_.core, b_.core, narrowed<T>(b_.at - a_.at)};
    const T size = size_of(pair), slack = flush_slack(size), rounding = 32 * kRounding<T> * size;
    const double radii = a_.radius + b_.radius;
    const Vec<T, 3> normal = narrowed<T>(best_.normal);
    CoreContact<T> found;
    found.normal = normal;
    found.depth = T(best_.depth - radii);
    const double margin = this->margin();
    found.least_depth = T(-(margin + radii) * (1 + 4 * double(kRounding<T>)));
    found.steadiness = 0;
    const bool is_of_a = best_.side == Side::a;
    const Vector across = scaled(best_.normal, double(found.depth));
    const Vec<T, 3> on_a = narrowed<T>((is_of_a ? best_.point : best_.point + across) - a_.at);
    const Vec<T, 3> on_b = narrowed<T>((is_of_a ? best_.point - across : best_.point) - b_.at);
    const T own = is_of_a ? feature_between(a_.core, &best_.vertex, 1, normal, on_a, rounding)
                          : feature_between(b_.core, &best_.vertex, 1, -normal, on_b, rounding);
    found.deepest = {on_a, found.depth, is_of_a ? own : best_.other_feature,
                     is_of_a ? best_.other_feature : own};
    CoreManifold<T> points{1, {found.deepest}};
    if (a_.core.form != CoreForm::point && b_.core.form != CoreForm::point) {
      find_face(a_.core, normal, slack, &on_a, room_.a);
      find_face(b_.core, -normal, slack, &on_b, room_.b);
      widephase::find_points(room_.a, room_.b, pair.apart, size, found, points, room_, &a_.core,
                             &b_.core);
    }
    // Shapes that are apart stay as far apart.
    const double most = contact_.depth < 0 ? double(contact_.depth) : kInfinite<double>;
    answer.depth = T(best_.depth < most ? best_.depth : most);
    answer.status = 0;
    answer.point_count = points.count;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      answer.normal[k] = T(0) + normal[k];
      sum += double(answer.normal[k]);
    }
    sum += double(answer.depth - answer.depth);
    for (int p = 0; p < points.count; ++p) {
      const CorePoint<T>& from = points.points[p];
      SurfacePoint<T>& to = answer.points[p];
      const Vector at = a_.at + widened(from.on_a) + scaled(best_.normal, a_.radius);
      for (int k = 0; k < 3; ++k) {
        to.offset[k] = at[k] - image_[k];
        sum += at[k] - at[k];
      }
      const double depth = double(from.depth) + radii;
      to.depth = T(depth < most ? depth : most);
      if (!(to.depth >= T(-margin))) to.depth = T(-margin);
      sum += double(to.depth - to.depth);
      to.feature = static_cast<std::uint32_t>(from.feature_a) << 16 |
                   static_cast<std::uint32_t>(from.feature_b);
      to.part = -1;
    }
    return sum - sum == 0;
  }

  FacesRoom<T>& room_;
};

template <class T>
bool replace_contact(const FlushRows<T>& rows, const FlushContact<T, 3>& contact, void* room,
                     SurfacePatch<T>& answer) {
  auto& memory = *new (room) typename FlushContacts<T>::Room;
  return FlushContacts<T>(rows, contact, memory).replace(answer);
}

}  // namespace
}  // namespace widephase
