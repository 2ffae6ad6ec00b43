// The first contact of each configuration that has any: all contacts of worlds in double, of which
// the first in the order of `FirstContacts` counts.

#include "pipeline/robots/named_contacts.hpp"

namespace widephase {

namespace {

/// The first contacts of configurations of one world of the environment.
template <class T>
std::vector<RobotPair> find_first(const Robot& robot, const Configurations<T>& q,
                                  const Environment& environment, std::int32_t world,
                                  Workspace<3, double>& workspace, const CollideOptions& options) {
  std::vector<RobotPair> all(q.count);
  for_each_contact(robot, q, environment, world,
                   touching_rows(robot, q, environment, world, workspace, options), workspace,
                   options, [&](std::size_t row, const NamedPair& found, const auto&, std::size_t) {
                     RobotPair& least = all[row];
                     if (least.shape < 0 || found.pair.order() < least.order()) least = found.pair;
                   });
  return all;
}

}  // namespace

template <class T>
void first_contact(const Robot& robot, const Configurations<T>& q, const Environment& environment,
                   FirstContacts& contacts, Workspace<3, double>& workspace,
                   const CollideOptions& options, std::span<const std::int32_t> worlds) {
  // The caller's columns get them all or, after an error, none.
  std::vector<RobotPair> all;
  for_each_world(robot, q, environment, worlds, options,
                 [&](const auto& part, std::int32_t world, const std::size_t* rows) {
                   std::vector<RobotPair> found =
                       find_first(robot, part, environment, world, workspace, options);
                   if (rows == nullptr) {
                     all.swap(found);
                     return;
                   }
                   all.resize(q.count);
                   for (std::size_t i = 0; i < part.count; ++i) all[rows[i]] = found[i];
                 });
  write_pairs(robot, all, contacts);
}

#define WIDEPHASE_INSTANTIATE(T)                                                  \
  template WIDEPHASE_API void first_contact<T>(                                   \
      const Robot&, const Configurations<T>&, const Environment&, FirstContacts&, \
      Workspace<3, double>&, const CollideOptions&, std::span<const std::int32_t>);
WIDEPHASE_INSTANTIATE(float)
WIDEPHASE_INSTANTIATE(double)

}  // namespace widephase
