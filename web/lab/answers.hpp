#pragma once

// The library's own answers about the two shapes, by its public calls.

#include <widephase/collide.hpp>
#include <widephase/distance.hpp>

#include "json.hpp"

namespace widephase::lab {

inline void write_feature(std::uint32_t half, Json& json) {
  json.object([&] {
    constexpr const char* kNames[] = {"whole", "vertex", "edge", "face"};
    json.key("kind").string(kNames[half >> 14 & 3]);
    json.key("index").number(half & 0x3fff);
  });
}
inline void write_features(std::uint32_t feature, Json& json) {
  json.key("of_a");
  write_feature(feature >> 16, json);
  json.key("of_b");
  write_feature(feature & 0xffff, json);
}

/// Contact i. With chains the next patch is within it, and so on.
template <int D, class T>
void write_contact(const ContactBuffer<D, T>& contacts, std::size_t i, Json& json) {
  if (contacts.size() <= i) return json.null();
  json.object([&] {
    json.key("normal").numbers(contacts.normal.row(i));
    json.key("depth").number(contacts.depth[i]);
    json.key("status").number(contacts.status[i]);
    json.key("points").array([&] {
      const auto begin = static_cast<std::size_t>(contacts.offset[i]);
      const auto end = static_cast<std::size_t>(contacts.offset[i + 1]);
      for (std::size_t p = begin; p < end; ++p) {
        json.object([&] {
          json.key("at").numbers(contacts.point.row(p));
          json.key("depth").number(contacts.point_depth[p]);
          write_features(contacts.feature[p], json);
          if (contacts.part.size() == 0) return;
          json.key("parts").numbers(contacts.part.row(p));
        });
      }
    });
    if (contacts.part.size() == 0) return;
    json.key("next");
    write_contact(contacts, i + 1, json);
  });
}

inline Threads one_thread() {
  Threads threads;
  threads.count = 1;
  return threads;
}

/// Contact and distance of a pair by both methods.
template <int D, class T>
void write_answers(const SceneColumns<D, T>& scene, const Pair& pair, Json& json) {
  CollideOptions options;
  options.threads = one_thread();
  Workspace<D, T> workspace;
  json.key("answers").object([&] {
    for (const Method method : {Method::sat, Method::gjk_epa}) {
      options.method = method;
      ContactBuffer<D, T> contacts;
      collide_pairs(scene, {&pair, 1}, contacts, workspace, options);
      DistanceBuffer<D, T> nearest;
      distances(scene, {&pair, 1}, nearest, workspace, options);
      json.key(method == Method::sat ? "sat" : "gjk_epa").object([&] {
        json.key("contact");
        write_contact(contacts, 0, json);
        json.key("distance").number(nearest.distance[0]);
        json.key("normal").numbers(nearest.normal.row(0));
        json.key("point_a").numbers(nearest.point_a.row(0));
        json.key("point_b").numbers(nearest.point_b.row(0));
        json.key("status").number(nearest.status[0]);
        write_features(nearest.feature[0], json);
      });
    }
  });
}

}  // namespace widephase::lab
