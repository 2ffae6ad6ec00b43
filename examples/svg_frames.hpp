#pragma once

// Draws frames of a 2D simulation side by side in one SVG.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <widephase/scene.hpp>

/// Writes a picture of `rows` x `columns` square frames. Each shows the scene within `half_size` of
/// the origin. The colour of each shape goes from light to dark by a number.
class SvgFrames {
 public:
  SvgFrames(const std::string& path, int columns, int rows, double half_size)
      : file_(std::fopen(path.c_str(), "w")), columns_(columns), half_size_(half_size) {
    if (file_ == nullptr) return;
    std::fprintf(file_,
                 "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
                 "font-family='Helvetica,Arial,sans-serif' font-size='14' fill='#3a4252'>\n"
                 "<rect width='100%%' height='100%%' fill='#fff'/>\n",
                 columns * (kWidth + kGap) + kGap, rows * (kWidth + 2 * kGap) + kGap);
  }

  /// `shade_of(id)` is from 0 (light) to 1 (dark).
  template <class ShadeOf>
  void add(const widephase::SceneSpan<2, double>& scene, const std::string& caption,
           const ShadeOf& shade_of) {
    if (file_ == nullptr) return;
    const int left = kGap + count_ % columns_ * (kWidth + kGap);
    const int top = kGap + count_ / columns_ * (kWidth + 2 * kGap);
    ++count_;
    std::fprintf(file_,
                 "<text x='%d' y='%d'>%s</text>\n<svg x='%d' y='%d' width='%d' height='%d' "
                 "viewBox='%g %g %g %g'><g transform='scale(1 -1)'>\n",
                 left, top + kWidth + 16, caption.c_str(), left, top, kWidth, kWidth, -half_size_,
                 -half_size_, 2 * half_size_, 2 * half_size_);
    int id = 0;  // ids follow the tables in this order; there are no capsules or aabbs here
    for (std::size_t row = 0; row < scene.circles.radius.size(); ++row) {
      begin_path(shade_of(id++));
      const double radius = scene.circles.radius[row];
      std::fprintf(file_, "M%.3f %.3fa%.3f %.3f 0 0 0 %.3f 0a%.3f %.3f 0 0 0 %.3f 0z'/>\n",
                   scene.circles.center(row, 0) - radius, scene.circles.center(row, 1), radius,
                   radius, 2 * radius, radius, radius, -2 * radius);
    }
    for (std::size_t row = 0; row < scene.boxes.turn.size(); ++row) {
      begin_path(shade_of(id++));
      const double x = scene.boxes.half_extents(row, 0), y = scene.boxes.half_extents(row, 1);
      const double corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
      draw_outline(scene.boxes, row, widephase::ColumnSpan<double, 2>::interleaved(corners[0], 4),
                   0, 4);
    }
    for (std::size_t row = 0; row < scene.polygons.turn.size(); ++row) {
      begin_path(shade_of(id++));
      const auto geometry = static_cast<std::size_t>(scene.polygons.geometry[row]);
      const auto& offsets = scene.geometries.offsets;
      draw_outline(scene.polygons, row, scene.geometries.vertices, offsets[geometry],
                   offsets[geometry + 1]);
    }
    std::fprintf(file_,
                 "</g></svg>\n<rect x='%d' y='%d' width='%d' height='%d' fill='none' "
                 "stroke='#3a4252' stroke-width='2'/>\n",
                 left - 1, top - 1, kWidth + 2, kWidth + 2);
  }

  /// Ends the file and returns whether everything was written.
  bool finish() {
    if (file_ == nullptr) return false;
    std::fprintf(file_, "</svg>\n");
    const bool is_written = std::ferror(file_) == 0;
    return std::fclose(file_) == 0 && is_written;
  }

 private:
  static constexpr int kWidth = 400;  // in pixels
  static constexpr int kGap = 20;

  void begin_path(double shade) {
    static constexpr const char* colors[] = {"#d3d6de", "#fbd27c", "#fcb863",
                                             "#f39053", "#e26856", "#9e2d76"};
    std::fprintf(file_, "<path fill='%s' d='",
                 colors[static_cast<int>(5 * std::min(shade, 1.0) + 0.5)]);
  }

  template <class Table>
  void draw_outline(const Table& table, std::size_t row,
                    const widephase::ColumnSpan<double, 2>& vertices, std::int64_t first,
                    std::int64_t last) {
    const double cosine = std::cos(table.turn[row]), sine = std::sin(table.turn[row]);
    for (std::int64_t v = first; v < last; ++v) {
      const double x = vertices(v, 0), y = vertices(v, 1);
      std::fprintf(file_, "%c%.3f %.3f", v == first ? 'M' : 'L',
                   table.center(row, 0) + cosine * x - sine * y,
                   table.center(row, 1) + sine * x + cosine * y);
    }
    std::fprintf(file_, "z'/>\n");
  }

  std::FILE* file_;
  int columns_;
  double half_size_;
  int count_ = 0;
};
