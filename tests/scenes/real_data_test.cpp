// Settled piles of spheres against counts made independently in double precision.
// Labels: real-data own-sets

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/compare.hpp"
#include "support/data_path.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

/// The numbers of the first <DataArray> after `mark`.
std::vector<double> array_behind(const std::string& text, const std::string& mark) {
  const std::size_t start = text.find('>', text.find("<DataArray", text.find(mark)));
  const std::size_t end = text.find("</DataArray>", start);
  std::vector<double> numbers;
  const char* next = text.c_str() + start + 1;
  for (;;) {
    char* after = nullptr;
    const double number = std::strtod(next, &after);
    if (after == next || after > text.c_str() + end) break;
    numbers.push_back(number);
    next = after;
  }
  return numbers;
}

/// The spheres of a pile; the <DataArray> of the radii contains the mark itself.
template <class T>
void read_pile(const std::filesystem::path& path, SceneColumns<3, T>& scene) {
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path;
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  const std::vector<double> centers = array_behind(text, "<Points>");
  text.erase(0, text.rfind("<DataArray", text.find("Name=\"radius\"")));
  const std::vector<double> radii = array_behind(text, "<DataArray");
  ASSERT_EQ(centers.size(), 3 * radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    append(scene, ball<3>({centers[3 * i], centers[3 * i + 1], centers[3 * i + 2]}, radii[i]));
  }
}

template <class T>
void expect_pile(const char* name, std::size_t shape_count, std::size_t contact_count,
                 double deepest) {
  const auto folder = data_path("granular");
  if (!folder) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  SceneColumns<3, T> scene;
  read_pile(*folder / name, scene);
  ASSERT_EQ(balls(scene).radius.size(), shape_count);
  for (const Isa isa : usable_isas()) {
    SCOPED_TRACE(isa_name(isa));
    CollideOptions options;
    options.isa = isa;
    ContactBuffer<3, T> contacts;
    Workspace<3, T> workspace;
    collide<3, T>(scene, contacts, workspace, options);
    EXPECT_TRUE(is_consistent(contacts));
    EXPECT_EQ(contacts.size(), contact_count);
    T depth = 0;
    for (const T value : contacts.depth) depth = std::max(depth, value);
    if (deepest > 0) {
      EXPECT_NEAR(static_cast<double>(depth), deepest, 0.05 * deepest);
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Solid<3> a = solid_of(scene, contacts.pair[i].a);
      const Solid<3> b = solid_of(scene, contacts.pair[i].b);
      ASSERT_EQ((contact_problem<3, T>(a, b, reference_of(a, b), 0, contact_at(contacts, i))), "")
          << describe(contacts, i);
    }
  }
}

TEST(real_data, pile_of_2048_has_154_contacts) {
  expect_pile<double>("particles2048pile.vtu", 2048, 154, 0);
}
TEST(real_data, pile_of_10192_has_1822_contacts) {
  expect_pile<double>("particles10192pile.vtu", 10192, 1822, 3.2e-5);
}

}  // namespace
}  // namespace widephase::test
