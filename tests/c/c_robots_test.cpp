// Robots by widephase.h: an arm that turns, among two obstacles; and what is refused.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <widephase/widephase.h>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A post at the origin, and an arm about z with a ball at x = 1 that a slide moves along x.
struct Arm {
  const int32_t parent[2] = {-1, 0},
                type[2] = {WIDEPHASE_JOINT_REVOLUTE, WIDEPHASE_JOINT_PRISMATIC};
  const int32_t body[2] = {0, 1};
  const double position[2][3] = {{0, 0, 0}, {1, 0, 0}}, axis[2][3] = {{0, 0, 1}, {1, 0, 0}};
  const double center[2][3] = {{0, 0, 0}, {0, 0, 0}}, radius = 0.1;
  const int32_t of_body[2] = {-1, 1}, owner[2] = {0, 1};
  const double walls[2][3] = {{0, 1, 0}, {1, 0, 0}};
  const char* names[2] = {"turn", "reach"};

  widephase_robot_columns columns;
  widephase_scene* shapes = nullptr;
  widephase_scene* obstacles = nullptr;
  widephase_robot* robot = nullptr;
  widephase_environment* environment = nullptr;
  widephase_workspace* workspace = nullptr;

  Arm() {
    std::memset(&columns, 0, sizeof(columns));
    columns.body_count = columns.joint_count = 2;
    columns.parent = parent;
    columns.position = &position[0][0];
    columns.type = type;
    columns.body = body;
    columns.axis = &axis[0][0];
    columns.name = names;
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &shapes));
    EXPECT_OK(widephase_scene_set(shapes, "sphere.center", WIDEPHASE_FLOAT64, center, 2, 24));
    EXPECT_OK(widephase_scene_set(shapes, "sphere.radius", WIDEPHASE_FLOAT64, &radius, 2, 0));
    EXPECT_OK(widephase_scene_set(shapes, "sphere.body", WIDEPHASE_INT32, of_body, 2, 4));
    EXPECT_OK(widephase_scene_set(shapes, "sphere.owner", WIDEPHASE_INT32, owner, 2, 4));
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &obstacles));
    EXPECT_OK(widephase_scene_set(obstacles, "sphere.center", WIDEPHASE_FLOAT64, walls, 2, 24));
    EXPECT_OK(widephase_scene_set(obstacles, "sphere.radius", WIDEPHASE_FLOAT64, &radius, 2, 0));
    EXPECT_OK(widephase_workspace_create(&workspace));
    EXPECT_OK(widephase_environment_create(obstacles, &environment));
  }
  ~Arm() {
    widephase_robot_destroy(&robot);
    widephase_environment_destroy(&environment);
    widephase_workspace_destroy(&workspace);
    widephase_scene_destroy(&shapes);
    widephase_scene_destroy(&obstacles);
  }
};

TEST(c_robots, contacts) {
  Arm arm;
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  EXPECT_EQ(widephase_robot_value_count(arm.robot), 2);
  // At x = 1; at y = 1; at y = 1.5; at the post.
  const float quarter = 1.5707964f;
  const float q[4][2] = {{0, 0}, {quarter, 0}, {quarter, 0.5f}, {0.5f, -1}};
  uint8_t is_contact[4];
  EXPECT_OK(widephase_robot_any_contact(arm.robot, WIDEPHASE_FLOAT32, q, 4, 8, arm.environment,
                                        nullptr, is_contact, arm.workspace, nullptr));
  const uint8_t expected[4] = {1, 1, 0, 1};
  EXPECT_EQ(std::memcmp(is_contact, expected, 4), 0);
  EXPECT_OK(widephase_robot_any_contact(arm.robot, WIDEPHASE_FLOAT32, q, 4, 8, nullptr, nullptr,
                                        is_contact, arm.workspace, nullptr));
  const uint8_t alone[4] = {0, 0, 0, 1};
  EXPECT_EQ(std::memcmp(is_contact, alone, 4), 0);
  int32_t first[4][3];
  EXPECT_OK(widephase_robot_first_contact(arm.robot, WIDEPHASE_FLOAT32, q, 4, 8, arm.environment,
                                          nullptr, &first[0][0], arm.workspace, nullptr));
  const int32_t firsts[4][3] = {{1, 1, -1}, {1, 0, -1}, {-1, -1, -1}, {0, -1, 1}};
  EXPECT_EQ(std::memcmp(first, firsts, sizeof(first)), 0);
  // The two links never meet.
  const int32_t excluded[2] = {0, 1};
  arm.columns.excluded_count = 1;
  arm.columns.excluded_owners = excluded;
  widephase_robot_destroy(&arm.robot);
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  EXPECT_OK(widephase_robot_any_contact(arm.robot, WIDEPHASE_FLOAT32, q, 4, 8, nullptr, nullptr,
                                        is_contact, arm.workspace, nullptr));
  EXPECT_EQ(is_contact[3], 0);
}

// The obstacles as points of the same radius.
TEST(c_robots, points) {
  Arm arm;
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  const float narrow[2][4] = {{0, 1, 0, 7}, {1, 0, 0, 7}};
  const float q[3][2] = {{0, 0}, {1.5707964f, 0}, {1.5707964f, 0.5f}};
  const int32_t firsts[3][3] = {{1, 1, -1}, {1, 0, -1}, {-1, -1, -1}};
  for (const bool is_narrow : {false, true}) {
    widephase_environment_destroy(&arm.environment);
    EXPECT_OK(is_narrow ? widephase_environment_create_points(WIDEPHASE_FLOAT32, narrow, 2, 16, 0.1,
                                                              &arm.environment)
                        : widephase_environment_create_points(WIDEPHASE_FLOAT64, arm.walls, 2, 24,
                                                              0.1, &arm.environment));
    int32_t first[3][3];
    EXPECT_OK(widephase_robot_first_contact(arm.robot, WIDEPHASE_FLOAT32, q, 3, 8, arm.environment,
                                            nullptr, &first[0][0], arm.workspace, nullptr));
    EXPECT_EQ(std::memcmp(first, firsts, sizeof(first)), 0);
  }
  widephase_environment* none = nullptr;
  EXPECT_EQ(widephase_environment_create_points(WIDEPHASE_FLOAT64, arm.walls, 2, 24, -0.1, &none),
            WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_message(), "radius is -0.1; it must be a finite number >= 0");
  EXPECT_EQ(widephase_environment_create_points(WIDEPHASE_INT32, arm.walls, 2, 24, 0.1, &none),
            WIDEPHASE_INVALID);
  EXPECT_EQ(none, nullptr);
}

TEST(c_robots, motions_and_distances) {
  Arm arm;
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  // From between the obstacles past that at y = 1, and away from both.
  const double from[2][2] = {{0.8, 0}, {0.8, 0}}, to[2][2] = {{2.4, 0}, {0.8, 1}};
  for (const int32_t proof : {0, 1}) {
    uint8_t status[2];
    double at[2];
    EXPECT_OK(widephase_robot_check_motions(arm.robot, WIDEPHASE_FLOAT64, from, to, 2, 16,
                                            arm.environment, nullptr, proof, 0.03125, 0.001, status,
                                            at, arm.workspace, nullptr));
    EXPECT_EQ(status[0], 1);
    EXPECT_EQ(status[1], 0);
    EXPECT_NEAR(0.8 + 1.6 * at[0], 1.5708, 0.21);  // within 0.2 of the obstacle's angle
    EXPECT_TRUE(std::isnan(at[1]));
  }
  // At x = 1.5: the ball of radius 0.1 is 0.3 from the obstacle at x = 1, and leaves it.
  const double q[2] = {0, 0.5};
  double distance = 0, gradient[2];
  int32_t pair[3];
  EXPECT_OK(widephase_robot_min_distance(arm.robot, WIDEPHASE_FLOAT64, q, 1, 16, arm.environment,
                                         nullptr, &distance, pair, gradient, arm.workspace,
                                         nullptr));
  EXPECT_NEAR(distance, 0.3, 1e-12);
  EXPECT_EQ(pair[0], 1);
  EXPECT_EQ(pair[1], 1);
  EXPECT_EQ(pair[2], -1);
  EXPECT_NEAR(gradient[0], 0, 1e-12);
  EXPECT_NEAR(gradient[1], 1, 1e-12);
  EXPECT_EQ(widephase_robot_min_distance(arm.robot, WIDEPHASE_FLOAT64, q, 1, 16, nullptr, nullptr,
                                         nullptr, pair, nullptr, arm.workspace, nullptr),
            WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_message(), "distance is NULL");
}

/// The rows of a column of contacts.
template <class T>
std::vector<T> rows_of(const widephase_robot_contacts* contacts, const char* name,
                       widephase_type type, int plane = 0) {
  widephase_array array;
  EXPECT_OK(widephase_robot_contacts_get(contacts, name, type, &array)) << name;
  const T* first = static_cast<const T*>(array.planes[plane]);
  return {first, first + array.rows};
}

TEST(c_robots, all_contacts) {
  Arm arm;
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  // The ball is 0.05 beyond the centre of the obstacle at x = 1; free; and 0.1 from the post's.
  const double q[3][2] = {{0, 0.05}, {0.8, 0}, {0.5, -0.9}};
  widephase_robot_contacts* contacts = nullptr;
  widephase_array array;
  EXPECT_OK(widephase_robot_contacts_create(&contacts));
  EXPECT_EQ(widephase_robot_contacts_get(contacts, "depth", WIDEPHASE_FLOAT64, &array),
            WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_message(), "contacts holds nothing yet; a call must write it first");
  EXPECT_OK(widephase_robot_find_contacts(arm.robot, WIDEPHASE_FLOAT64, q, 3, 16, arm.environment,
                                          nullptr, contacts, arm.workspace, nullptr));
  using Ids = std::vector<int32_t>;
  const auto ids = [&](const char* name) {
    return rows_of<int32_t>(contacts, name, WIDEPHASE_INT32);
  };
  EXPECT_EQ(rows_of<int64_t>(contacts, "configuration", WIDEPHASE_INT64),
            (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(ids("link"), (Ids{1, 0}));
  EXPECT_EQ(ids("shape"), (Ids{1, 0}));
  EXPECT_EQ(ids("obstacle"), (Ids{1, -1}));
  EXPECT_EQ(ids("other_link"), (Ids{-1, 1}));
  EXPECT_EQ(ids("other_shape"), (Ids{-1, 1}));
  EXPECT_EQ(rows_of<int64_t>(contacts, "offset", WIDEPHASE_INT64), (std::vector<int64_t>{0, 1, 2}));
  const auto numbers = [&](const char* name, int plane = 0) {
    const auto rows = rows_of<double>(contacts, name, WIDEPHASE_FLOAT64, plane);
    return rows.size() == 2 ? rows : std::vector<double>(2, NAN);
  };
  EXPECT_NEAR(numbers("depth")[0], 0.15, 1e-12);
  EXPECT_NEAR(numbers("depth")[1], 0.1, 1e-12);
  EXPECT_NEAR(numbers("normal")[0], -1, 1e-12);
  EXPECT_NEAR(numbers("normal", 1)[1], std::sin(0.5), 1e-12);
  EXPECT_NEAR(numbers("point")[0], 0.95, 1e-12);
  EXPECT_NEAR(numbers("point_depth")[1], 0.1, 1e-12);
  EXPECT_EQ(widephase_robot_contacts_get(contacts, "depths", WIDEPHASE_FLOAT64, &array),
            WIDEPHASE_INVALID);
  EXPECT_NE(std::strstr(widephase_error_message(), "other_link"), nullptr)
      << widephase_error_message();
  widephase_robot_contacts_destroy(&contacts);
  EXPECT_EQ(contacts, nullptr);
}

// A ball half a length before the arm's own reaches the obstacle at x = 1; turned it does not.
TEST(c_robots, attachments) {
  Arm arm;
  const int32_t on[2] = {-1, 1}, post = 0;
  arm.columns.link_count = 2;
  arm.columns.link_body = on;
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  const double before[3] = {0.5, 0, 0}, behind[3] = {-1, 0, 0};
  const double quarter[4] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
  widephase_scene* tool = nullptr;
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &tool));
  EXPECT_OK(widephase_scene_set(tool, "sphere.center", WIDEPHASE_FLOAT64, before, 1, 24));
  EXPECT_OK(widephase_scene_set(tool, "sphere.radius", WIDEPHASE_FLOAT64, &arm.radius, 1, 8));
  const double q[2] = {0, -0.5};
  const auto first_of = [&](const widephase_robot* robot) {
    std::array<int32_t, 3> first{};
    EXPECT_OK(widephase_robot_first_contact(robot, WIDEPHASE_FLOAT64, q, 1, 16, arm.environment,
                                            nullptr, first.data(), arm.workspace, nullptr));
    return first;
  };
  const std::array<int32_t, 3> none{-1, -1, -1};
  const auto carrying = [&](const double* position, const double* orientation, int64_t allowed) {
    widephase_robot* made = nullptr;
    EXPECT_OK(widephase_robot_attach(arm.robot, "tool", 1, position, orientation, tool, &post,
                                     allowed, &made));
    const std::array<int32_t, 3> found = first_of(made);
    widephase_robot_destroy(&made);
    return found;
  };
  EXPECT_EQ(first_of(arm.robot), none);
  EXPECT_EQ(carrying(nullptr, nullptr, 0), (std::array<int32_t, 3>{2, 1, -1}));
  EXPECT_EQ(carrying(nullptr, quarter, 0), none);
  // Moved back by 1 it is at the post, unless it may touch that.
  EXPECT_EQ(carrying(behind, nullptr, 0), (std::array<int32_t, 3>{0, -1, 2}));
  EXPECT_EQ(carrying(behind, nullptr, 1), none);
  widephase_robot* made = nullptr;
  widephase_robot* left = nullptr;
  EXPECT_OK(
      widephase_robot_attach(arm.robot, "tool", 1, nullptr, nullptr, tool, nullptr, 0, &made));
  EXPECT_OK(widephase_robot_detach(made, "tool", &left));
  EXPECT_EQ(first_of(left), none);
  widephase_robot_destroy(&left);
  const auto says = [](widephase_result result) {
    return result == WIDEPHASE_INVALID ? std::string(widephase_error_message()) : "no error";
  };
  EXPECT_EQ(says(widephase_robot_detach(made, "hand", &left)), "name is hand; attached are: tool");
  EXPECT_EQ(left, nullptr);
  const auto attached = [&](const char* name, int32_t link, const int32_t* allowed) {
    return says(
        widephase_robot_attach(arm.robot, name, link, nullptr, nullptr, tool, allowed, 1, &left));
  };
  EXPECT_EQ(attached("tool", 2, &post), "link is 2; the robot has 2 links");
  EXPECT_EQ(attached(nullptr, 1, &post), "name is NULL");
  EXPECT_EQ(attached("tool", 1, nullptr), "allowed is NULL");
  widephase_robot_destroy(&made);
  widephase_scene_destroy(&tool);
}

TEST(c_robots, faults) {
  Arm arm;
  const auto says = [](widephase_result result) {
    return result == WIDEPHASE_INVALID ? std::string(widephase_error_message()) : "no error";
  };
  EXPECT_EQ(says(widephase_robot_create(nullptr, arm.shapes, &arm.robot)), "columns is NULL");
  EXPECT_EQ(says(widephase_robot_create(&arm.columns, nullptr, &arm.robot)), "shapes is NULL");
  int32_t wrong[2] = {WIDEPHASE_JOINT_REVOLUTE, 9};
  arm.columns.type = wrong;
  EXPECT_EQ(says(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot)),
            "type[1] is 9; expected a WIDEPHASE_JOINT_ number");
  arm.columns.type = arm.type;
  EXPECT_EQ(widephase_robot_value_count(nullptr), -1);
  EXPECT_OK(widephase_robot_create(&arm.columns, arm.shapes, &arm.robot));
  const double q[2] = {0, NAN};
  uint8_t answer = 7;
  const auto ask = [&](widephase_type type) {
    return says(widephase_robot_any_contact(arm.robot, type, q, 1, 16, arm.environment, nullptr,
                                            &answer, arm.workspace, nullptr));
  };
  EXPECT_EQ(ask(WIDEPHASE_FLOAT64), "q[0] has nan as reach; expected a finite number up to 1e75");
  EXPECT_EQ(ask(WIDEPHASE_INT32), "q is of int32; expected float32 or float64");
  EXPECT_EQ(answer, 7);
}

}  // namespace
}  // namespace widephase::test
