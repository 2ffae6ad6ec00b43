// The bytes per shape, pair and contact are those in docs/memory.md.
// Labels: plain long

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <widephase/collide.hpp>

#include "reference/scaled.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// A table of the page: from the first column, or each of several kinds in it, to the numbers of
/// the other columns.
using Rows = std::map<std::string, std::vector<double>>;

/// All rows of tables whose first column is a word and whose others are numbers or dashes.
Rows rows_of_page() {
  std::ifstream page(std::string(WIDEPHASE_SOURCE) + "/docs/memory.md");
  EXPECT_TRUE(page.good());
  Rows rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ")) continue;
    std::stringstream cells(line.substr(2));
    std::string names, name, cell;
    std::getline(cells, names, '|');
    names.resize(names.find_last_not_of(' ') + 1);
    std::vector<double> numbers;
    while (std::getline(cells, cell, '|')) numbers.push_back(std::atof(cell.c_str()));
    rows[names] = numbers;
    for (std::stringstream list(names); std::getline(list >> std::ws, name, ',');) {
      rows[name] = numbers;
    }
  }
  return rows;
}

/// Column of a table: 2D float, 2D double, 3D float, 3D double.
template <int D, class T>
constexpr std::size_t kColumn = (D == 2 ? 0 : 2) + (sizeof(T) == 8 ? 1 : 0);

double of_page(const Rows& rows, const std::string& name, std::size_t column) {
  const auto row = rows.find(name);
  if (row == rows.end() || row->second.size() <= column) {
    ADD_FAILURE() << "docs/memory.md has no number " << column << " for " << name;
    return 0;
  }
  return row->second[column];
}

/// Shapes on a lattice, apart from one another. Polygons and hulls share one geometry or have one
/// each.
template <int D, class T>
SceneColumns<D, T> lattice(Kind kind, std::size_t count, bool has_own_geometries = false) {
  SceneColumns<D, T> scene;
  Random random(91);
  Solid<D> solid = random_solid<D>(random, kind, {}, 0.3);
  if constexpr (D == 2) {
    if (kind == Kind::polygon) solid.vertices = regular(6, 0.3);
  } else {
    if (kind == Kind::hull) solid.vertices = block(0.3, 0.2, 0.1);
  }
  const auto side =
      static_cast<std::size_t>(std::ceil(std::pow(static_cast<double>(count), 1.0 / D)));
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> place;
    for (std::size_t k = 0, rest = i; k < D; ++k, rest /= side) {
      place[k] = static_cast<double>(rest % side);
    }
    if (i == 0 || has_own_geometries || (kind != Kind::polygon && kind != Kind::hull)) {
      append(scene, moved(solid, place));
      continue;
    }
    const auto add_instance = [&](auto& table) {
      for_each_field(table, [](const auto&, auto& column) {
        if (!column.empty()) column.push_back(column.row(0));
      });
      for (int k = 0; k < D; ++k) table.center(i, k) = static_cast<T>(place[k]);
    };
    if constexpr (D == 2) {
      add_instance(scene.polygons);
    } else {
      add_instance(scene.hulls);
    }
  }
  return scene;
}

template <int D, class T>
double bytes_to_collide(const SceneColumns<D, T>& scene) {
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.threads.count = 1;
  collide<D, T>(scene, contacts, workspace, options);
  return static_cast<double>(workspace.bytes());
}

/// Twice 20,000, and twice that again but in scaled runs.
std::vector<std::size_t> counts() {
  std::vector<std::size_t> all{40000};
  if (scaled(80000, 40000) == 80000) all.push_back(80000);
  return all;
}

/// The cost of one more shape, pair or contact: checks that `bytes_of(count)` grows as the page
/// says.
template <class BytesOf>
void expect_growth(const std::string& name, double of_page, const BytesOf& bytes_of) {
  double before = bytes_of(std::size_t{20000});
  for (const std::size_t count : counts()) {
    const double bytes = bytes_of(count);
    EXPECT_NEAR((bytes - before) / (static_cast<double>(count) / 2), of_page, 0.5 + 0.01 * of_page)
        << name << ", up to " << count;
    before = bytes;
  }
}

template <int D, class T>
void expect_bytes(const Rows& rows) {
  SCOPED_TRACE(testing::Message() << D << "D, " << sizeof(T) << " bytes");
  const auto expect = [&](const std::string& name, const auto& bytes_of) {
    expect_growth(name, of_page(rows, name, kColumn<D, T>), bytes_of);
  };
  for (const Kind kind : kinds(D)) {
    if (kind == Kind::halfspace) continue;
    expect(std::string(kind_name(kind, D)),
           [&](std::size_t count) { return bytes_to_collide(lattice<D, T>(kind, count)); });
  }
  // Above what the shapes take without.
  const auto spheres = [](std::size_t count) { return lattice<D, T>(Kind::sphere, count); };
  expect("all optional columns", [&](std::size_t count) {
    SceneColumns<D, T> scene = spheres(count);
    auto& table = balls(scene);
    table.world.resize(count, 0);
    table.category.resize(count, 1);
    table.mask.resize(count, ~0u);
    table.owner.resize(count, 1);
    table.owner[0] = 2;
    table.fixed.resize(count, 0);
    table.body.resize(count, -1);
    table.margin.resize(count, T(0.125));
    return bytes_to_collide(scene) - bytes_to_collide(spheres(count));
  });
  const auto periodic = [&](std::size_t count, T first_x) {
    SceneColumns<D, T> scene = spheres(count);
    balls(scene).center(0, 0) = first_x;
    for (std::size_t k = 0; k < D; ++k) {
      scene.domain.min[k] = T(-1000);
      scene.domain.max[k] = T(1000);
      scene.domain.periodic[k] = true;
    }
    return bytes_to_collide(scene) - bytes_to_collide(spheres(count));
  };
  expect("periodic domain, where a shape lies outside",
         [&](std::size_t count) { return periodic(count, 2000); });
  expect_growth("periodic domain around all shapes", 0,
                [&](std::size_t count) { return periodic(count, 0); });
  expect(D == 2 ? "polygon of 6 vertices" : "hull of 8 vertices", [&](std::size_t count) {
    const Kind kind = D == 2 ? Kind::polygon : Kind::hull;
    return 10 * (bytes_to_collide(lattice<D, T>(kind, count / 10, true)) -
                 bytes_to_collide(lattice<D, T>(kind, count / 10)));
  });

  // Pairs of the caller's, of balls that overlap: of one kind, and of two in turns.
  const auto heap_with = [](Kind second) {
    SceneColumns<D, T> scene;
    append(scene, ball<D>({}, 1));
    append(scene, ball<D>({}, 1));
    append(scene, second == Kind::sphere ? ball<D>({}, 1) : capsule<D>({}, {}, 1));
    return scene;
  };
  const auto bytes_of_list = [&](Kind second, Order order, std::size_t count,
                                 ContactBuffer<D, T>& contacts) {
    const SceneColumns<D, T> scene = heap_with(second);
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({0, i % 2 == 0 ? 1 : 2});
    Workspace<D, T> workspace;
    CollideOptions options;
    options.threads.count = 1;
    options.order = order;
    collide_pairs<D, T>(scene, pairs, contacts, workspace, options);
    EXPECT_EQ(contacts.size(), count);
    return static_cast<double>(workspace.bytes());
  };
  ContactBuffer<D, T> contacts;
  expect("more per pair where there are two kinds or more", [&](std::size_t count) {
    return bytes_of_list(Kind::capsule, Order::kind, count, contacts) -
           bytes_of_list(Kind::sphere, Order::kind, count, contacts);
  });
  const double point = of_page(rows, "point", kColumn<D, T>);
  const double contact = of_page(rows, "contact", kColumn<D, T>);
  expect_growth("contact with a point", contact + point, [&](std::size_t count) {
    bytes_of_list(Kind::sphere, Order::kind, count, contacts);
    const ContactBuffer<D, T> exact = contacts;  // without room to grow
    return static_cast<double>(exact.bytes());
  });
  ContactBuffer<D, T> copy = contacts;
  const auto of_points = static_cast<double>(copy.bytes());
  for_each_point_column([](auto& column) { column = {}; }, copy);
  EXPECT_NEAR(
      (of_points - static_cast<double>(copy.bytes())) / static_cast<double>(contacts.size()), point,
      0.5);
}

TEST(memory, bytes_are_those_of_the_page_in_2d) {
  const Rows rows = rows_of_page();
  expect_bytes<2, float>(rows);
  expect_bytes<2, double>(rows);
}
TEST(memory, bytes_are_those_of_the_page_in_3d) {
  const Rows rows = rows_of_page();
  expect_bytes<3, float>(rows);
  expect_bytes<3, double>(rows);
}

TEST(memory, pairs_take_no_more_than_the_page_says) {
  const Rows rows = rows_of_page();
  for (const std::size_t count : {1000, 3000}) {
    SceneColumns<3, float> scene;
    for (std::size_t i = 0; i < count; ++i) append(scene, ball<3>({}, 1));
    Workspace<3, float> workspace;
    update_bounds<3, float>(scene, workspace);
    find_pairs<3, float>(scene, workspace);
    ASSERT_EQ(workspace.pairs().size(), count * (count - 1) / 2);
    const double each = static_cast<double>(workspace.pairs().bytes()) /
                        static_cast<double>(workspace.pairs().size());
    EXPECT_GE(each, of_page(rows, "pair", 0));
    EXPECT_LE(each, 2 * of_page(rows, "pair", 0) + 0.5);
  }
}

}  // namespace
}  // namespace widephase::test
