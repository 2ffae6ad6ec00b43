#include <widephase/bodies.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "soa/instantiate.hpp"
#include "soa/right_lengths.hpp"
#include "soa/threads.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

constexpr std::size_t kRowsAChunk = 16384;
/// Rows whose frames are stored side by side, so that their arithmetic is vectorized.
constexpr std::size_t kBlock = 32;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Numbers of a body's frame: the images of the axes, column by column, the position, and the
/// orientation as the shapes' columns have it.
template <int D>
constexpr int kTurnWidth = D == 2 ? 1 : 4;
template <int D>
constexpr int kFrameWidth = D * D + D + kTurnWidth<D>;

template <int D>
constexpr std::array<double, kFrameWidth<D>> identity_frame() {
  std::array<double, kFrameWidth<D>> frame{};
  for (int k = 0; k < D; ++k) frame[k * D + k] = 1;
  if (D == 3) frame[kFrameWidth<D> - 1] = 1;
  return frame;
}

template <int D>
constexpr std::array<double, kFrameWidth<D>> frame_of_nothing() {
  std::array<double, kFrameWidth<D>> frame{};
  for (double& number : frame) number = kNotANumber;
  return frame;
}

/// The frame of a pose, and whether the pose is valid.
template <class T>
bool read_frame(const Poses<2, T>& poses, std::size_t body, double* frame) {
  const double angle = poses.turn.empty() ? 0 : static_cast<double>(poses.turn(body));
  const Turn2<double> turn = turn_of(angle);
  frame[0] = turn.cosine;
  frame[1] = turn.sine;
  frame[2] = -turn.sine;
  frame[3] = turn.cosine;
  frame[6] = angle;
  return std::isfinite(angle);
}
template <class T>
bool read_frame(const Poses<3, T>& poses, std::size_t body, double* frame) {
  std::array<double, 4> quaternion{0, 0, 0, 1};
  double square = 0;
  for (int w = 0; w < 4; ++w) {
    if (!poses.turn.empty()) quaternion[w] = static_cast<double>(poses.turn(body, w));
    square += quaternion[w] * quaternion[w];
  }
  const Turn3<double> turn = turn_of<double>(quaternion);
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k) frame[3 * j + k] = turn.column[j][k];
  }
  const double length = std::sqrt(square);
  for (int w = 0; w < 4; ++w) frame[12 + w] = quaternion[w] / length;
  return is_unit(quaternion);
}

/// Whether a frame has no rotation.
template <int D>
bool is_unturned(const double* frame) {
  constexpr auto kIdentity = identity_frame<D>();
  for (int i = 0; i < D * D; ++i) {
    if (frame[i] != kIdentity[i]) return false;
  }
  return true;
}

/// The frames of a block of rows, side by side.
template <int D>
struct Frames {
  double value[kFrameWidth<D>][kBlock];
  bool is_carried[kBlock];
  std::size_t count;
};

/// The numbers of a block of rows of a column.
template <int W>
struct Numbers {
  double value[W][kBlock];
};

template <class T, int W>
Numbers<W> read(const ColumnSpan<T, W>& column, std::size_t first, std::size_t count) {
  Numbers<W> numbers;
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers.value[w][i] = static_cast<double>(column(first + i, w));
    }
  }
  return numbers;
}

/// The moved numbers if a body carries the row, else the given ones.
template <class T, int W, int D>
void write(const Numbers<W>& moved, const ColumnSpan<T, W>& from, const Frames<D>& frames,
           std::size_t first, Column<T, W>& to) {
  for (int w = 0; w < W; ++w) {
    T* const plane = to.plane(w) + first;
    for (std::size_t i = 0; i < frames.count; ++i) plane[i] = static_cast<T>(moved.value[w][i]);
    for (std::size_t i = 0; i < frames.count; ++i) {
      if (!frames.is_carried[i]) plane[i] = from(first + i, w);
    }
  }
}

template <int D>
Numbers<D> turned(const Numbers<D>& vectors, const Frames<D>& frames) {
  Numbers<D> result;
  for (int k = 0; k < D; ++k) {
    for (std::size_t i = 0; i < frames.count; ++i) {
      double sum = frames.value[k][i] * vectors.value[0][i];
      for (int j = 1; j < D; ++j) sum += frames.value[j * D + k][i] * vectors.value[j][i];
      result.value[k][i] = sum;
    }
  }
  return result;
}

template <int D>
Numbers<D> moved(const Numbers<D>& points, const Frames<D>& frames) {
  Numbers<D> result = turned(points, frames);
  for (int k = 0; k < D; ++k) {
    for (std::size_t i = 0; i < frames.count; ++i) {
      result.value[k][i] = frames.value[D * D + k][i] + result.value[k][i];
    }
  }
  return result;
}

Numbers<1> joined(const Numbers<1>& angles, const Frames<2>& frames) {
  Numbers<1> sums;
  for (std::size_t i = 0; i < frames.count; ++i) {
    sums.value[0][i] = frames.value[6][i] + angles.value[0][i];
  }
  return sums;
}
/// The quaternion of the body times that of the shape, which may miss unit length; the product does
/// not.
Numbers<4> joined(const Numbers<4>& turns, const Frames<3>& frames) {
  const auto* const body = &frames.value[12];
  const auto* const shape = turns.value;
  Numbers<4> product;
  for (std::size_t i = 0; i < frames.count; ++i) {
    const double bx = body[0][i], by = body[1][i], bz = body[2][i], bw = body[3][i];
    const double sx = shape[0][i], sy = shape[1][i], sz = shape[2][i], sw = shape[3][i];
    product.value[0][i] = ((bw * sx + bx * sw) + by * sz) - bz * sy;
    product.value[1][i] = ((bw * sy + by * sw) + bz * sx) - bx * sz;
    product.value[2][i] = ((bw * sz + bz * sw) + bx * sy) - by * sx;
    product.value[3][i] = ((bw * sw - bx * sx) - by * sy) - bz * sz;
    const double length = std::sqrt(((sx * sx + sy * sy) + sz * sz) + sw * sw);
    for (int w = 0; w < 4; ++w) product.value[w][i] /= length;
  }
  return product;
}

/// A block of rows of a table; `from` and `to` have the table's columns.
template <int D, class From, class To>
void place_block(const From& from, std::size_t first, const Frames<D>& frames, To& to) {
  for_each_field_pair(from, to, [&](const auto& field, const auto& column, auto& target) {
    using Span = std::remove_cvref_t<decltype(column)>;
    if constexpr (Span::width == D && std::is_floating_point_v<typename Span::value_type>) {
      if (!field.is_position) return;
      write(moved<D>(read(column, first, frames.count), frames), column, frames, first, target);
    }
  });
  if constexpr (requires { from.turn; }) {
    write(joined(read(from.turn, first, frames.count), frames), from.turn, frames, first, to.turn);
  }
  if constexpr (From::kind == Kind::halfspace) {
    // dot(n, p) <= offset, and p becomes rotated(p) + t: the offset grows by dot(rotated(n), t).
    Numbers<D> normals = turned<D>(read(from.normal, first, frames.count), frames);
    Numbers<1> offsets = read(from.offset, first, frames.count);
    for (std::size_t i = 0; i < frames.count; ++i) {
      double square = 0;
      for (int k = 0; k < D; ++k) square += normals.value[k][i] * normals.value[k][i];
      const double length = std::sqrt(square);
      for (int k = 0; k < D; ++k) normals.value[k][i] /= length;
      offsets.value[0][i] /= length;
    }
    for (int k = 0; k < D; ++k) {
      for (std::size_t i = 0; i < frames.count; ++i) {
        offsets.value[0][i] += normals.value[k][i] * frames.value[D * D + k][i];
      }
    }
    write(normals, from.normal, frames, first, to.normal);
    write(offsets, from.offset, frames, first, to.offset);
  }
}

/// Makes room in the columns that move, and points the span at them.
template <class Placed, class To>
void own_moved_columns(Placed& placed, To& to) {
  const std::size_t rows = row_count(placed);
  const auto own = [&](auto& span, auto& column) {
    column.resize_uninitialized(rows);
    span = column;
  };
  for_each_field_pair(placed, to, [&](const auto& field, auto& span, auto& column) {
    if (field.is_position) own(span, column);
  });
  if constexpr (requires { placed.turn; }) own(placed.turn, to.turn);
  if constexpr (Placed::kind == Kind::halfspace) own(placed.normal, to.normal);
}

std::size_t chunk_count(std::size_t rows) { return (rows + kRowsAChunk - 1) / kRowsAChunk; }

/// Clears `is_valid` if some chunk of `rows` is not valid; which one clears it first does not
/// matter.
template <class Body>
void for_row_chunks(const Threads& threads, std::size_t rows, bool& is_valid, const Body& body) {
  bool* const flag = &is_valid;
  for_chunks(threads, chunk_count(rows), [&, flag](std::size_t chunk) {
    const std::size_t begin = chunk * kRowsAChunk;
    const std::size_t end = begin + kRowsAChunk < rows ? begin + kRowsAChunk : rows;
    if (!body(begin, end)) std::atomic_ref(*flag).store(false, std::memory_order_relaxed);
  });
}

/// The frames of the rows from `first` on. Returns false if a body is missing, or rotated where it
/// must not be; the row's frame is then NaN.
template <int D>
bool gather_frames(const ColumnSpan<std::int32_t>& bodies, std::size_t first, std::size_t count,
                   const double* frames, std::size_t body_count, bool must_be_unturned,
                   Frames<D>& gathered) {
  static constexpr auto kIdentity = identity_frame<D>();
  static constexpr auto kNone = frame_of_nothing<D>();
  bool is_valid = true;
  gathered.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t body = bodies(first + i);
    const bool is_there = body >= 0 && static_cast<std::size_t>(body) < body_count;
    const double* frame =
        is_there ? frames + static_cast<std::size_t>(body) * kFrameWidth<D> : kIdentity.data();
    const bool is_right = is_there ? !must_be_unturned || is_unturned<D>(frame) : body == -1;
    is_valid &= is_right;
    frame = is_right ? frame : kNone.data();
    gathered.is_carried[i] = is_there || !is_right;
    for (int w = 0; w < kFrameWidth<D>; ++w) gathered.value[w][i] = frame[w];
  }
  return is_valid;
}

}  // namespace

template <int D, class T>
void PlacedScene<D, T>::place(const SceneSpan<D, T>& scene, const Poses<D, T>& poses,
                              const Threads& threads, PoseFaults faults) {
  scene_ = {};
  const std::size_t body_count = poses.position.size();
  require_threads(threads);
  SceneSpan<D, T> shapes = scene;  // the poses replace its own bodies
  shapes.bodies = {};
  bool is_valid = has_right_lengths(poses) && has_right_lengths(shapes);
  const auto require_valid = [&] {
    if (is_valid) return;
    SceneSpan<D, T> with_poses = scene;
    with_poses.bodies = poses;
    const std::vector<Finding> findings = validate(with_poses);
    if (!findings.empty()) throw Error(findings.front());
    throw Error("the poses are not valid");  // the quick checks are stricter than validate: a bug
  };
  require_valid();
  const bool is_error = faults == PoseFaults::error;
  SceneSpan<D, T> placed = scene;
  placed.bodies = {};
  if (body_count == 0) {
    scene_ = placed;
    return;
  }

  frames_.resize_uninitialized(body_count * kFrameWidth<D>);
  for_row_chunks(threads, body_count, is_valid, [&](std::size_t begin, std::size_t end) {
    bool is_chunk_valid = true;
    for (std::size_t body = begin; body < end; ++body) {
      double* const frame = frames_.plane() + body * kFrameWidth<D>;
      bool is_pose = read_frame(poses, body, frame);
      for (int k = 0; k < D; ++k) {
        frame[D * D + k] = static_cast<double>(poses.position(body, k));
        is_pose &= std::isfinite(frame[D * D + k]);
      }
      if (!is_pose) std::fill_n(frame, kFrameWidth<D>, kNotANumber);
      is_chunk_valid &= is_pose || !is_error;
    }
    return is_chunk_valid;
  });
  require_valid();

  for_each_table_pair(placed, moved_, [&](auto& table, auto& columns) {
    using Table = std::remove_cvref_t<decltype(table)>;
    if (table.body.empty()) return;
    const Table from = table;
    own_moved_columns(table, columns);
    for_row_chunks(threads, row_count(from), is_valid, [&](std::size_t begin, std::size_t end) {
      bool is_chunk_valid = true;
      Frames<D> frames;
      for (std::size_t first = begin; first < end; first += kBlock) {
        const std::size_t count = first + kBlock < end ? kBlock : end - first;
        const bool is_block_valid = gather_frames<D>(from.body, first, count, frames_.plane(),
                                                     body_count, Table::kind == Kind::aabb, frames);
        is_chunk_valid &= is_block_valid || !is_error;
        place_block<D>(from, first, frames, columns);
      }
      return is_chunk_valid;
    });
  });
  require_valid();
  scene_ = placed;
}

template <int D, class T>
std::size_t PlacedScene<D, T>::bytes() const {
  std::size_t sum = frames_.bytes();
  for_each_table(moved_, [&](const auto& table) {
    for_each_field(table, [&](const auto&, const auto& column) { sum += column.bytes(); });
  });
  return sum;
}

#define WIDEPHASE_INSTANTIATE(D, T) template class PlacedScene<D, T>;
WIDEPHASE_FOR_EACH_SCENE(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
