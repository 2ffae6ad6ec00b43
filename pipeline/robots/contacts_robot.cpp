// All contacts of configurations, in one order for any number of threads and worlds.

#include <numeric>

#include "pipeline/robots/named_contacts.hpp"

namespace widephase {

namespace {

/// Contacts in the order in which they are found.
struct Found {
  std::vector<std::size_t> configuration;
  std::vector<RobotPair> pair;
  RobotContacts geometry;  ///< without the columns above
};

void append(const NamedPair& named, const ContactBuffer<3, double>& from, std::size_t i,
            RobotContacts& to) {
  std::array<double, 3> normal = from.normal.row(i);
  if (named.is_swapped) {
    for (double& part : normal) part = -part;
  }
  to.normal.push_back(normal);
  to.depth.push_back(from.depth[i]);
  const auto begin = static_cast<std::size_t>(from.offset[i]);
  const auto end = static_cast<std::size_t>(from.offset[i + 1]);
  for (std::size_t p = begin; p < end; ++p) {
    std::array<double, 3> point = from.point.row(p);
    // The point of the other side, which is A here.
    for (std::size_t k = 0; named.is_swapped && k < 3; ++k) {
      point[k] += from.point_depth[p] * normal[k];
    }
    to.point.push_back(point);
    to.point_depth.push_back(from.point_depth[p]);
  }
  to.offset.push_back(static_cast<std::int64_t>(to.point_depth.size()));
}

/// By configuration, then as `FirstContacts`; patches of one pair stay as they are.
void write(const Robot& robot, const Found& found, RobotContacts& contacts) {
  std::vector<std::size_t> order(found.pair.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    return std::tuple_cat(std::tuple(found.configuration[i]), found.pair[i].order(), std::tuple(i));
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<RobotPair> pairs;
  contacts = {};
  contacts.offset.push_back(0);
  for (const std::size_t i : order) {
    pairs.push_back(found.pair[i]);
    contacts.configuration.push_back(static_cast<std::int64_t>(found.configuration[i]));
    contacts.normal.push_back(found.geometry.normal.row(i));
    contacts.depth.push_back(found.geometry.depth[i]);
    const auto begin = static_cast<std::size_t>(found.geometry.offset[i]);
    const auto end = static_cast<std::size_t>(found.geometry.offset[i + 1]);
    for (std::size_t p = begin; p < end; ++p) {
      contacts.point.push_back(found.geometry.point.row(p));
      contacts.point_depth.push_back(found.geometry.point_depth[p]);
    }
    contacts.offset.push_back(static_cast<std::int64_t>(contacts.point_depth.size()));
  }
  write_pairs(robot, pairs, contacts);
}

}  // namespace

template <class T>
void contacts(const Robot& robot, const Configurations<T>& q, const Environment& environment,
              RobotContacts& contacts, Workspace<3, double>& workspace,
              const CollideOptions& options, std::span<const std::int32_t> worlds) {
  Found found;
  found.geometry.offset.push_back(0);
  for_each_world(robot, q, environment, worlds, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   for_each_contact(
                       robot, part, environment, world,
                       touching_rows(robot, part, environment, world, workspace, options),
                       workspace, options,
                       [&](std::size_t row, const NamedPair& named,
                           const ContactBuffer<3, double>& from, std::size_t i) {
                         found.configuration.push_back(rows == nullptr ? row : rows[row]);
                         found.pair.push_back(named.pair);
                         append(named, from, i, found.geometry);
                       });
                 });
  write(robot, found, contacts);
}

#define WIDEPHASE_INSTANTIATE(T)                                                  \
  template WIDEPHASE_API void contacts<T>(                                        \
      const Robot&, const Configurations<T>&, const Environment&, RobotContacts&, \
      Workspace<3, double>&, const CollideOptions&, std::span<const std::int32_t>);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
