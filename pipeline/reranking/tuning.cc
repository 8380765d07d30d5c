// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"

namespace gloss {

Fields fields_of(TuningSettings& settings) {
  return {{"restarts", &settings.restarts, "number of searches from random weights", {0, 10'000}, 0, "N"},
          {"seed", &settings.seed, "seed of the random weights", {0, 1e15}, 0, "N"}};
}

namespace {

using Vector = std::vector<double>;

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The candidate with the highest sum; the first of equal ones.
std::size_t choice(const std::vector<TunedCandidate>& candidates, const Vector& weights) {
  std::size_t best = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double sum = product(candidates[i].features, weights);
    if (sum > highest) {
      highest = sum;
      best = i;
    }
  }
  return best;
}

/// At `place` on a search line, the choice for a source line changes.
struct Change {
  double place;
  std::size_t line, from, to;
};

/// The searches of one test set.
class Search {
 public:
  Search(const TuningSet& set, const Metric& metric) : set_(set), metric_(metric) {}

  /// Higher is better.
  double score(const Vector& sums) const {
    const double score = metric_.score(sums);
    return metric_.lower_is_better() ? -score : score;
  }
  Vector sums_of(const Vector& weights) const {
    Vector sums(metric_.figures(), 0.0);
    for (const auto& candidates : set_.lines) add(sums, candidates[choice(candidates, weights)], 1);
    return sums;
  }
  /// Climbs from these weights until no direction gives a better score.
  TunedWeights climb(Vector weights, Random& random) const;

 private:
  static void add(Vector& sums, const TunedCandidate& candidate, double sign) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sign * candidate.figures[i];
  }
  /// Adds the changes of a source line along weights + place * direction, and returns the choice before the
  /// first.
  std::size_t add_changes(std::size_t line, const Vector& weights, const Vector& direction,
                          std::vector<Change>& changes) const;
  /// Where along a direction the score is best; nothing if nowhere better than `least`.
  std::optional<std::pair<double, double>> best_place(const Vector& weights, const Vector& direction,
                                                      double least) const;

  const TuningSet& set_;
  const Metric& metric_;
};

std::size_t Search::add_changes(std::size_t line, const Vector& weights, const Vector& direction,
                                std::vector<Change>& changes) const {
  struct Ray {
    double slope, height;
    std::size_t candidate;
  };
  std::vector<Ray> rays;
  const auto& candidates = set_.lines[line];
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    rays.push_back({product(candidates[i].features, direction), product(candidates[i].features, weights), i});
  }
  // The upper envelope: by slope, and of equal slopes only the highest and first.
  std::stable_sort(rays.begin(), rays.end(), [](const Ray& a, const Ray& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.height > b.height;
  });
  std::vector<std::pair<double, const Ray*>> envelope;  // where each ray becomes the highest
  for (const Ray& ray : rays) {
    if (!envelope.empty() && envelope.back().second->slope == ray.slope) continue;
    double place = -std::numeric_limits<double>::infinity();
    while (!envelope.empty()) {
      const Ray& below = *envelope.back().second;
      place = (below.height - ray.height) / (ray.slope - below.slope);
      if (place > envelope.back().first) break;
      envelope.pop_back();
      place = -std::numeric_limits<double>::infinity();
    }
    envelope.emplace_back(place, &ray);
  }
  for (std::size_t i = 1; i < envelope.size(); ++i) {
    changes.push_back(
        {envelope[i].first, line, envelope[i - 1].second->candidate, envelope[i].second->candidate});
  }
  return envelope.front().second->candidate;
}

std::optional<std::pair<double, double>> Search::best_place(const Vector& weights, const Vector& direction,
                                                            double least) const {
  constexpr double kBeyond = 1;  // outside the first and the last change
  std::vector<Change> changes;
  Vector sums(metric_.figures(), 0.0);
  for (std::size_t line = 0; line < set_.lines.size(); ++line) {
    add(sums, set_.lines[line][add_changes(line, weights, direction, changes)], 1);
  }
  if (changes.empty()) return std::nullopt;
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.place < b.place; });
  std::optional<std::pair<double, double>> best;
  const auto look = [&](double from, double to) {
    const double found = score(sums);
    if (found <= least || to - from < 1e-9) return;  // a narrower place would be rounded away
    least = found;
    best = {(from + to) / 2, found};
  };
  look(changes.front().place - 2 * kBeyond, changes.front().place);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    add(sums, set_.lines[changes[i].line][changes[i].from], -1);
    add(sums, set_.lines[changes[i].line][changes[i].to], 1);
    look(changes[i].place, i + 1 < changes.size() ? changes[i + 1].place : changes[i].place + 2 * kBeyond);
  }
  return best;
}

TunedWeights Search::climb(Vector weights, Random& random) const {
  constexpr int kMostRounds = 100, kRandomDirections = 8;
  double score_now = score(sums_of(weights));
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Vector> directions;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      directions.emplace_back(weights.size(), 0.0);
      directions.back()[i] = 1;
    }
    for (int i = 0; i < kRandomDirections && weights.size() > 1; ++i) {
      directions.emplace_back();
      for (std::size_t n = 0; n < weights.size(); ++n) directions.back().push_back(random.normal());
    }
    std::optional<Vector> better;
    for (const Vector& direction : directions) {
      const auto found = best_place(weights, direction, score_now);
      if (!found) continue;
      Vector moved = weights;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += found->first * direction[i];
      const double really = score(sums_of(moved));  // sums of many figures differ by rounding
      if (really <= score_now) continue;
      score_now = really;
      better = std::move(moved);
    }
    if (!better) break;
    weights = std::move(*better);
  }
  double total = 0;
  for (const double weight : weights) total += std::abs(weight);
  TunedWeights tuned{{}, score_now};
  for (std::size_t i = 0; i < weights.size(); ++i) tuned.weights[set_.names[i]] = weights[i] / total;
  return tuned;
}

}  // namespace

double score_of_choice(const TuningSet& set, const std::vector<double>& weights, const Metric& metric) {
  return metric.score(Search(set, metric).sums_of(weights));
}

TunedWeights tune(const TuningSet& set, const Metric& metric, const TuningSettings& settings,
                  const std::function<void(int searches)>& searched) {
  expects(!set.names.empty() && !set.lines.empty(), "tuning needs features and lines");
  const Search search(set, metric);
  Random random(static_cast<std::uint64_t>(settings.seed));
  std::optional<TunedWeights> best;
  for (int number = 0; number <= settings.restarts; ++number) {
    Vector start(set.names.size(), 0.0);
    start.front() = 1;
    if (number > 0) {
      for (double& weight : start) weight = random.normal();
    }
    TunedWeights found = search.climb(std::move(start), random);
    if (!best || found.score > best->score) best = std::move(found);
    searched(number + 1);
  }
  if (metric.lower_is_better()) best->score = -best->score;
  return *best;
}

}  // namespace gloss
