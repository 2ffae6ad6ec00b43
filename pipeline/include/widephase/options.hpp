#pragma once

// The options of calls, described once: C's structure, Python's keywords and the options of
// `widephase collide` are read by `for_each_option`, and help shows its texts. An option is added
// by a member of `CollideOptions` and its line here; the test `options` asks for C's field.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <widephase/collide.hpp>

namespace widephase {

/// The calls that take `CollideOptions`.
enum class Call : std::uint8_t {
  collide,              ///< all contacts of a scene; with a `Tracker` too
  collide_static,       ///< `collide` of a scene that keeps a `StaticScene`
  collide_pairs,        ///< with a `Tracker` too
  test_pairs,           ///< yes or no for each pair
  update_bounds,        ///< the first stage
  find_pairs,           ///< the second stage, with what the first one left
  find_contacts,        ///< the third stage, likewise
  any_contact,          ///< yes or no for each world
  distances,            ///< of a caller's pairs
  min_distance,         ///< of each world
  support_points,       ///< of shapes along directions
  stream_collide,       ///< `collide`, chunk by chunk
  stream_contacts,      ///< `find_contacts`, chunk by chunk
  build_static_scene,   ///< what does not move, read once
  update_static_scene,  ///< rows of it, read again
  begin_step,           ///< a tracker's step by stages
  end_step,             ///< its end
  cast_rays,            ///< rays against a static scene; `any_hit` too
  nearest_shapes,       ///< of a static scene, to points
  any_overlap,          ///< yes or no for each moving shape
  cast_pairs,           ///< of a caller's pairs, of which one moves
  cast_shapes,          ///< moving shapes against a static scene
  time_of_impact,       ///< of a caller's pairs, whose bodies move
  first_impacts,        ///< of each moving body
};

/// A set of calls.
class Calls {
 public:
  /// Those that are listed.
  constexpr Calls(std::initializer_list<Call> calls) {
    for (const Call call : calls) bits_ |= bit(call);
  }
  /// All of them.
  static constexpr Calls all() {
    Calls calls{};
    calls.bits_ = ~std::uint32_t{0};
    return calls;
  }
  /// These and the others.
  constexpr Calls operator|(Calls others) const {
    others.bits_ |= bits_;
    return others;
  }
  /// Whether it is among them.
  constexpr bool has(Call call) const { return (bits_ & bit(call)) != 0; }
  /// Whether one of the others is among them.
  constexpr bool has_any(Calls others) const { return (bits_ & others.bits_) != 0; }

 private:
  static constexpr std::uint32_t bit(Call call) {
    return std::uint32_t{1} << static_cast<unsigned>(call);
  }
  std::uint32_t bits_ = 0;
};

/// An option as every language has it. Its type and default are those of the member.
struct Option {
  std::string_view name;  ///< of the member, C's field and Python's keyword: "max_pairs"
  std::string_view text;  ///< what it says, in one line
  Calls calls;            ///< that go by it; others pass it over or refuse it
  std::span<const std::string_view> words = {};  ///< of an enumeration, in the order of its values
};

/// The words for `Order`.
inline constexpr std::array<std::string_view, 4> kOrderWords{"kind", "source", "id", "world"};
/// The words for `Method`.
inline constexpr std::array<std::string_view, 3> kMethodWords{"auto", "sat", "gjk_epa"};
/// The words for `Isa`, those of `isa_name`.
inline constexpr std::array<std::string_view, 6> kIsaWords{"widest", "scalar", "sse2",
                                                           "avx2",   "avx512", "neon64"};

/// The words for `Inside` of `CastOptions`, which has no line below.
inline constexpr std::array<std::string_view, 3> kInsideWords{"hit", "leave", "exit"};
/// The words for `StartOverlap` of `ShapeCastOptions`, likewise.
inline constexpr std::array<std::string_view, 3> kStartOverlapWords{"report", "leave_apart",
                                                                    "pass"};

/// Calls `visit(option, members...)` for each option, with the member of that name of each of the
/// structures: `CollideOptions`, or another one that has the same names, such as C's.
template <class Visit, class... Options>
constexpr void for_each_option(const Visit& visit, Options&... options) {
  using enum Call;
  constexpr Calls contacts{collide,     collide_static, collide_pairs,   test_pairs, find_contacts,
                           any_contact, stream_collide, stream_contacts, any_overlap};
  constexpr Calls stored{collide, collide_static, collide_pairs, find_contacts};
  constexpr Calls patches{collide,       collide_static, collide_pairs,
                          find_contacts, stream_collide, stream_contacts};
  constexpr Calls own_pairs{collide,        find_pairs,  any_contact,
                            stream_collide, any_overlap, first_impacts};
  constexpr Calls worlds{collide,       collide_static, collide_pairs, test_pairs,
                         update_bounds, any_contact,    min_distance,  stream_collide,
                         cast_rays,     any_overlap,    cast_shapes,   first_impacts};
  visit(Option{"margin", "contacts are reported up to this distance apart",
               contacts | Calls{update_bounds, build_static_scene, cast_rays, cast_pairs,
                                cast_shapes, time_of_impact, first_impacts}},
        options.margin...);
  visit(Option{"order", "in which order contacts come", stored, kOrderWords}, options.order...);
  visit(Option{"method", "which way contacts and distances are found, for the pairs that have it",
               contacts | Calls{distances, min_distance, begin_step, nearest_shapes, time_of_impact,
                                first_impacts},
               kMethodWords},
        options.method...);
  visit(Option{"threads", "0: all cores; 1: the calling thread alone; n: n threads", Calls::all()},
        options.threads...);
  visit(Option{"isa", "the instruction set, which changes no bit",
               contacts | Calls{update_bounds, find_pairs, distances, min_distance, support_points,
                                build_static_scene, update_static_scene, cast_rays, nearest_shapes,
                                cast_pairs, cast_shapes, time_of_impact, first_impacts},
               kIsaWords},
        options.isa...);
  visit(Option{"warm_starts",
               "one per pair, read and written: where the last step's search ended",
               {collide_pairs, test_pairs, find_contacts, distances, stream_contacts}},
        options.warm_starts...);
  visit(Option{"steadiness",
               "a length by which bodies at rest keep their face and points",
               {collide, collide_pairs, find_contacts, stream_contacts, begin_step}},
        options.steadiness...);
  visit(Option{"world_mask", "a byte per world: those with 0 are left out",
               worlds | Calls{nearest_shapes}},
        options.world_mask...);
  visit(Option{"world_status",
               "a byte per world, written: 1 where it was left out as invalid, 2 by the mask",
               worlds},
        options.world_status...);
  visit(Option{"max_pairs",
               "more pairs are an error that tells their number, counted up to 64 times this",
               own_pairs},
        options.max_pairs...);
  visit(Option{"max_contacts", "more contacts are an error that tells their number", stored},
        options.max_contacts...);
  visit(
      Option{"max_points", "more points of contacts are an error that tells their number", stored},
      options.max_points...);
  visit(Option{"most_patches",
               "the most contacts of a pair with a surface: the deepest stay; 0: all", patches},
        options.most_patches...);
  visit(Option{"patch_angle",
               "degrees, up to 90: triangles or segments whose normals agree within it are one "
               "contact",
               patches},
        options.patch_angle...);
  visit(Option{"flush_tolerance",
               "boxes, polygons and hulls of one owner whose sides are flush within it are one solid",
               {collide, collide_static, collide_pairs, update_bounds, stream_collide,
                build_static_scene}},
        options.flush_tolerance...);
  visit(Option{"keeps_order",
               "on one workspace step after step: shapes that move little are not sorted anew",
               {collide, collide_static, find_pairs, any_contact, stream_collide,
                build_static_scene}},
        options.keeps_order...);
  visit(Option{"moving_pairs",
               "with a static scene: whether moving shapes meet one another too",
               {collide_static, find_pairs, any_contact, min_distance, stream_collide,
                first_impacts}},
        options.moving_pairs...);
}

/// The value of an enumeration that a word stands for, or -1.
constexpr int place_of(std::string_view word, std::span<const std::string_view> words) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

/// "kind, source, id, world".
inline std::string list_of(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list.append(list.empty() ? "" : ", ").append(word);
  return list;
}

}  // namespace widephase
