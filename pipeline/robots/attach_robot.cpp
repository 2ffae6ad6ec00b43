// Robots with shapes that their links carry. An attachment becomes one more link, as if the robot's
// file had it.

#include <algorithm>
#include <cmath>

#include <widephase/bodies.hpp>

#include "pipeline/robots/contact_worlds.hpp"
#include "pipeline/robots/copy_shapes.hpp"
#include "pipeline/rows/pair_filter.hpp"
#include "soa/join_column.hpp"
#include "soa/kind_traits.hpp"
#include "soa/number_text.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

using Shapes = SceneColumns<3, double>;

[[noreturn]] void refuse(const std::string& array, const std::string& message,
                         std::int64_t row = -1) {
  throw Error(Finding{array, row, message});
}

void expect_link(const std::string& array, std::int32_t link, std::size_t links,
                 std::int64_t row = -1) {
  if (is_row(link, links)) return;
  refuse(array, "is " + number(link) + "; the robot has " + number(links) + " links", row);
}

void check(const Attachment& attachment, const RobotLinks& links) {
  if (attachment.name.empty()) refuse("name", "is empty; give the attachment a name");
  if (std::find(links.name.begin(), links.name.end(), attachment.name) != links.name.end()) {
    refuse("name", "is " + attachment.name + ", which a link has; give the attachment another");
  }
  expect_link("link", attachment.link, links.name.size());
  for (std::size_t row = 0; row < attachment.allowed.size(); ++row) {
    expect_link("allowed", attachment.allowed[row], links.name.size(),
                static_cast<std::int64_t>(row));
  }
  if (!is_unit(attachment.turn)) refuse("turn", "is not a quaternion of unit length; normalize it");
  for (const double part : attachment.position) {
    if (!std::isfinite(part))
      refuse("position", "has " + number(part) + "; expected finite numbers");
  }
  for_each_table(attachment.shapes, []<class Table>(const Table& table) {
    const KindTraits traits = traits_of(Table::kind);
    if ((traits.is_unbounded || traits.is_surface) && row_count(table) != 0) {
      refuse("shapes", "have a " + std::string(kind_name(Table::kind, 3)) +
                           "; expected shapes that are convex and have an end");
    }
    if (Table::kind == Kind::aabb && row_count(table) != 0) {
      refuse("shapes", "have an aabb, which can't turn with its link; make it a box");
    }
  });
}

/// Shapes in the frame of a pose, as they are where that frame is.
Shapes moved(Shapes shapes, const std::array<double, 3>& position,
             const std::array<double, 4>& turn) {
  for_each_table(shapes, [](auto& table) {
    table.body.clear();
    table.body.resize(row_count(table), 0);
  });
  shapes.bodies = {};
  shapes.bodies.position.push_back(position);
  shapes.bodies.turn.push_back(turn);
  const SceneSpan<3, double> span = shapes;
  PlacedScene<3, double> placed;
  place<3, double>(span, span.bodies, placed);
  return copy_shapes<double>(placed.scene());
}

/// In the frame of the body that the link is on.
Shapes shapes_on_body(const Attachment& attachment, const RobotLinks& links) {
  Shapes shapes = attachment.shapes;
  shapes.excluded.clear();
  shapes.excluded_owners.clear();
  shapes.excluded_bodies.clear();
  shapes.domain = {};
  const auto link = static_cast<std::size_t>(attachment.link);
  shapes = moved(moved(shapes, attachment.position, attachment.turn), links.position.row(link),
                 links.turn.row(link));
  for_each_table(shapes, [&](auto& table) {
    const std::size_t rows = row_count(table);
    table.world.clear();
    table.key.clear();
    table.fixed.clear();
    table.owner.clear();
    table.body.clear();
    table.owner.resize(rows, static_cast<std::int32_t>(links.name.size()));
    // Links may be of several categories: without one of its own a shape is of all.
    if (table.category.empty()) table.category.resize(rows, ~std::uint32_t{0});
    table.body.resize(rows, links.body[link]);
  });
  return shapes;
}

void add_link(const Attachment& attachment, RobotColumns& robot) {
  RobotLinks& links = robot.links;
  const auto carrier = static_cast<std::size_t>(attachment.link);
  const auto own = static_cast<std::int32_t>(links.name.size());
  // The frame of the link, moved by that of the attachment.
  const std::array<double, 4> q = links.turn.row(carrier), p = attachment.turn;
  const Turn3<double> turn = turn_of<double>(q);
  std::array<double, 3> position = links.position.row(carrier);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) position[j] += attachment.position[k] * turn.column[k][j];
  }
  links.name.push_back(attachment.name);
  links.body.push_back(std::int32_t{links.body[carrier]});
  links.position.push_back(position);
  std::array<double, 4> both{q[3] * p[0] + q[0] * p[3] + q[1] * p[2] - q[2] * p[1],
                             q[3] * p[1] - q[0] * p[2] + q[1] * p[3] + q[2] * p[0],
                             q[3] * p[2] + q[0] * p[1] - q[1] * p[0] + q[2] * p[3],
                             q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2]};
  double square = 0;
  for (const double part : both) square += part * part;
  for (double& part : both) part /= std::sqrt(square);
  links.turn.push_back(both);
  robot.shapes.excluded_owners.push_back({attachment.link, own});
  for (const std::int32_t allowed : attachment.allowed) {
    if (allowed != attachment.link) robot.shapes.excluded_owners.push_back({allowed, own});
  }
}

void attach(const Attachment& attachment, RobotColumns& robot) {
  check(attachment, robot.links);
  if (const auto findings = validate<3, double>(attachment.shapes); !findings.empty()) {
    throw Error(findings.front());
  }
  const Shapes more = shapes_on_body(attachment, robot.links);
  robot.shapes = with_shapes(robot.shapes, more);
  add_link(attachment, robot);
}

}  // namespace

Robot Robot::attached(const Attachment& attachment) const {
  RobotColumns columns = *columns_;
  attach(attachment, columns);
  Robot robot(std::move(columns));
  robot.bare_ = bare_ == nullptr ? columns_ : bare_;
  robot.attachments_ = attachments_;
  robot.attachments_.push_back(attachment);
  return robot;
}

Robot Robot::detached(std::string_view name) const {
  const auto found = std::find_if(attachments_.begin(), attachments_.end(),
                                  [&](const Attachment& one) { return one.name == name; });
  if (found == attachments_.end()) {
    std::string names;
    for (const Attachment& one : attachments_) names += (names.empty() ? "" : ", ") + one.name;
    refuse("name", "is " + std::string(name) +
                       "; attached are: " + (names.empty() ? std::string("none") : names));
  }
  // Links behind the detached one move up. Later attachments lose it as one they may touch; those
  // that it carries itself have nothing to be on.
  const auto gone = static_cast<std::int32_t>(bare_->links.name.size()) +
                    static_cast<std::int32_t>(found - attachments_.begin());
  std::vector<Attachment> left(attachments_.begin(), found);
  for (auto later = found + 1; later != attachments_.end(); ++later) {
    Attachment moved = *later;
    if (moved.link == gone) {
      refuse("name",
             "is " + std::string(name) + ", which carries " + moved.name + "; detach that first");
    }
    moved.link -= moved.link > gone ? 1 : 0;
    std::erase(moved.allowed, gone);
    for (std::int32_t& link : moved.allowed) link -= link > gone ? 1 : 0;
    left.push_back(std::move(moved));
  }
  RobotColumns columns = *bare_;
  for (const Attachment& one : left) attach(one, columns);
  Robot robot(std::move(columns));
  if (!left.empty()) robot.bare_ = bare_;
  robot.attachments_ = std::move(left);
  return robot;
}

}  // namespace widephase
