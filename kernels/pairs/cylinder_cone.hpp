#pragma once

#include "kernels/core/smooth/cylinder_cone_frame.hpp"
#include "kernels/pairs/cone_cone.hpp"

namespace widephase {
namespace {

// cylinder_cone: as kernels/pairs/cone_cone.hpp, with directions from the complete list of
// core/smooth/cylinder_cone_frame.hpp.
template <class F>
struct CylinderCone : ConeCone<F, CylinderConePair<F>> {
  using Base = ConeCone<F, CylinderConePair<F>>;
  using Base::b_kind;
  using Base::contact;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::B;
  using typename Base::FirstLook;
  using typename Base::Room;

  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> first{a.turn.column[2], a.half[2], a.half[0]};
    const AboutAxis<F> second{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(line.reach_of(first) + line.reach_of_cone(second, F(-1)),
                         (first.half + first.radius) + (second.half + second.radius));
  }
};

}  // namespace
}  // namespace widephase
