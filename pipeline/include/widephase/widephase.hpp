#pragma once

/// \file
/// Everything, for C++.

/// \namespace widephase
/// Contacts of many shapes at once. `collide` takes a `Scene` and fills a `ContactBuffer`;
/// docs/guide.md leads to the rest.

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "widephase needs C++20: compile with -std=c++20, or link CMake's target widephase::widephase"
#else
#include <widephase/answers.hpp>
#include <widephase/bodies.hpp>
#include <widephase/bounds_tree.hpp>
#include <widephase/casts.hpp>
#include <widephase/chains.hpp>
#include <widephase/closest.hpp>
#include <widephase/collide.hpp>
#include <widephase/decompose.hpp>
#include <widephase/distance.hpp>
#include <widephase/environment.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>
#include <widephase/impact.hpp>
#include <widephase/learn_allowed.hpp>
#include <widephase/meshes.hpp>
#include <widephase/nearest.hpp>
#include <widephase/notes.hpp>
#include <widephase/options.hpp>
#include <widephase/polygons.hpp>
#include <widephase/rays.hpp>
#include <widephase/robot.hpp>
#include <widephase/robot_answers.hpp>
#include <widephase/robot_distances.hpp>
#include <widephase/robot_motions.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/transforms.hpp>
#include <widephase/version.hpp>
#include <widephase/worlds.hpp>
#endif
