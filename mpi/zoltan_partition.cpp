// Zoltan's recursive bisection behind `Partition`.

#include <zoltan.h>

#include <array>
#include <string>

#include <widephase/partition.hpp>
#include <widephase/types.hpp>

namespace widephase {

namespace {

/// This rank's points, as Zoltan asks for them.
struct Points {
  int dimension;
  std::span<const double> points;
  std::span<const double> weights;
};

const Points& points_in(void* data) { return *static_cast<const Points*>(data); }

int count_of(void* data, int* status) {
  *status = ZOLTAN_OK;
  return static_cast<int>(points_in(data).weights.size());
}

void list_of(void* data, int, int, ZOLTAN_ID_PTR names, ZOLTAN_ID_PTR places, int weight_width,
             float* weights, int* status) {
  const Points& all = points_in(data);
  for (std::size_t i = 0; i < all.weights.size(); ++i) {
    names[i] = places[i] = static_cast<ZOLTAN_ID_TYPE>(i);
    if (weight_width == 1) weights[i] = static_cast<float>(all.weights[i]);
  }
  *status = ZOLTAN_OK;
}

int dimension_of(void* data, int* status) {
  *status = ZOLTAN_OK;
  return points_in(data).dimension;
}

void places_of(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR places, int dimension,
               double* to, int* status) {
  const Points& all = points_in(data);
  const auto width = static_cast<std::size_t>(dimension);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    for (std::size_t k = 0; k < width; ++k) to[i * width + k] = all.points[places[i] * width + k];
  }
  *status = ZOLTAN_OK;
}

class ZoltanPartition final : public Partition {
 public:
  ZoltanPartition(MPI_Comm communicator, int dimension) : dimension_(dimension) {
    MPI_Comm_size(communicator, &size_);
    MPI_Comm_rank(communicator, &rank_);
    float version = 0;
    if (Zoltan_Initialize(0, nullptr, &version) == ZOLTAN_OK) zoltan_ = Zoltan_Create(communicator);
    if (zoltan_ == nullptr) throw Error("Zoltan cannot be started");
    MPI_Comm_dup(communicator, &communicator_);
    // Names are of this rank's own points: nothing is asked by name afterwards. Without reuse of
    // the last cuts each division would move most points.
    for (const auto& [name, value] :
         {std::pair{"DEBUG_LEVEL", "0"}, {"LB_METHOD", "RCB"}, {"NUM_GID_ENTRIES", "1"},
          {"NUM_LID_ENTRIES", "1"}, {"OBJ_WEIGHT_DIM", "1"}, {"RETURN_LISTS", "NONE"},
          {"KEEP_CUTS", "1"}, {"RCB_REUSE", "1"}, {"RCB_OUTPUT_LEVEL", "0"},
          {"IMBALANCE_TOL", "1.03"}}) {
      Zoltan_Set_Param(zoltan_, name, value);
    }
    Zoltan_Set_Num_Obj_Fn(zoltan_, count_of, &points_);
    Zoltan_Set_Obj_List_Fn(zoltan_, list_of, &points_);
    Zoltan_Set_Num_Geom_Fn(zoltan_, dimension_of, &points_);
    Zoltan_Set_Geom_Multi_Fn(zoltan_, places_of, &points_);
  }
  ~ZoltanPartition() override {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over != 0) return;
    Zoltan_Destroy(&zoltan_);
    MPI_Comm_free(&communicator_);
  }
  ZoltanPartition(const ZoltanPartition&) = delete;
  ZoltanPartition& operator=(const ZoltanPartition&) = delete;

  void divide(std::span<const double> points, std::span<const double> weights) override {
    std::int64_t count = static_cast<std::int64_t>(weights.size());
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, communicator_);
    is_divided_ = count > 0 && size_ > 1;
    if (!is_divided_) return;
    points_ = {dimension_, points, weights};
    int has_changed = 0, name_width = 0, place_width = 0, in = 0, out = 0;
    ZOLTAN_ID_PTR in_names = nullptr, in_places = nullptr, out_names = nullptr,
                  out_places = nullptr;
    int *in_ranks = nullptr, *in_parts = nullptr, *out_ranks = nullptr, *out_parts = nullptr;
    const int status = Zoltan_LB_Partition(
        zoltan_, &has_changed, &name_width, &place_width, &in, &in_names, &in_places, &in_ranks,
        &in_parts, &out, &out_names, &out_places, &out_ranks, &out_parts);
    Zoltan_LB_Free_Part(&in_names, &in_places, &in_ranks, &in_parts);
    Zoltan_LB_Free_Part(&out_names, &out_places, &out_ranks, &out_parts);
    points_ = {dimension_, {}, {}};
    // A warning says that one rank has more than its share, as where all points are one.
    if (status != ZOLTAN_OK && status != ZOLTAN_WARN) {
      throw Error("Zoltan cannot divide the shapes among " + std::to_string(size_) + " ranks");
    }
    int dimension = dimension_;
    has_part_ = Zoltan_RCB_Box(zoltan_, rank_, &dimension, &low_[0], &low_[1], &low_[2], &high_[0],
                               &high_[1], &high_[2]) == ZOLTAN_OK;
  }

  int owner_of(const double* point) const override {
    if (!is_divided_) return 0;
    if (is_inside(point, point)) return rank_;
    double at[3] = {point[0], point[1], dimension_ == 3 ? point[2] : 0};
    int rank = 0;
    Zoltan_LB_Point_Assign(zoltan_, at, &rank);
    return rank;
  }

  void ranks_of(const double* min, const double* max, std::vector<int>& ranks) const override {
    if (!is_divided_) {
      ranks.assign(1, 0);
      return;
    }
    if (is_inside(min, max)) {
      ranks.assign(1, rank_);
      return;
    }
    ranks.resize(static_cast<std::size_t>(size_));
    int count = 0;
    Zoltan_LB_Box_Assign(zoltan_, min[0], min[1], dimension_ == 3 ? min[2] : 0, max[0], max[1],
                         dimension_ == 3 ? max[2] : 0, ranks.data(), &count);
    ranks.resize(static_cast<std::size_t>(count));
  }

 private:
  /// Whether a box is within this rank's part and touches no border: most are, and Zoltan's walk
  /// from cut to cut is slow.
  bool is_inside(const double* min, const double* max) const {
    bool is_inside = has_part_;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension_); ++k) {
      is_inside = is_inside && low_[k] < min[k] && max[k] < high_[k];
    }
    return is_inside;
  }

  int dimension_;
  int size_ = 1;
  int rank_ = 0;
  bool is_divided_ = false;
  bool has_part_ = false;
  std::array<double, 3> low_{}, high_{};  ///< of this rank's part
  MPI_Comm communicator_ = MPI_COMM_NULL;
  Points points_{dimension_, {}, {}};
  Zoltan_Struct* zoltan_ = nullptr;
};

}  // namespace

std::unique_ptr<Partition> make_zoltan_partition(MPI_Comm communicator, int dimension) {
  if (dimension != 2 && dimension != 3) throw Error("a partition is of dimension 2 or 3");
  return std::make_unique<ZoltanPartition>(communicator, dimension);
}

}  // namespace widephase
