#pragma once

// What calls share: options by name, workspaces, trackers, static scenes and contacts.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <widephase/notes.hpp>
#include <widephase/options.hpp>
#include <widephase/shape_cast_options.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/tracker.hpp>

#include "scene.hpp"

namespace widephase::python {

/// Scratch of one dimension and precision, with contact buffers that are no longer in use.
template <int D, class T>
struct Scratch {
  Workspace<D, T> workspace;
  std::vector<std::unique_ptr<ContactBuffer<D, T>>> spare;
};
template <int D, class T>
using SharedScratch = std::shared_ptr<Scratch<D, T>>;

struct WorkspaceObject {
  AnyOf<SharedScratch, std::monostate> held;
  bool is_busy = false;
};

/// Whether pybind11's error says that a shared object was expected but the object has no value.
inline bool is_of_unmade(const py::cast_error& error) {
  return std::string_view(error.what()).find("non-held") != std::string_view::npos;
}

/// A workspace for a call without one: an idle one that has served this dimension and precision, or
/// else another. `index` is the index of that alternative of `WorkspaceObject::held`.
std::shared_ptr<WorkspaceObject> take_workspace(std::size_t index);
void give_back(std::shared_ptr<WorkspaceObject> workspace);

/// Reserves an object for one call. Made and destroyed while holding the interpreter's lock.
template <class Object>
class Lease {
 public:
  Lease(std::shared_ptr<Object> object, std::string_view name) : object_(std::move(object)) {
    if (object_->is_busy) refuse(name, "is in use by another thread's call; give each its own");
    object_->is_busy = true;
  }
  ~Lease() { object_->is_busy = false; }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Object& operator*() const { return *object_; }

 private:
  std::shared_ptr<Object> object_;
};

/// The scratch of a call, from the caller's workspace or an idle one of the module.
template <int D, class T>
class ScratchLease {
 public:
  explicit ScratchLease(std::shared_ptr<WorkspaceObject> given)
      : is_own_(given == nullptr),
        object_(is_own_ ? take_workspace(kIndex) : std::move(given)),
        lease_(object_, "workspace") {
    if (!std::holds_alternative<SharedScratch<D, T>>(object_->held)) {
      object_->held = std::make_shared<Scratch<D, T>>();
    }
    scratch_ = std::get<SharedScratch<D, T>>(object_->held);
  }
  ~ScratchLease() {
    if (is_own_) give_back(object_);
  }
  ScratchLease(const ScratchLease&) = delete;
  ScratchLease& operator=(const ScratchLease&) = delete;

  Workspace<D, T>& workspace() { return scratch_->workspace; }

  /// A buffer that returns here after it and its arrays are released. Call it with the lock held.
  std::shared_ptr<ContactBuffer<D, T>> contacts() {
    std::unique_ptr<ContactBuffer<D, T>> buffer;
    if (scratch_->spare.empty()) {
      buffer = std::make_unique<ContactBuffer<D, T>>();
    } else {
      buffer = std::move(scratch_->spare.back());
      scratch_->spare.pop_back();
    }
    // Two, since a caller reads one while the next call writes the other.
    constexpr std::size_t kSpare = 2;
    return {buffer.release(), [home = std::weak_ptr(scratch_)](ContactBuffer<D, T>* returned) {
              std::unique_ptr<ContactBuffer<D, T>> owner(returned);
              const auto scratch = home.lock();
              if (scratch && scratch->spare.size() < kSpare) {
                scratch->spare.push_back(std::move(owner));
              }
            }};
  }

 private:
  static constexpr std::size_t kIndex = [] {
    constexpr std::size_t kPrecision = std::is_same_v<T, float>    ? 0
                                       : std::is_same_v<T, double> ? 1
                                                                   : 2;
    return 1 + (D == 3 ? 3 : 0) + kPrecision;
  }();

  bool is_own_;
  std::shared_ptr<WorkspaceObject> object_;
  Lease<WorkspaceObject> lease_;
  SharedScratch<D, T> scratch_;
};

struct TrackerObject {
  AnyOf<Tracker, std::monostate> held;
  std::int32_t world_count = 0;  ///< of the last step; 0: there was none
  bool is_busy = false;
};

/// The tracker for this dimension and precision, which its first step sets.
template <int D, class T>
Tracker<D, T>& tracker_as(TrackerObject& object) {
  if (std::holds_alternative<std::monostate>(object.held)) object.held = Tracker<D, T>();
  if (auto* tracker = std::get_if<Tracker<D, T>>(&object.held)) return *tracker;
  refuse("tracker", "follows scenes of another dimension or precision; make another Tracker");
}

struct StaticSceneObject {
  AnyOf<StaticScene> kept;
  SharedRows rows;
  int calls = 0;  ///< that ask it at the moment; -1: one changes it. With the interpreter's lock
};

/// A call that asks or changes a static scene. Throws `Error` if another one is in its way.
class StaticSceneLease {
 public:
  enum class To { ask, change };
  StaticSceneLease(std::shared_ptr<StaticSceneObject> object, To what, std::string_view name)
      : object_(std::move(object)), step_(what == To::ask ? 1 : -1) {
    if (step_ > 0 ? object_->calls < 0 : object_->calls != 0) {
      refuse(name, step_ > 0 ? "is being changed by another thread's call"
                             : "is in use by another thread's call; change it between calls");
    }
    object_->calls += step_;
  }
  ~StaticSceneLease() { object_->calls -= step_; }
  StaticSceneLease(const StaticSceneLease&) = delete;
  StaticSceneLease& operator=(const StaticSceneLease&) = delete;

 private:
  std::shared_ptr<StaticSceneObject> object_;
  int step_;
};

/// What an object keeps; throws `Error` if it is of another dimension or precision. Null: nothing.
template <int D, class T>
const StaticScene<D, T>* kept_of(const std::shared_ptr<StaticSceneObject>& object) {
  if (object == nullptr) return nullptr;
  if (const auto* kept = std::get_if<StaticScene<D, T>>(&object->kept)) return kept;
  const auto word = []<int E, class S>(const StaticScene<E, S>*) {
    return std::to_string(E) + "D, " + std::string(precision_word<S>);
  };
  const std::string there =
      std::visit([&](const auto& other) { return word(&other); }, object->kept);
  refuse("kept", "is " + there + "; the scene is " +
                     word(static_cast<const StaticScene<D, T>*>(nullptr)) +
                     ": Scene(dimension, precision) says it for both");
}

/// An argument by name that is not an option of options.hpp.
struct Keyword {
  std::string_view name;
  std::string_view otherwise;  ///< its default, in Python syntax
  std::string_view text;
};

/// A function of the module with options, as its help and errors show it.
struct Function {
  std::string_view name;
  std::string_view arguments;  ///< those before the options: "scene, pairs"
  Calls calls;                 ///< the calls whose options it takes
  std::string_view answer;     ///< the type that it returns
  bool has_tracker = false;    ///< takes `tracker` besides the options
  bool has_kept = false;       ///< takes `kept` besides the options
  std::span<const Keyword> keywords = {};  ///< takes these besides the options

  /// "collide(scene, *, margin=0.0, ...) -> Contacts", then `text`, then a line for each option.
  std::string help(std::string_view text) const;
};

/// The options of a call, with the objects that keep their arrays alive.
class CallOptions {
 public:
  /// Throws TypeError for names that the function does not have, and `Error` for wrong values.
  CallOptions(const py::kwargs& given, const Function& function);

  CollideOptions options;
  std::shared_ptr<WorkspaceObject> workspace;
  std::shared_ptr<TrackerObject> tracker;
  std::shared_ptr<StaticSceneObject> kept;
  std::map<std::string_view, py::object> keywords;  ///< those that are given and not None

 private:
  void read_object(std::string_view name, const py::object& value);

  std::vector<py::object> holders_;
  std::optional<StaticSceneLease> asking_;
};

/// The options of a call with shapes in motion, which has their keywords.
ShapeCastOptions shape_cast_options_of(const CallOptions& given);

/// As Python warnings, those of what the scene is asked with.
void warn_of(const SceneObject& scene, std::vector<Finding> notes);

/// Calls `call(span)` with a view of the scene and of what the call keeps.
template <class Call>
decltype(auto) with_asked(const SceneObject& scene, const CallOptions& given, const Call& call) {
  return with_scene(scene,
                    [&]<int D, class T>(const Scene<Borrowed<D, T>>& span) -> decltype(auto) {
                      SceneSpan<D, T> both = span;
                      both.kept = kept_of<D, T>(given.kept);
                      if (!given.options.moving_pairs && both.kept == nullptr) {
                        refuse("moving_pairs",
                               "is False, which leaves the pairs with kept; give "
                               "kept= a StaticScene");
                      }
                      warn_of(scene, notes_of<D, T>(both));
                      return call(std::as_const(both));
                    });
}

struct ContactsObject {
  template <int D, class T>
  using Shared = std::shared_ptr<ContactBuffer<D, T>>;
  AnyOf<Shared> buffer;
  SharedRows moving;                                         ///< null: the scene is unknown
  std::shared_ptr<const StaticSceneObject> kept;             ///< null: there was none
  mutable std::shared_ptr<const tools::ContactSides> sides;  ///< made when first asked for
};

/// World, kind, row, key, body and name of both sides; null if they are unknown (contacts of a file
/// without them).
std::shared_ptr<const tools::ContactSides> known_sides(const ContactsObject& contacts);
/// What a pickle has of them, and the reverse.
py::object state_of_sides(const ContactsObject& contacts);
std::shared_ptr<const tools::ContactSides> sides_of_state(const py::object& state);

/// Calls `call(buffer)` with the buffer that holds the contacts.
template <class Call>
decltype(auto) with_contacts(const ContactsObject& contacts, const Call& call) {
  return std::visit(
      [&]<int D, class T>(const std::shared_ptr<ContactBuffer<D, T>>& buffer) -> decltype(auto) {
        return call(buffer);
      },
      contacts.buffer);
}

void bind_collide(py::module_& module);
void bind_queries(py::module_& module);
void bind_rays(py::module_& module);
void bind_casts(py::module_& module);
void bind_impact(py::module_& module);
void bind_tracker(py::module_& module);
/// A scene of many worlds from a template.
std::shared_ptr<SceneObject> replicate_scene(const SceneObject& scene, std::int32_t world_count);

void bind_bodies(py::module_& module);
void bind_files(py::module_& module);
void bind_environments(py::module_& module);
void bind_robots(py::module_& module);
void bind_trees(py::module_& module);
void bind_transforms(py::module_& module);
void bind_labels(py::module_& module);
void bind_contacts(py::module_& module, py::class_<ContactsObject>& contacts);

}  // namespace widephase::python
