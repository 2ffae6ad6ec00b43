#pragma once

#include <concepts>
#include <memory>

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// Takes the contacts of a call chunk by chunk. Borrows something that can be called with a
/// `const ContactBuffer<D, T>&`, such as a lambda, which must outlive the call.
template <int D, class T>
class ContactSink {
 public:
  /// Borrows anything that can be called so.
  template <class Take>
    requires(std::is_object_v<std::remove_reference_t<Take>> &&
             !std::same_as<std::remove_cvref_t<Take>, ContactSink> &&
             std::invocable<Take&, const ContactBuffer<D, T>&>)
  ContactSink(Take&& take)
      : self_(const_cast<void*>(static_cast<const void*>(std::addressof(take)))),
        take_([](void* self, const ContactBuffer<D, T>& chunk) {
          (*static_cast<std::remove_reference_t<Take>*>(self))(chunk);
        }) {}

  /// Hands a chunk over.
  void operator()(const ContactBuffer<D, T>& chunk) const { take_(self_, chunk); }

 private:
  void* self_;
  void (*take_)(void* self, const ContactBuffer<D, T>& chunk);
};

/// A sink as a call takes it, with dimension and precision of the workspace.
template <int D, class T>
using SinkArgument = const std::type_identity_t<ContactSink<D, T>>&;

/// `find_contacts` without storing all contacts: passes them to `sink` chunk by chunk. Together the
/// chunks are what `find_contacts` gives in order `kind`, bit for bit. Rows of a chunk's `offset`
/// are its own points, from 0; its `source` is the place in the whole list. A chunk has at least
/// one contact and, without surfaces, at most a few thousand, and lives while the sink
/// runs.
///
/// The sink is called for one chunk at a time, in order, on any of the call's threads. Meanwhile
/// the others are ahead by at most a few chunks each, which bounds the memory. An exception of the
/// sink ends the call, which throws it; the workspace stays usable. The sink must not use the
/// workspace.
///
/// Throws `Error` as `find_contacts` does, for an order other than `kind`, which would need all
/// contacts at once, and for `max_contacts` or `max_points`, since none are kept.
template <int D, class T>
WIDEPHASE_API void stream_contacts(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                                   SinkArgument<D, T> sink, Workspace<D, T>& workspace,
                                   const CollideOptions& options = {});

/// `collide` in the same way: bounds, pairs, and contacts chunk by chunk. The pairs are stored, 8
/// bytes each, and `max_pairs` caps them.
template <int D, class T>
WIDEPHASE_API void stream_collide(SceneArgument<D, T> scene, SinkArgument<D, T> sink,
                                  Workspace<D, T>& workspace, const CollideOptions& options = {});

}  // namespace widephase
