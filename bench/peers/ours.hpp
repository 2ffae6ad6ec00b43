#pragma once

// widephase beside its peers: all pairs in one call, on one thread.

#include "pair_sets.hpp"
#include "peer_answer.hpp"

namespace widephase::bench {

template <int D, class T>
class Ours {
 public:
  /// Borrows the scene. With a margin of `kApartMargin` it answers distances too.
  explicit Ours(const SceneColumns<D, T>& scene, double margin = 0) : scene_(scene) {
    options_.threads.count = 1;
    options_.margin = margin;
    update_bounds(scene_, workspace_, options_);
  }

  /// What is timed.
  void answer(std::span<const Pair> pairs) {
    find_contacts(scene_, pairs, contacts_, workspace_, options_);
  }

  /// Of the call before, into an answer a pair.
  void write_answers(std::span<Answer> answers) const {
    std::ranges::fill(answers, Answer{});
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      Answer& answer = answers[static_cast<std::size_t>(contacts_.source[i])];
      answer = {true, contacts_.depth[i], {}};
      for (std::size_t k = 0; k < D; ++k) answer.normal[k] = contacts_.normal(i, k);
    }
  }

 private:
  SceneSpan<D, T> scene_;
  CollideOptions options_;
  Workspace<D, T> workspace_;
  ContactBuffer<D, T> contacts_;
};

}  // namespace widephase::bench
