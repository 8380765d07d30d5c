// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/statistical_aligner.h"

#include <algorithm>
#include <mutex>

#include "pipeline/alignment/line_links.h"

namespace gloss {
namespace {

constexpr double kNullProbability = 0.2;

/// Shows the progress of `passes` passes over the pairs, as pairs that are done.
class Reporter {
 public:
  Reporter(std::int64_t pairs, int passes, Listener& listener) : listener_(listener), passes_(passes) {
    progress_.total = pairs;
    progress_.unit = "pairs";
    progress_.details = "learning";
  }
  PairsDone counter() {
    return [this](std::int64_t pairs) {
      const std::lock_guard lock(guard_);
      passed_ += pairs;
      progress_.done = passed_ / passes_;
      listener_.progress(progress_);
    };
  }

 private:
  Listener& listener_;
  std::mutex guard_;
  Progress progress_;
  int passes_;
  std::int64_t passed_ = 0;
};

/// For each generated word the number of the given word that most probably generated it; -1: the null word.
std::vector<int> most_probable(LinkWeights& links) {
  std::vector<int> best;
  for (int word = 0; word < links.generated; ++word) {
    const std::span<const float> row = links.row(word);
    best.push_back(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()) - 1);
  }
  return best;
}

}  // namespace

StatisticalAligner::StatisticalAligner(const TokenPairs& pairs, const Settings& settings, int threads,
                                       Listener& listener)
    : StatisticalAligner(pairs, settings, threads,
                         Reporter(pairs.size(), 3 * settings.iterations, listener).counter()) {}

StatisticalAligner::StatisticalAligner(const TokenPairs& pairs, const Settings& settings, int threads,
                                       const PairsDone& done)
    : pairs_(pairs),
      forward_(ibm_model_1({pairs.source, pairs.target}, settings.source_vocabulary, settings.iterations,
                           threads, done)),
      reverse_(ibm_model_1({pairs.target, pairs.source}, settings.target_vocabulary, settings.iterations,
                           threads, done)),
      forward_jumps_(kNullProbability),
      reverse_jumps_(kNullProbability) {
  for (int i = 0; i < settings.iterations; ++i) {
    learn_agreement(pairs, {forward_, forward_jumps_}, {reverse_, reverse_jumps_}, threads, done);
  }
}

std::vector<WordLink> StatisticalAligner::links(std::int64_t pair, Symmetrisation symmetrisation) {
  const auto source = pairs_.source[pair], target = pairs_.target[pair];
  if (source.empty() || target.empty()) return {};
  LineLinks to, from;
  to.translate(source, target, forward_);
  from.translate(target, source, reverse_);
  forward_jumps_.weigh(to.links, Counting::off);
  reverse_jumps_.weigh(from.links, Counting::off);
  return symmetrise(most_probable(to.links), most_probable(from.links), symmetrisation);
}

}  // namespace gloss
