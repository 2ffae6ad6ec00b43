#pragma once

// The columns of answers, described once: C's and Python's views, files of contacts and help walk
// them by `for_each_answer`. A column is added by a member of the answer and its line here; the
// test `options` asks for it in C's header and in docs/conventions.md.

#include <string>
#include <string_view>
#include <type_traits>

#include <widephase/casts.hpp>
#include <widephase/contacts.hpp>
#include <widephase/distance.hpp>
#include <widephase/impact.hpp>
#include <widephase/nearest.hpp>
#include <widephase/rays.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

namespace widephase {

/// A column of an answer. Its type is that of the member.
struct AnswerField {
  std::string_view name;     ///< of the member, in C, Python and files: "point_depth"
  std::string_view rows;     ///< how many: "c" contacts, "k" points, "w" worlds, "n" questions
  std::string_view text;     ///< what a row says and in which unit, in one line
  bool is_optional = false;  ///< may have no rows where others have some; files then leave it out
};

/// Calls `visit(field, column)` for each column of contacts, in the order of files.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const ContactBuffer<D, T>& contacts) {
  visit(AnswerField{"pair", "c", "ids of A and B"}, contacts.pair);
  visit(AnswerField{"source", "c", "the pair's place in the list of pairs"}, contacts.source);
  visit(AnswerField{"normal", "c", "unit vectors from A to B"}, contacts.normal);
  visit(AnswerField{"depth", "c",
                    "lengths: moving B by depth * normal separates; below 0: apart by -depth"},
        contacts.depth);
  visit(AnswerField{"status", "c",
                    "0 exact, 1 the direction is not unique, 2 an upper bound, 3 surfaces cross"},
        contacts.status);
  visit(AnswerField{"offset", "c + 1", "contact i has the points offset[i] to offset[i + 1] - 1"},
        contacts.offset);
  visit(
      AnswerField{
          "point", "k",
          "positions on the face of A that meets B, moved by A's radius along the normal; B's are "
          "point - point_depth * normal"},
      contacts.point);
  visit(AnswerField{"point_depth", "k", "lengths: the depth at the point"}, contacts.point_depth);
  visit(AnswerField{"feature", "k", "the feature of A (high half) and of B (low half)"},
        contacts.feature);
  visit(AnswerField{"part", "k",
                    "the triangles (2D: segments) of A and of B that the point is on, -1 for a "
                    "shape without; empty for a scene without surfaces",
                    true},
        contacts.part);
  visit(AnswerField{"world_offset", "w + 1",
                    "with order world: the first contact of each world; else empty", true},
        contacts.world_offset);
}

/// The same of distances.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const DistanceBuffer<D, T>& distances) {
  visit(AnswerField{"distance", "n",
                    "lengths between surfaces; for shapes that overlap minus the depth"},
        distances.distance);
  visit(AnswerField{"normal", "n", "unit vectors from A to B"}, distances.normal);
  visit(AnswerField{"point_a", "n", "positions on A's surface"}, distances.point_a);
  visit(AnswerField{"point_b", "n", "positions on B's surface"}, distances.point_b);
  visit(AnswerField{"feature", "n", "the feature of A (high half) and of B (low half)"},
        distances.feature);
  visit(AnswerField{"status", "n",
                    "0 exact, 1 the direction is not unique, 2 a bound, 3 surfaces cross"},
        distances.status);
}

/// The same of worlds' distances, whose pairs come last.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const WorldDistanceBuffer<D, T>& distances) {
  for_each_answer(visit, static_cast<const DistanceBuffer<D, T>&>(distances));
  visit(AnswerField{"pair", "n", "ids of A and B; (-1, -1) in a world without a pair"},
        distances.pair);
}

/// The same of support points.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const SupportBuffer<D, T>& support) {
  visit(AnswerField{"point", "n", "positions on the surface"}, support.point);
  visit(AnswerField{"feature", "n", "which vertex; 0: the whole shape"}, support.feature);
}

/// The same of contacts that ended.
template <class Visit>
void for_each_answer(const Visit& visit, const EndedContacts& ended) {
  visit(AnswerField{"pair", "e", "ids in the last step"}, ended.pair);
  visit(AnswerField{"key", "e", "keys of A and B"}, ended.key);
  visit(AnswerField{"world", "e", "the world of both"}, ended.world);
  visit(AnswerField{"contact", "e", "the place among last step's contacts"}, ended.contact);
  visit(AnswerField{"kept", "e", "1 for sides of the kept scene"}, ended.kept);
}

/// The same of what a tracker says of the contacts that are there.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const Tracker<D, T>& tracker) {
  visit(AnswerField{"last_contact", "c", "the contact's place in the last step; -1: it begins"},
        tracker.last_contact());
  visit(AnswerField{"last_point", "k", "the point's place in the last step; -1: it is new"},
        tracker.last_point());
}

/// The same of rays.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const RayHits<D, T>& hits) {
  visit(AnswerField{"shape", "n", "ids of the static shapes that are hit, -1 for none"},
        hits.shape);
  visit(AnswerField{"t", "n", "where: origin + t * direction; max_t where nothing is hit"}, hits.t);
  visit(AnswerField{"normal", "n", "unit vectors out of the shapes; zeros where nothing is hit"},
        hits.normal);
  visit(AnswerField{"point", "n", "positions on the shapes; else where the ray ends"}, hits.point);
  visit(AnswerField{"feature", "n", "which feature of the shape is hit"}, hits.feature);
  visit(AnswerField{"status", "n",
                    "0 a surface, 1 started inside, 2 a limit of steps was met, 3 nothing"},
        hits.status);
  visit(AnswerField{"part", "n",
                    "the triangle (2D: segment) that is hit, -1 for shapes without; empty for a "
                    "scene without surfaces",
                    true},
        hits.part);
}

/// The same of shape casts.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const CastHits<D, T>& hits) {
  visit(AnswerField{"shape", "n", "ids of the standing shapes that are hit, -1 for none"},
        hits.shape);
  visit(AnswerField{"t", "n", "how far along the direction; max_t where nothing is hit"}, hits.t);
  visit(AnswerField{"normal", "n", "unit vectors out of the shapes; zeros where nothing is hit"},
        hits.normal);
  visit(AnswerField{"point", "n", "positions on the shapes; zeros where nothing is hit"},
        hits.point);
  visit(AnswerField{"feature", "n", "which feature of the shape is hit"}, hits.feature);
  visit(AnswerField{"status", "n",
                    "0 a surface, 1 overlaps at the start, 2 a limit of steps was met, 3 nothing"},
        hits.status);
  visit(AnswerField{"depth", "n", "of overlaps at the start; else 0"}, hits.depth);
  visit(AnswerField{"part", "n",
                    "the triangle (2D: segment) that is hit, -1 for shapes without; empty for a "
                    "scene without surfaces",
                    true},
        hits.part);
}

/// The same of nearest shapes, k rows per point.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const NearestHits<D, T>& hits) {
  visit(AnswerField{"shape", "n, k", "ids of the static shapes, the nearest first, -1 for none"},
        hits.shape);
  visit(AnswerField{"distance", "n, k",
                    "lengths to the surfaces, negative inside; for none the largest number"},
        hits.distance);
  visit(AnswerField{"normal", "n, k", "unit vectors out of the shapes; zeros for none"},
        hits.normal);
  visit(AnswerField{"point", "n, k", "positions on the shapes' surfaces; zeros for none"},
        hits.point);
}

/// The same of first impacts.
template <class Visit, int D, class T>
void for_each_answer(const Visit& visit, const ImpactHits<D, T>& hits) {
  visit(AnswerField{"pair", "n", "ids of A and B; (-1, -1) where nothing is met"}, hits.pair);
  visit(AnswerField{"t", "n", "when, 0 to 1; 1 where nothing is met"}, hits.t);
  visit(AnswerField{"normal", "n", "unit vectors from A to B at t; zeros where nothing is met"},
        hits.normal);
  visit(AnswerField{"point", "n", "positions on A's surface at t; likewise"}, hits.point);
  visit(AnswerField{"depth", "n", "lengths: of what overlaps at the start; else 0"}, hits.depth);
  visit(AnswerField{"feature", "n", "the feature of A (high half) and of B (low half)"},
        hits.feature);
  visit(AnswerField{"status", "n",
                    "0 they meet, 1 started inside, 2 a limit of steps was met, 3 nothing"},
        hits.status);
  visit(AnswerField{"part", "n",
                    "the triangles (2D: segments) of A and of B where they meet, -1 for shapes "
                    "without; empty for a scene without surfaces",
                    true},
        hits.part);
}

}  // namespace widephase
