#pragma once

// Explicit instantiations at the end of a source, for all that scenes, boxes or point sets may be
// made of:
//
//   #define WIDEPHASE_INSTANTIATE(D, T) template struct SceneRows<D, T>;
//   WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

/// `X(D, T)` for each dimension and precision of scenes.
#define WIDEPHASE_FOR_EACH_SCENE(X) \
  X(2, float) X(2, double) X(2, Mixed) X(3, float) X(3, double) X(3, Mixed)

/// `X(D, T)` for each dimension and type of number.
#define WIDEPHASE_FOR_EACH_SPACE(X) X(2, float) X(2, double) X(3, float) X(3, double)

/// `X(T)` for each type of number.
#define WIDEPHASE_FOR_EACH_REAL(X) X(float) X(double)
