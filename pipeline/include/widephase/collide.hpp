#pragma once

#include <array>
#include <memory>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/bounds.hpp>
#include <widephase/contacts.hpp>
#include <widephase/executor.hpp>
#include <widephase/isa.hpp>
#include <widephase/pairs.hpp>
#include <widephase/scene.hpp>
#include <widephase/warm_start.hpp>

namespace widephase {

/// The order of contacts. None depends on threads or instruction set.
enum class Order {
  kind,    ///< grouped by kind of pair, then as the pairs
  source,  ///< as the pairs
  id,      ///< ascending (a, b)
  world,   ///< pairs of two shapes of world -1, then by world; within one as `kind`
};

/// How the contacts of two shapes are found, for the pairs that have the method.
enum class Method {
  automatic,  ///< closed forms where there are some, else separating axes, else as `gjk_epa`
  sat,        ///< separating axes: boxes, polygons and hulls with one another, capsules and balls
  gjk_epa,    ///< support points alone, by GJK and EPA: all pairs without a halfspace
};

/// How a call answers. Threads and instruction set change no bit of it. options.hpp has a line for
/// each option and says which calls take it.
struct CollideOptions {
  /// A length >= 0. Contacts are reported up to this distance apart; a pair's margin is this and
  /// both shapes'.
  double margin = 0;
  Order order = Order::kind;          ///< of the contacts
  Method method = Method::automatic;  ///< docs/methods.md says which to choose
  Threads threads;                    ///< who runs the call
  Isa isa = Isa::widest;              ///< `Error` for a set that the build or the CPU lacks
  /// For calls that are given their pairs: none, or one per pair, zero at first. Each is read and
  /// written, so that step after step a search begins where that pair's last one ended.
  ///
  /// - In 3D: for hulls, for what is found by GJK, and with `steadiness` for boxes.
  /// - In 2D: for all that `steadiness` is for.
  /// - Those of other pairs stay as they are.
  /// - Calls that find their own pairs refuse them; a `Tracker` (tracker.hpp) has its own.
  std::span<WarmStart> warm_starts;
  /// A length >= 0: how much two answers may differ that are the same but for trembling. Bodies at
  /// rest keep what they rest on. It goes by warm starts, without which it is an error; 0 changes
  /// no bit.
  ///
  /// - Face: last step's stays while it overlaps by no more than this beyond the least way out. A
  ///   face comes before edges.
  /// - Depth: exact along that face's normal, and up to this more than the least.
  /// - Points: each has its own depth, the deepest up to this less than the pair's. In 3D last
  ///   step's stay, by name, while they are as good but for this.
  /// - A `Tracker` matches points within it by place where features do not.
  /// - Two aabbs, two capsules and spheres pass it over (docs/conventions.md).
  /// - `test_pairs` answers the same with it. Distances and calls that answer world by world refuse
  ///   it.
  double steadiness = 0;
  /// Which worlds to answer: empty, for all, or a byte per world, `world_count` or more of them; 0
  /// leaves a world out.
  ///
  /// - Pairs with a shape of such a world are not found. Those of a caller's own list are not
  ///   contacts.
  /// - Shapes of such a world need not be valid.
  /// - Pairs of two shapes of world -1 are in no world and are answered always.
  /// - The stage `update_bounds` takes mask and status, and the others go by what it left.
  /// - `distances` and `support_points` refuse both.
  std::span<const std::uint8_t> world_mask;
  /// Empty, or a byte per world, `world_count` or more, which are written: a `WorldStatus`. A world
  /// with an invalid shape is then left out and told here. The others are answered as they would be
  /// without it. What is wrong in no world, or in all of them, is an error still.
  std::span<std::uint8_t> world_status;
  /// The most pairs that may be stored, of calls that find their own.
  ///
  /// - Where there is more than a cap allows, the call throws `CapacityError` with the counts and
  ///   leaves its output empty.
  /// - While it counts, it holds no more than the caps and a few chunks.
  /// - Pairs are counted up to `kCountedCaps` times the cap; their number is then a lower bound. So
  ///   the cap bounds the call's time too.
  /// - The contacts of too many pairs are not counted.
  std::size_t max_pairs = kNoCap;
  /// The same for contacts, of calls that give them. Their count is always exact: it takes no
  /// longer than the pairs that were found already allow. Cap these for a bound on time.
  std::size_t max_contacts = kNoCap;
  /// The same for their points, which lie in arrays of their own: up to 2 per contact in 2D, 4 in
  /// 3D.
  std::size_t max_points = kNoCap;
  /// The most contacts of a pair with a surface, >= 0: the deepest stay, of equally
  /// deep ones those of lower parts. 0 keeps all patches. How many were left out is in
  /// `CollideStats`.
  int most_patches = 0;
  /// 0 to 90 degrees: contacts of a surface whose normals are within this of one
  /// another are one patch; 0 joins those of one plane alone.
  double patch_angle = 5;
  /// A length >= 0: aabbs, boxes, polygons and hulls of one owner (and world and body), without
  /// radius, are one solid where their faces (2D: sides) are flush within this. What lies between
  /// them is not felt (docs/conventions.md). 0, the default, seeks none.
  ///
  /// - `update_bounds`, and each call that reads its scene, finds them among its shapes, and keeps
  ///   what it found while their columns stay. Let `bodies` carry what moves.
  /// - Contacts with surfaces heed it, those of two surfaces do not.
  /// - A `StaticScene` has those of its own. Sides that `geometries.inner` marks count as covered.
  /// - It should be above the rounding of coordinates. Parts meet across periodic sides.
  double flush_tolerance = 0;
  /// For calls that find their own pairs, with a `StaticScene`: whether moving shapes meet one
  /// another too.
  bool moving_pairs = true;
  /// For calls that find their own pairs, on one workspace step after step: keeps the order in
  /// which shapes are sorted in space while they move little, see `PairOptions::keeps_order`. The
  /// contacts are the same. Pairs, and contacts unless `order` sorts them, come in an order that
  /// also depends on the calls before.
  bool keeps_order = false;
};

/// What the last call on a workspace did.
struct CollideStats {
  /// Counts for the pairs of two kinds.
  struct KindStats {
    std::int64_t pairs = 0;     ///< that a kernel was given
    std::int64_t contacts = 0;  ///< that it found
    std::int64_t points = 0;    ///< of these
    std::int64_t left_out = 0;  ///< contacts beyond `most_patches`
    double seconds = 0;         ///< summed over threads
    /// Mean share of lanes that did useful work, over the lanes of all steps. Steps are:
    /// - a batch of pairs;
    /// - each step of a search on it: GJK, in 2D EPA, a face of each pair of hulls, a batch of
    ///   pairs of edges, the points along a found axis;
    /// - with one useful lane, each answer of a pair that is taken out of its batch and each
    ///   direction that EPA evaluates in 3D.
    ///
    /// Pairs whose search has ended and copies that fill up a last batch are not useful. Work with
    /// the faces or vertices of one shape in lanes is not counted.
    double lanes = 0;
  };
  Isa isa = Isa::scalar;      ///< that it ran on, never `widest`
  int threads = 1;            ///< that it had
  std::int64_t shapes = 0;    ///< of the scene
  std::int64_t pairs = 0;     ///< that the broad phase found, or of a caller's list
  double broad_seconds = 0;   ///< bounds and pairs
  double narrow_seconds = 0;  ///< the rest, tracking apart
  double track_seconds = 0;   ///< what a `Tracker` does before and after
  std::array<KindStats, kPairKindCount> kinds{};  ///< by `pair_kind`
};

/// All that a call needs beside its input and output: packed rows, bounds, the tile tree, pairs,
/// blocks. It grows to the largest call it served and is reused: a second call of the same size
/// allocates nothing. It belongs to one call at a time; threads may share scenes.
template <int D, class T>
class WIDEPHASE_API Workspace {
 public:
  /// An empty one.
  Workspace();
  ~Workspace();
  ///@{
  /// Takes another one's memory. Not copied; what was moved from may only be assigned to or end.
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ///@}

  /// Bounds of the shapes, by id, as the last call left them. After `test_pairs` and `distances`,
  /// which need none, there may be none.
  const BoundsBuffer<D, PositionOf<T>>& bounds() const;
  /// The pairs that the last `collide` found.
  const Column<Pair>& pairs() const;
  /// Counts and times of the last call.
  const CollideStats& stats() const;
  /// Bytes held.
  std::size_t bytes() const;

  /// \cond  The library's own.
  struct State;
  State& state() { return *state_; }
  /// \endcond

 private:
  std::unique_ptr<State> state_;
};

/// A scene as a call takes it: a `SceneSpan`, or a `SceneColumns` that becomes one; dimension and
/// precision are those of the workspace.
template <int D, class T>
using SceneArgument = const std::type_identity_t<SceneSpan<D, T>>&;

/// Whether pairs of these kinds have a kernel; two halfspaces never meet and have none.
WIDEPHASE_API bool has_kernel(int dimension, Kind a, Kind b);

/// All contacts of a scene: bounds, pairs, kernels, contacts joined in a deterministic order.
/// Throws `Error` with the first offender for an invalid scene, and `CapacityError` for an answer
/// beyond the caps of `options`; `contacts` is then empty.
template <int D, class T>
WIDEPHASE_API void collide(SceneArgument<D, T> scene, ContactBuffer<D, T>& contacts,
                           Workspace<D, T>& workspace, const CollideOptions& options = {});

/// Contacts of the caller's own pairs, taken as they are: no filters, duplicates allowed, A is the
/// first named. Throws `Error` for an invalid scene, an id out of range and a shape with itself.
template <int D, class T>
WIDEPHASE_API void collide_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                 ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                                 const CollideOptions& options = {});

/// Yes or no for each of the caller's pairs. `is_contact[i]` is 1 exactly when `collide_pairs`
/// would report pair i, for numbers within the range of docs/conventions.md. Two halfspaces never
/// meet.
template <int D, class T>
WIDEPHASE_API void test_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                              std::span<std::uint8_t> is_contact, Workspace<D, T>& workspace,
                              const CollideOptions& options = {});

/// The first of the stages: reads the scene into the workspace (bounds by id, packed rows). It must
/// come before the others whenever the scene has changed.
template <int D, class T>
WIDEPHASE_API void update_bounds(SceneArgument<D, T> scene, Workspace<D, T>& workspace,
                                 const CollideOptions& options = {});

/// The second stage: the pairs of the workspace's bounds under the scene's filters, into
/// `workspace.pairs()`. Throws `Error` if the last call left no bounds.
template <int D, class T>
WIDEPHASE_API void find_pairs(SceneArgument<D, T> scene, Workspace<D, T>& workspace,
                              const CollideOptions& options = {});

/// The third stage: contacts of pairs (the workspace's own or any) with the rows that
/// `update_bounds` packed.
template <int D, class T>
WIDEPHASE_API void find_contacts(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                 ContactBuffer<D, T>& contacts, Workspace<D, T>& workspace,
                                 const CollideOptions& options = {});

}  // namespace widephase
