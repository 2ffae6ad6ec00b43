#include "tools/commands/check_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/commands/scene_page.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/wording.hpp"
#include "tools/page/view_page.hpp"

namespace widephase::tools {

namespace {

constexpr double kStep = 0.05, kMostSteps = 2000;
/// Their page would have gigabytes.
constexpr std::size_t kMostPageShapes = 10'000'000;

/// What surrounds the robot, as shapes of all worlds that never meet one another.
SceneFile obstacles_of(const CheckedRobot& checked) {
  SceneColumns<3, double> shapes = checked.environment.shapes();
  for_each_table(shapes, [](auto& table) {
    table.world.clear();
    table.fixed.clear();
    table.world.resize(row_count(table), -1);
    table.fixed.resize(row_count(table), 1);
  });
  SceneFile file = SceneFile::of(checked.around->path(), shapes);
  for (const NamedArray& entry : checked.around->arrays()) {
    if (!entry.name.ends_with(".name") || entry.name.starts_with("bodies.")) continue;
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < entry.array.count(); ++row) {
      texts.push_back(entry.array.text(row));
    }
    file.add({entry.name, Array::of_texts(texts, {texts.size()})});
  }
  return file;
}

}  // namespace

std::vector<double> steps_along(const Configurations<double>& q, const MotionChecks& checks) {
  const auto value = [&](std::size_t row, std::size_t v) { return q.first[row * q.width + v]; };
  std::vector<double> lengths;
  double whole = 0;
  for (std::size_t row = 0; row + 1 < q.count; ++row) {
    double square = 0;
    for (std::size_t v = 0; v < q.width; ++v) {
      square += std::pow(value(row + 1, v) - value(row, v), 2);
    }
    lengths.push_back(std::sqrt(square));
    whole += lengths.back();
  }
  const double step = std::max(kStep, whole / kMostSteps);
  std::vector<double> steps;
  for (std::size_t row = 0; row + 1 < q.count; ++row) {
    const double count = std::max(1.0, std::ceil(lengths[row] / step));
    std::vector<double> times;
    for (double k = row == 0 ? 0 : 1; k <= count; ++k) times.push_back(k / count);
    const bool hits = checks.status[row] == MotionStatus::hit;
    if (hits && (row == 0 || checks.at[row] > 0)) times.push_back(checks.at[row]);
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (const double t : times) {
      for (std::size_t v = 0; v < q.width; ++v) {
        const double a = value(row, v), b = value(row + 1, v);
        steps.push_back(t == 1 ? b : a + t * (b - a));
      }
    }
  }
  return steps;
}

std::size_t write_check_page(const std::string& out, const CheckedRobot& checked,
                             const Configurations<double>& q, CollideOptions options) {
  const auto each = static_cast<std::size_t>(layout_of(SceneSpan<3, double>(checked.robot.shapes())).shape_count());
  if (q.count * std::max<std::size_t>(each, 1) > kMostPageShapes) {
    throw FileError(checked.path, fmt::format("takes a page of {} times {}, more than browsers "
                                              "open; give fewer configurations",
                                              counted(static_cast<std::int64_t>(q.count), "step"),
                                              counted(static_cast<std::int64_t>(each), "shape")));
  }
  OutputFile file(out);
  SceneFile shown = scene_in_configurations(checked.path, checked.robot, checked.names, q);
  if (checked.around != nullptr && checked.environment.size() > 0) {
    const SceneFile obstacles = obstacles_of(checked);
    std::vector<std::string> notes;  // of names that both have
    shown = merged(checked.path, {&shown, &obstacles}, notes);
  }
  SceneColumns<3, double> scene;
  shown.to_columns(scene);
  ViewScene view = view_scene_of(scene, shown, {});
  view.has_steps = true;
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  options.order = Order::id;
  collide<3, double>(scene, contacts, workspace, options);
  const std::string page = view_page(view, view_contacts_of(contacts));
  require_page_size(checked.path, page.size(), "give fewer configurations");
  file.write(page);
  file.commit();
  return page.size();
}

}  // namespace widephase::tools
