#pragma once

// The columns of what is found of robots, described once as those of other answers (answers.hpp).

#include <widephase/answers.hpp>
#include <widephase/robot_distances.hpp>

namespace widephase {

/// Calls `visit(field, column)` for each column of pairs.
template <class Visit>
void for_each_answer(const Visit& visit, const RobotPairs& pairs) {
  visit(AnswerField{"link", "n", "links of the robot; -1 for a shape without one"}, pairs.link);
  visit(AnswerField{"shape", "n", "ids of the robot's shapes; -1: no pair"}, pairs.shape);
  visit(AnswerField{"obstacle", "n", "ids of the environment; -1: the robot meets itself"},
        pairs.obstacle);
  visit(AnswerField{"other_link", "n", "links of other_shape"}, pairs.other_link);
  visit(AnswerField{"other_shape", "n", "ids of the robot's shapes; -1: an obstacle"},
        pairs.other_shape);
}

/// The same of contacts, whose pairs come first.
template <class Visit>
void for_each_answer(const Visit& visit, const RobotContacts& contacts) {
  for_each_answer(visit, static_cast<const RobotPairs&>(contacts));
  visit(AnswerField{"configuration", "c", "rows of q, ascending"}, contacts.configuration);
  visit(AnswerField{"normal", "c", "unit vectors from the robot's shape to the other"},
        contacts.normal);
  visit(AnswerField{"depth", "c", "lengths: below 0 for what is apart"}, contacts.depth);
  visit(AnswerField{"offset", "c + 1", "contact i has the points offset[i] to offset[i + 1] - 1"},
        contacts.offset);
  visit(AnswerField{"point", "k", "positions on the robot's shape, in the world"}, contacts.point);
  visit(AnswerField{"point_depth", "k", "lengths: the depth at the point"}, contacts.point_depth);
}

/// The same of distances, whose pairs come first.
template <class Visit>
void for_each_answer(const Visit& visit, const RobotDistances& distances) {
  for_each_answer(visit, static_cast<const RobotPairs&>(distances));
  visit(AnswerField{"distance", "n", "lengths; below 0 for what overlaps"}, distances.distance);
  visit(AnswerField{"normal", "n", "unit vectors from the robot's shape to the other"},
        distances.normal);
  visit(AnswerField{"point_a", "n", "positions on the robot's shape"}, distances.point_a);
  visit(AnswerField{"point_b", "n", "positions on the other"}, distances.point_b);
  visit(AnswerField{"gradient", "n * values", "how fast the distance grows with each value", true},
        distances.gradient);
}

}  // namespace widephase
