#pragma once

#include <widephase/types.hpp>

namespace widephase {

/// A pair with its lower id first.
inline Pair ascending(Pair pair) { return pair.a < pair.b ? pair : Pair{pair.b, pair.a}; }

}  // namespace widephase
