// widephase.h: shapes that bodies carry, and contacts by body.

#include "c/c_handles.hpp"
#include "soa/number_text.hpp"

using namespace widephase;

widephase_result widephase_place(const widephase_scene* scene, widephase_scene* placed,
                                 const widephase_options* options) {
  return guarded([&] {
    required(placed, "placed");
    if (placed == &required(scene, "scene")) {
      refuse("placed", "is the scene itself; make another one for what is placed");
    }
    std::visit(
        [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
          auto* const shown = std::get_if<SceneSpan<D, T>>(&placed->columns);
          if (shown == nullptr) {
            refuse("placed", "is of another dimension or precision than the scene");
          }
          const Threads threads = options_of(options).threads;
          *shown = {};  // before its numbers change
          placed->geometries.reset();
          auto& moved = held_as<PlacedScene<D, T>>(placed->placed);
          place(columns, columns.bodies, moved, threads);
          *shown = moved.scene();
          placed->geometries = scene->geometries;
          placed->kept = scene->kept;
        },
        scene->columns);
  });
}

widephase_result widephase_contact_bodies(const widephase_scene* scene,
                                          const widephase_contacts* contacts, int32_t* bodies,
                                          int64_t count) {
  return guarded([&] {
    const auto& any = required(contacts, "contacts").held;
    with_columns(scene, [&]<int D, class T>(const Scene<Borrowed<D, T>>& columns) {
      with_held(any, "contacts", [&]<class Held>(const Held& held) {
        if constexpr (!std::is_same_v<Held, ContactBuffer<D, T>>) {
          refuse("contacts", "are of another dimension or precision than the scene");
        } else {
          required(bodies, count, "bodies");
          if (static_cast<std::size_t>(count) < held.size()) {
            refuse("bodies", "has " + number(count) + " rows; there are " + number(held.size()) +
                                 " contacts, so give it as many or more");
          }
          Column<std::int32_t, 2> found;
          contact_bodies(columns, held, found);
          for (std::size_t i = 0; i < found.size(); ++i) {
            for (int w = 0; w < 2; ++w) {
              bodies[2 * i + static_cast<std::size_t>(w)] = found(i, w);
            }
          }
        }
      });
    });
  });
}
