// widephase.h: robots in many configurations, and their surroundings.

#include <algorithm>

#include <widephase/robot_answers.hpp>
#include <widephase/robot_motions.hpp>

#include "c/c_handles.hpp"
#include "pipeline/robots/copy_shapes.hpp"

struct widephase_robot {
  widephase::Robot robot;
};

struct widephase_environment {
  widephase::Environment environment;
};

struct widephase_robot_contacts {
  std::variant<std::monostate, widephase::RobotContacts> held;
};

namespace widephase {

namespace {

/// Calls `call(columns)` with a scene in 3D of any precision.
template <class Call>
void with_solids(const widephase_scene* scene, const char* name, const Call& call) {
  std::visit(
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
        if constexpr (D == 3) {
          call(columns);
        } else {
          refuse(name, "is in 2D; robots are in 3D");
        }
      },
      required(scene, name).columns);
}

/// Rows of `W` numbers of the caller.
template <int W, class T>
Column<T, W> rows_of(const T* first, std::int64_t count, const char* name) {
  const std::span<const T> numbers = required(first, count < 0 ? count : W * count, name);
  Column<T, W> column;
  for (std::size_t row = 0; row < numbers.size() / W; ++row) {
    std::array<T, W> values;
    for (std::size_t w = 0; w < W; ++w) values[w] = numbers[W * row + w];
    column.push_back(values);
  }
  return column;
}

/// Quaternions of the caller; NULL: no rotations.
Column<double, 4> turns_of(const double* first, std::int64_t count, const char* name) {
  if (first != nullptr) return rows_of<4>(first, count, name);
  Column<double, 4> turns;
  for (std::int64_t i = 0; i < count; ++i) turns.push_back({0, 0, 0, 1});
  return turns;
}

void add_links(const widephase_robot_columns& given, RobotLinks& links) {
  const std::int64_t count = given.link_count;
  links.body = rows_of<1>(given.link_body, count, "link_body");
  links.name.resize(links.body.size());
  if (given.link_position != nullptr) {
    links.position = rows_of<3>(given.link_position, count, "link_position");
  } else {
    for (std::int64_t i = 0; i < count; ++i) links.position.push_back({0, 0, 0});
  }
  links.turn = turns_of(given.link_orientation, count, "link_orientation");
}

RobotColumns columns_of(const widephase_robot_columns& given) {
  RobotColumns robot;
  const std::int64_t bodies = given.body_count, joints = given.joint_count;
  robot.bodies.parent = rows_of<1>(given.parent, bodies, "parent");
  robot.bodies.position = rows_of<3>(given.position, bodies, "position");
  robot.bodies.name.resize(robot.bodies.parent.size());
  robot.bodies.turn = turns_of(given.orientation, bodies, "orientation");
  const std::span types = required(given.type, joints, "type");
  for (std::size_t row = 0; row < types.size(); ++row) {
    if (types[row] < 0 || types[row] > WIDEPHASE_JOINT_BALL) {
      refuse("type", "is " + number(types[row]) + "; expected a WIDEPHASE_JOINT_ number",
             static_cast<std::int64_t>(row));
    }
    robot.joints.type.push_back(std::array{static_cast<JointType>(types[row])});
    const char* const name = given.name == nullptr ? nullptr : given.name[row];
    robot.joints.name.emplace_back(name == nullptr ? "" : name);
  }
  robot.joints.body = rows_of<1>(given.body, joints, "body");
  robot.joints.axis = rows_of<3>(given.axis, joints, "axis");
  if (given.anchor != nullptr) robot.joints.anchor = rows_of<3>(given.anchor, joints, "anchor");
  add_links(given, robot.links);
  return robot;
}

/// What a call asks of a robot.
template <class T>
struct Question {
  const Robot& robot;
  Configurations<T> q;
  const Environment& environment;
  Workspace<3, double>& workspace;
  CollideOptions options;
  std::span<const std::int32_t> worlds;
};

/// Calls `call(question)` for the caller's configurations.
template <class Call>
void ask(const widephase_robot* robot, widephase_type type, const void* q, std::int64_t count,
         std::int64_t stride_bytes, const widephase_environment* environment,
         const std::int32_t* worlds, widephase_workspace* workspace,
         const widephase_options* options, const Call& call) {
  const Robot& asked = required(robot, "robot").robot;
  auto& scratch = held_as<Workspace<3, double>>(required(workspace, "workspace").held);
  const Environment around = environment == nullptr ? Environment() : environment->environment;
  const auto call_with = [&]<class T>(const T*) {
    const std::span rows = required(static_cast<const T*>(q), count, "q");
    Configurations<T> given;
    given.first = rows.data();
    given.count = rows.size();
    given.width = asked.values().size();
    given.row_stride = stride_bytes;
    const std::span of_worlds(worlds, worlds == nullptr ? 0 : rows.size());
    call(Question<T>{asked, given, around, scratch, options_of(options), of_worlds});
  };
  if (type == WIDEPHASE_FLOAT32) return call_with(static_cast<const float*>(nullptr));
  if (type == WIDEPHASE_FLOAT64) return call_with(static_cast<const double*>(nullptr));
  refuse("q", "is of " + type_text(type) + "; expected float32 or float64");
}

/// Three ids per configuration.
void write_pairs(const RobotPairs& pairs, std::int32_t* ids) {
  for (std::size_t i = 0; i < pairs.shape.size(); ++i) {
    ids[3 * i] = pairs.shape[i];
    ids[3 * i + 1] = pairs.obstacle[i];
    ids[3 * i + 2] = pairs.other_shape[i];
  }
}

}  // namespace

}  // namespace widephase

using namespace widephase;

widephase_result widephase_robot_create(const widephase_robot_columns* columns,
                                        const widephase_scene* shapes, widephase_robot** robot) {
  return guarded([&] {
    required(robot, "robot") = nullptr;
    const widephase_robot_columns& given = required(columns, "columns");
    RobotColumns made = columns_of(given);
    with_solids(shapes, "shapes", [&]<class T>(const Scene<Borrowed<3, T>>& scene) {
      made.shapes = copy_shapes<T>(scene);
    });
    made.shapes.excluded_owners =
        rows_of<2>(given.excluded_owners, given.excluded_count, "excluded_owners");
    *robot = new widephase_robot{Robot(std::move(made))};
  });
}
void widephase_robot_destroy(widephase_robot** robot) { destroy(robot); }

std::int64_t widephase_robot_value_count(const widephase_robot* robot) {
  return robot == nullptr ? -1 : static_cast<std::int64_t>(robot->robot.values().size());
}

widephase_result widephase_environment_create(const widephase_scene* scene,
                                              widephase_environment** environment) {
  return guarded([&] {
    required(environment, "environment") = nullptr;
    with_solids(scene, "scene", [&]<class T>(const Scene<Borrowed<3, T>>& columns) {
      *environment = new widephase_environment{Environment(columns)};
    });
  });
}
widephase_result widephase_environment_create_points(widephase_type type, const void* points,
                                                     int64_t count, int64_t stride_bytes,
                                                     double radius,
                                                     widephase_environment** environment) {
  return guarded([&] {
    required(environment, "environment") = nullptr;
    const auto make = [&]<class T>(const T* first) {
      const std::span rows = required(first, count, "points");
      *environment = new widephase_environment{Environment::points(
          ColumnSpan<T, 3>::interleaved(rows.data(), rows.size(), stride_bytes), radius)};
    };
    if (type == WIDEPHASE_FLOAT32) return make(static_cast<const float*>(points));
    if (type == WIDEPHASE_FLOAT64) return make(static_cast<const double*>(points));
    refuse("points", "is of " + type_text(type) + "; expected float32 or float64");
  });
}
void widephase_environment_destroy(widephase_environment** environment) { destroy(environment); }

widephase_result widephase_robot_attach(const widephase_robot* robot, const char* name,
                                        int32_t link, const double* position,
                                        const double* orientation, const widephase_scene* shapes,
                                        const int32_t* allowed, int64_t allowed_count,
                                        widephase_robot** carrying) {
  return guarded([&] {
    required(carrying, "carrying") = nullptr;
    const Robot& from = required(robot, "robot").robot;
    Attachment attachment;
    attachment.name = &required(name, "name");
    attachment.link = link;
    if (position != nullptr) std::copy_n(position, 3, attachment.position.begin());
    if (orientation != nullptr) std::copy_n(orientation, 4, attachment.turn.begin());
    const std::span links = required(allowed, allowed_count, "allowed");
    attachment.allowed.assign(links.begin(), links.end());
    with_solids(shapes, "shapes", [&]<class T>(const Scene<Borrowed<3, T>>& scene) {
      attachment.shapes = Environment(scene).shapes();  // in the scene's frame, in double
    });
    *carrying = new widephase_robot{from.attached(attachment)};
  });
}

widephase_result widephase_robot_detach(const widephase_robot* robot, const char* name,
                                        widephase_robot** left) {
  return guarded([&] {
    required(left, "left") = nullptr;
    *left = new widephase_robot{required(robot, "robot").robot.detached(&required(name, "name"))};
  });
}

widephase_result widephase_robot_any_contact(const widephase_robot* robot, widephase_type type,
                                             const void* q, int64_t count, int64_t stride_bytes,
                                             const widephase_environment* environment,
                                             const int32_t* worlds, uint8_t* is_contact,
                                             widephase_workspace* workspace,
                                             const widephase_options* options) {
  return guarded([&] {
    ask(robot, type, q, count, stride_bytes, environment, worlds, workspace, options,
        [&](const auto& asked) {
          any_contact(asked.robot, asked.q, asked.environment,
                      required(is_contact, count, "is_contact"), asked.workspace, asked.options,
                      asked.worlds);
        });
  });
}

widephase_result widephase_robot_first_contact(const widephase_robot* robot, widephase_type type,
                                               const void* q, int64_t count, int64_t stride_bytes,
                                               const widephase_environment* environment,
                                               const int32_t* worlds, int32_t* first,
                                               widephase_workspace* workspace,
                                               const widephase_options* options) {
  return guarded([&] {
    ask(robot, type, q, count, stride_bytes, environment, worlds, workspace, options,
        [&](const auto& asked) {
          required(first, count, "first");
          FirstContacts found;
          first_contact(asked.robot, asked.q, asked.environment, found, asked.workspace,
                        asked.options, asked.worlds);
          write_pairs(found, first);
        });
  });
}

widephase_result widephase_robot_contacts_create(widephase_robot_contacts** contacts) {
  return create(contacts, "contacts");
}
void widephase_robot_contacts_destroy(widephase_robot_contacts** contacts) { destroy(contacts); }
widephase_result widephase_robot_contacts_get(const widephase_robot_contacts* contacts,
                                              const char* name, widephase_type type,
                                              widephase_array* array) {
  return get(contacts, "contacts", name, type, array, [](const auto& held, AnswerColumn& column) {
    for_each_answer(
        [&](const AnswerField& field, const auto& values) { column.consider(field.name, values); },
        held);
  });
}

widephase_result widephase_robot_find_contacts(const widephase_robot* robot, widephase_type type,
                                               const void* q, int64_t count, int64_t stride_bytes,
                                               const widephase_environment* environment,
                                               const int32_t* worlds,
                                               widephase_robot_contacts* found,
                                               widephase_workspace* workspace,
                                               const widephase_options* options) {
  return guarded([&] {
    ask(robot, type, q, count, stride_bytes, environment, worlds, workspace, options,
        [&](const auto& asked) {
          contacts(asked.robot, asked.q, asked.environment,
                   held_as<RobotContacts>(required(found, "contacts").held), asked.workspace,
                   asked.options, asked.worlds);
        });
  });
}

widephase_result widephase_robot_check_motions(
    const widephase_robot* robot, widephase_type type, const void* from, const void* to,
    int64_t count, int64_t stride_bytes, const widephase_environment* environment,
    const int32_t* worlds, int32_t proof, double resolution, double least_width, uint8_t* status,
    double* at, widephase_workspace* workspace, const widephase_options* options) {
  return guarded([&] {
    ask(robot, type, from, count, stride_bytes, environment, worlds, workspace, options,
        [&]<class T>(const Question<T>& asked) {
          Configurations<T> ends = asked.q;
          ends.first = required(static_cast<const T*>(to), count, "to").data();
          const std::span statuses = required(status, count, "status");
          const std::span times = required(at, count, "at");
          MotionOptions motions;
          motions.proof = proof != 0;
          motions.resolution = resolution;
          motions.least_width = least_width;
          MotionChecks checks;
          check_motions(asked.robot, asked.q, ends, asked.environment, checks, asked.workspace,
                        motions, asked.options, asked.worlds);
          for (std::size_t i = 0; i < checks.status.size(); ++i) {
            statuses[i] = static_cast<std::uint8_t>(checks.status[i]);
            times[i] = checks.at[i];
          }
        });
  });
}

widephase_result widephase_robot_min_distance(const widephase_robot* robot, widephase_type type,
                                              const void* q, int64_t count, int64_t stride_bytes,
                                              const widephase_environment* environment,
                                              const int32_t* worlds, double* distance,
                                              int32_t* pair, double* gradient,
                                              widephase_workspace* workspace,
                                              const widephase_options* options) {
  return guarded([&] {
    ask(robot, type, q, count, stride_bytes, environment, worlds, workspace, options,
        [&](const auto& asked) {
          const std::span lengths = required(distance, count, "distance");
          required(pair, count, "pair");
          RobotDistanceOptions distances;
          distances.has_gradient = gradient != nullptr;
          RobotDistances found;
          min_distance(asked.robot, asked.q, asked.environment, found, asked.workspace, distances,
                       asked.options, asked.worlds);
          std::copy_n(found.distance.plane(), found.distance.size(), lengths.begin());
          write_pairs(found, pair);
          std::copy_n(found.gradient.plane(), found.gradient.size(), gradient);
        });
  });
}
