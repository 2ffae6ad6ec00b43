#pragma once

// widephase against its peers: all pairs in one call, on one thread.

#include <widephase/distance.hpp>

#include "pair_sets.hpp"
#include "peer_answer.hpp"

namespace widephase::bench {

/// Contacts by `find_contacts`, which reads a scene prepared before; the library has no call for
/// the deepest point only. Overlaps by `test_pairs` and distances by `distances`, which read the
/// scene each time.
template <int D, class T>
class Ours {
 public:
  /// Borrows the scene.
  explicit Ours(const SceneColumns<D, T>& scene, Question question = Question::manifold)
      : scene_(scene), question_(question) {
    options_.threads.count = 1;
    update_bounds(scene_, workspace_, options_);
  }

  /// This call is timed.
  void answer(std::span<const Pair> pairs) {
    if (question_ == Question::overlap) {
      is_contact_.resize(pairs.size());
      test_pairs(scene_, pairs, std::span(is_contact_), workspace_, options_);
    } else if (question_ == Question::distance) {
      distances(scene_, pairs, distances_, workspace_, options_);
    } else {
      find_contacts(scene_, pairs, contacts_, workspace_, options_);
    }
  }

  /// Writes the answers of the last call, one per pair.
  void write_answers(std::span<Answer> answers) const {
    std::ranges::fill(answers, Answer{});
    if (question_ == Question::overlap) {
      for (std::size_t i = 0; i < answers.size(); ++i) answers[i].is_hit = is_contact_[i] != 0;
    } else if (question_ == Question::distance) {
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const double distance = distances_.distance[i];
        answers[i] = {distance > 0, -distance, {}};
      }
    } else {
      write_contacts(answers);
    }
  }

 private:
  void write_contacts(std::span<Answer> answers) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      Answer& answer = answers[static_cast<std::size_t>(contacts_.source[i])];
      answer = {true, contacts_.depth[i], {}};
      for (std::size_t k = 0; k < D; ++k) answer.normal[k] = contacts_.normal(i, k);
    }
  }

  SceneSpan<D, T> scene_;
  Question question_;
  CollideOptions options_;
  Workspace<D, T> workspace_;
  ContactBuffer<D, T> contacts_;
  std::vector<std::uint8_t> is_contact_;
  DistanceBuffer<D, T> distances_;
};

}  // namespace widephase::bench
