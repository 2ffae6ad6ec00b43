// widephase.h: options, answers and the calls.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <widephase/answers.hpp>
#include <widephase/options.hpp>

#include "c/c_handles.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

/// The size of the structure in its first version.
constexpr std::size_t kLeastOptions =
    offsetof(widephase_options, max_points) + sizeof(widephase_options::max_points);
/// The structure has no padding at its end. `struct_size` would not show a new field put there.
static_assert(sizeof(widephase_options) == offsetof(widephase_options, flush_tolerance) +
                                               sizeof(widephase_options::flush_tolerance));

/// Writes a C++ option into its member of the C structure. Pointers stay NULL, as in the defaults.
struct WriteOption {
  template <class Ours, class Theirs>
  void operator()(const Option&, const Ours& ours, Theirs& theirs) const {
    if constexpr (std::is_same_v<Ours, Threads>) {
      theirs = ours.count;
    } else if constexpr (std::is_same_v<Ours, std::size_t>) {
      theirs = ours == kNoCap ? -1 : static_cast<Theirs>(ours);
    } else if constexpr (!std::is_pointer_v<Theirs>) {
      theirs = static_cast<Theirs>(ours);
    }
  }
};

widephase_options default_options() {
  widephase_options options{};
  options.struct_size = sizeof(options);
  const CollideOptions defaults;
  for_each_option(WriteOption{}, defaults, options);
  return options;
}

/// The caller's options. The caller may know an older or newer structure: a field that it lacks has
/// its default, and every byte that we do not know must be 0.
widephase_options read_options(const widephase_options& given) {
  const std::size_t size = given.struct_size;
  if (size < kLeastOptions) {
    refuse("options.struct_size",
           "is " + number(size) + "; widephase_options_init(options, sizeof *options) sets it");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  for (std::size_t i = sizeof(widephase_options); i < size; ++i) {
    if (bytes[i] == 0) continue;
    refuse("options", "has a field set that this version of the library (" WIDEPHASE_VERSION
                      ") does not have");
  }
  widephase_options options = default_options();
  std::memcpy(&options, &given, std::min(size, sizeof(options)));
  return options;
}

}  // namespace

namespace {

/// Reads a member of the C structure into the C++ option; throws `Error` for a wrong value.
struct ReadOption {
  const widephase_options& given;

  void operator()(const Option&, double& ours, double theirs) const { ours = theirs; }
  void operator()(const Option&, bool& ours, std::int32_t theirs) const { ours = theirs != 0; }
  void operator()(const Option&, int& ours, std::int32_t theirs) const { ours = theirs; }
  void operator()(const Option& option, std::size_t& ours, std::int64_t theirs) const {
    ours = cap_of(theirs, name_of(option));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const Option& option, Enum& ours, std::int32_t theirs) const {
    const auto last = static_cast<std::int32_t>(option.words.size()) - 1;
    if (theirs < 0 || theirs > last) {
      refuse(name_of(option), "is " + number(theirs) + "; expected 0 to " + number(last));
    }
    ours = static_cast<Enum>(theirs);
  }
  void operator()(const Option& option, Threads& ours, std::int32_t theirs) const {
    if (theirs < 0) refuse(name_of(option), "is " + number(theirs) + "; expected 0 or more");
    ours.count = theirs;
    if (given.for_each == nullptr) return;
    if (given.for_each_threads < 1) {
      refuse("options.for_each_threads",
             "is " + number(given.for_each_threads) + "; expected 1 or more");
    }
    ours.executor = {given.for_each, given.for_each_self, given.for_each_threads};
  }
  void operator()(const Option& option, std::span<const std::uint8_t>& ours,
                  const std::uint8_t* theirs) const {
    ours = required(theirs, given.world_mask_count, name_of(option));
  }
  void operator()(const Option& option, std::span<std::uint8_t>& ours, std::uint8_t* theirs) const {
    ours = required(theirs, given.world_status_count, name_of(option));
  }
  void operator()(const Option& option, std::span<WarmStart>& ours,
                  widephase_warm_start* theirs) const {
    static_assert(sizeof(WarmStart) == sizeof(widephase_warm_start));
    ours = required(reinterpret_cast<WarmStart*>(theirs), given.warm_start_count, name_of(option));
  }

 private:
  static std::string name_of(const Option& option) { return "options." + std::string(option.name); }
};

}  // namespace

CollideOptions options_of(const widephase_options* pointer) {
  CollideOptions options;
  if (pointer == nullptr) return options;
  const widephase_options given = read_options(*pointer);
  for_each_option(ReadOption{given}, options, given);
  return options;
}

CastOptions cast_options_of(const widephase_options* pointer) {
  CastOptions options;
  static_cast<CollideOptions&>(options) = options_of(pointer);
  if (pointer == nullptr) return options;
  const std::int32_t inside = read_options(*pointer).inside;
  ReadOption{*pointer}(Option{"inside", {}, {}, kInsideWords}, options.inside, inside);
  return options;
}

ShapeCastOptions shape_cast_options_of(const widephase_options* pointer) {
  ShapeCastOptions options;
  static_cast<CollideOptions&>(options) = options_of(pointer);
  if (pointer == nullptr) return options;
  const widephase_options given = read_options(*pointer);
  ReadOption{*pointer}(Option{"start_overlap", {}, {}, kStartOverlapWords}, options.start_overlap,
                       given.start_overlap);
  options.tolerance = given.tolerance;
  return options;
}

namespace {

/// A tracker continues from its earlier steps, so it cannot change its dimension or precision.
template <int D, class T>
Tracker<D, T>& tracker_as(widephase_tracker& tracker) {
  if (!std::holds_alternative<std::monostate>(tracker.held) &&
      !std::holds_alternative<Tracker<D, T>>(tracker.held)) {
    refuse("tracker", "follows scenes of another dimension or precision; make another tracker");
  }
  return held_as<Tracker<D, T>>(tracker.held);
}

/// Calls `call(columns, workspace, options)` in the scene's dimension and precision.
template <class Call>
widephase_result with_scene(const widephase_scene* scene, widephase_workspace* workspace,
                            const widephase_options* options, const Call& call) noexcept {
  return guarded([&] {
    required(workspace, "workspace");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      call(columns, held_as<Workspace<D, T>>(workspace->held), options_of(options));
    });
  });
}

/// Like `with_scene`, with contacts to write: `call(columns, contacts, workspace, options)`.
template <class Call>
widephase_result with_contacts(const widephase_scene* scene, widephase_contacts* contacts,
                               widephase_workspace* workspace, const widephase_options* options,
                               const Call& call) noexcept {
  return with_scene(
      scene, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, Workspace<D, T>& held_workspace,
                          const CollideOptions& held_options) {
        call(columns, held_as<ContactBuffer<D, T>>(required(contacts, "contacts").held),
             held_workspace, held_options);
      });
}

}  // namespace

}  // namespace widephase

using namespace widephase;

void widephase_options_init(widephase_options* options, size_t struct_size) {
  if (options == nullptr) return;
  widephase_options defaults = default_options();
  defaults.struct_size = struct_size;
  std::memset(options, 0, struct_size);
  std::memcpy(options, &defaults, std::min(struct_size, sizeof(defaults)));
}

namespace {

/// Lists the columns of an answer.
constexpr auto consider_all = [](const auto& held, AnswerColumn& column) {
  for_each_answer(
      [&](const AnswerField& field, const auto& given) { column.consider(field.name, given); },
      held);
};

}  // namespace

widephase_result widephase_workspace_create(widephase_workspace** workspace) {
  return create(workspace, "workspace");
}
void widephase_workspace_destroy(widephase_workspace** workspace) { destroy(workspace); }
widephase_result widephase_workspace_get(const widephase_workspace* workspace, const char* name,
                                         widephase_type type, widephase_array* array) {
  return get(workspace, "workspace", name, type, array, [](const auto& held, AnswerColumn& column) {
    column.consider("pairs", held.pairs());
    column.consider("bounds.min", held.bounds().min);
    column.consider("bounds.max", held.bounds().max);
  });
}

widephase_result widephase_contacts_create(widephase_contacts** contacts) {
  return create(contacts, "contacts");
}
void widephase_contacts_destroy(widephase_contacts** contacts) { destroy(contacts); }
widephase_result widephase_contacts_get(const widephase_contacts* contacts, const char* name,
                                        widephase_type type, widephase_array* array) {
  return get(contacts, "contacts", name, type, array, consider_all);
}

widephase_result widephase_contacts_hash(const widephase_contacts* contacts, uint64_t* hash) {
  return guarded([&] {
    required(hash, "hash") = 0;
    with_held(required(contacts, "contacts").held, "contacts",
              [&](const auto& held) { *hash = widephase::hash(held); });
  });
}

widephase_result widephase_distances_create(widephase_distances** distances) {
  return create(distances, "distances");
}
void widephase_distances_destroy(widephase_distances** distances) { destroy(distances); }
widephase_result widephase_distances_get(const widephase_distances* distances, const char* name,
                                         widephase_type type, widephase_array* array) {
  return get(distances, "distances", name, type, array, consider_all);
}

widephase_result widephase_support_create(widephase_support** support) {
  return create(support, "support");
}
void widephase_support_destroy(widephase_support** support) { destroy(support); }
widephase_result widephase_support_get(const widephase_support* support, const char* name,
                                       widephase_type type, widephase_array* array) {
  return get(support, "support", name, type, array, consider_all);
}

widephase_result widephase_collide(const widephase_scene* scene, widephase_contacts* contacts,
                                   widephase_workspace* workspace,
                                   const widephase_options* options) {
  return with_contacts(
      scene, contacts, workspace, options,
      []<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                         Workspace<D, T>& scratch, const CollideOptions& wanted) {
        collide(columns, held, scratch, wanted);
      });
}

widephase_result widephase_collide_pairs(const widephase_scene* scene, const int32_t* pairs,
                                         int64_t pair_count, widephase_contacts* contacts,
                                         widephase_workspace* workspace,
                                         const widephase_options* options) {
  return with_contacts(
      scene, contacts, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                          Workspace<D, T>& scratch, const CollideOptions& wanted) {
        collide_pairs(columns, pairs_of(pairs, pair_count), held, scratch, wanted);
      });
}

widephase_result widephase_test_pairs(const widephase_scene* scene, const int32_t* pairs,
                                      int64_t pair_count, uint8_t* is_contact,
                                      widephase_workspace* workspace,
                                      const widephase_options* options) {
  return with_scene(scene, workspace, options,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                        Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      test_pairs(columns, pairs_of(pairs, pair_count),
                                 required(is_contact, pair_count, "is_contact"), scratch, wanted);
                    });
}

widephase_result widephase_update_bounds(const widephase_scene* scene,
                                         widephase_workspace* workspace,
                                         const widephase_options* options) {
  return with_scene(scene, workspace, options,
                    []<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                       Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      update_bounds(columns, scratch, wanted);
                    });
}

widephase_result widephase_find_pairs(const widephase_scene* scene, widephase_workspace* workspace,
                                      const widephase_options* options) {
  return with_scene(
      scene, workspace, options,
      []<int D, class T>(const Scene<Borrowed<D, T>>& columns, Workspace<D, T>& scratch,
                         const CollideOptions& wanted) { find_pairs(columns, scratch, wanted); });
}

widephase_result widephase_find_contacts(const widephase_scene* scene, const int32_t* pairs,
                                         int64_t pair_count, widephase_contacts* contacts,
                                         widephase_workspace* workspace,
                                         const widephase_options* options) {
  return with_contacts(
      scene, contacts, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                          Workspace<D, T>& scratch, const CollideOptions& wanted) {
        find_contacts(columns, pairs_of(pairs, pair_count), held, scratch, wanted);
      });
}

widephase_result widephase_pair_distances(const widephase_scene* scene, const int32_t* pairs,
                                          int64_t pair_count, widephase_distances* distances,
                                          widephase_workspace* workspace,
                                          const widephase_options* options) {
  return with_scene(
      scene, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, Workspace<D, T>& scratch,
                          const CollideOptions& wanted) {
        auto& held = held_as<WorldDistanceBuffer<D, T>>(required(distances, "distances").held);
        held.pair.clear();
        DistanceBuffer<D, T>& rows = held;
        widephase::distances(columns, pairs_of(pairs, pair_count), rows, scratch, wanted);
      });
}

widephase_result widephase_min_distance(const widephase_scene* scene,
                                        widephase_distances* distances,
                                        widephase_workspace* workspace,
                                        const widephase_options* options) {
  return with_scene(scene, workspace, options,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                        Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      min_distance(
                          columns,
                          held_as<WorldDistanceBuffer<D, T>>(required(distances, "distances").held),
                          scratch, wanted);
                    });
}

widephase_result widephase_any_contact(const widephase_scene* scene, uint8_t* is_contact,
                                       int64_t count, widephase_workspace* workspace,
                                       const widephase_options* options) {
  return with_scene(scene, workspace, options,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                        Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      any_contact(columns, required(is_contact, count, "is_contact"), scratch,
                                  wanted);
                    });
}

widephase_result widephase_support_points(const widephase_scene* scene, const int32_t* ids,
                                          const widephase_array* directions,
                                          widephase_support* support,
                                          widephase_workspace* workspace,
                                          const widephase_options* options) {
  return with_scene(
      scene, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, Workspace<D, T>& scratch,
                          const CollideOptions& wanted) {
        const auto span = borrowed<SizeOf<T>, D>(required(directions, "directions"), "directions");
        support_points(columns, required(ids, directions->rows, "ids"), span,
                       held_as<SupportBuffer<D, T>>(required(support, "support").held), scratch,
                       wanted);
      });
}

widephase_result widephase_tracker_create(widephase_tracker** tracker) {
  return create(tracker, "tracker");
}
void widephase_tracker_destroy(widephase_tracker** tracker) { destroy(tracker); }

widephase_result widephase_tracker_collide(widephase_tracker* tracker, const widephase_scene* scene,
                                           widephase_contacts* contacts,
                                           widephase_workspace* workspace,
                                           const widephase_options* options) {
  return with_contacts(
      scene, contacts, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                          Workspace<D, T>& scratch, const CollideOptions& wanted) {
        collide(columns, held, scratch, tracker_as<D, T>(required(tracker, "tracker")), wanted);
      });
}

widephase_result widephase_tracker_collide_pairs(widephase_tracker* tracker,
                                                 const widephase_scene* scene, const int32_t* pairs,
                                                 int64_t pair_count, widephase_contacts* contacts,
                                                 widephase_workspace* workspace,
                                                 const widephase_options* options) {
  return with_contacts(
      scene, contacts, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                          Workspace<D, T>& scratch, const CollideOptions& wanted) {
        collide_pairs(columns, pairs_of(pairs, pair_count), held, scratch,
                      tracker_as<D, T>(required(tracker, "tracker")), wanted);
      });
}

widephase_result widephase_tracker_begin_step(widephase_tracker* tracker,
                                              const widephase_scene* scene, const int32_t* pairs,
                                              int64_t pair_count,
                                              widephase_warm_start** warm_starts,
                                              int64_t* warm_start_count,
                                              const widephase_options* options) {
  return guarded([&] {
    required(warm_starts, "warm_starts") = nullptr;
    required(warm_start_count, "warm_start_count") = 0;
    required(tracker, "tracker");
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      const std::span<WarmStart> words = begin_step(
          columns, pairs_of(pairs, pair_count), tracker_as<D, T>(*tracker), options_of(options));
      if (words.empty()) return;
      *warm_starts = reinterpret_cast<widephase_warm_start*>(words.data());
      *warm_start_count = static_cast<int64_t>(words.size());
    });
  });
}

widephase_result widephase_tracker_end_step(widephase_tracker* tracker,
                                            const widephase_contacts* contacts,
                                            const widephase_options* options) {
  return guarded([&] {
    if (std::holds_alternative<std::monostate>(required(tracker, "tracker").held)) {
      refuse("contacts", "have no begin_step before them; call it once for each");
    }
    with_held(required(contacts, "contacts").held, "contacts",
              [&]<int D, class T>(const ContactBuffer<D, T>& held) {
                end_step(held, tracker_as<D, T>(*tracker), options_of(options));
              });
  });
}

widephase_result widephase_tracker_get(const widephase_tracker* tracker, const char* name,
                                       widephase_type type, widephase_array* array) {
  return get(tracker, "tracker", name, type, array, [](const auto& held, AnswerColumn& column) {
    consider_all(held, column);
    for_each_answer(
        [&](const AnswerField& field, const auto& ended) {
          column.consider("ended." + std::string(field.name), ended);
        },
        held.ended());
  });
}

widephase_result widephase_tracker_forget(widephase_tracker* tracker, const uint8_t* worlds,
                                          int64_t count) {
  return guarded([&] {
    std::visit(
        [&]<class Held>(Held& held) {
          if constexpr (!std::is_same_v<Held, std::monostate>) {
            if (worlds == nullptr) return held.forget();
            held.forget(required(worlds, count, "worlds"));
          }
        },
        required(tracker, "tracker").held);
  });
}

widephase_result widephase_static_scene_create(widephase_static_scene** static_scene) {
  return create(static_scene, "static_scene");
}
void widephase_static_scene_destroy(widephase_static_scene** static_scene) {
  destroy(static_scene);
}

widephase_result widephase_static_scene_build(widephase_static_scene* static_scene,
                                              const widephase_scene* scene,
                                              widephase_workspace* workspace,
                                              const widephase_options* options) {
  return with_scene(scene, workspace, options,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                        Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      auto& kept =
                          held_as<StaticScene<D, T>>(required(static_scene, "static_scene").kept);
                      build_static_scene(columns, kept, scratch, wanted);
                    });
}

widephase_result widephase_static_scene_update(widephase_static_scene* static_scene,
                                               const widephase_scene* scene, const int32_t* ids,
                                               int64_t count, widephase_workspace* workspace,
                                               const widephase_options* options) {
  return with_scene(
      scene, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, Workspace<D, T>& scratch,
                          const CollideOptions& wanted) {
        auto* const kept =
            std::get_if<StaticScene<D, T>>(&required(static_scene, "static_scene").kept);
        if (kept == nullptr) {
          refuse("static_scene", "holds no scene of this one's dimension and precision");
        }
        update_static_scene(columns, required(ids, count, "ids"), *kept, scratch, wanted);
      });
}

widephase_result widephase_scene_set_kept(widephase_scene* scene,
                                          const widephase_static_scene* kept) {
  return guarded([&] { required(scene, "scene").kept = kept; });
}

widephase_result widephase_static_scene_collide(const widephase_static_scene* static_scene,
                                                const widephase_scene* moving,
                                                widephase_contacts* contacts,
                                                widephase_workspace* workspace,
                                                const widephase_options* options) {
  return with_contacts(
      moving, contacts, workspace, options,
      [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns, ContactBuffer<D, T>& held,
                          Workspace<D, T>& scratch, const CollideOptions& wanted) {
        held.clear();
        collide(columns, static_scene_of<D, T>(required(static_scene, "static_scene")), held,
                scratch, wanted);
      });
}

widephase_result widephase_any_overlap(const widephase_static_scene* static_scene,
                                       const widephase_scene* moving, uint8_t* is_overlap,
                                       int64_t count, widephase_workspace* workspace,
                                       const widephase_options* options) {
  return with_scene(moving, workspace, options,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns,
                                        Workspace<D, T>& scratch, const CollideOptions& wanted) {
                      any_overlap(columns,
                                  static_scene_of<D, T>(required(static_scene, "static_scene")),
                                  required(is_overlap, count, "is_overlap"), scratch, wanted);
                    });
}
