// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "pipeline/metrics/buckets.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

constexpr std::size_t kOrders = 4;
constexpr std::size_t kShownNgrams = 25;

const Bounds kFrequencyBounds{1, 2, 3, 5, 10, 100, 1000};

/// Numbers the words of a test set.
class WordTable {
 public:
  explicit WordTable(const BleuSettings& settings)
      : tokenizer_(make_tokenizer(settings.tokenize)), lowercase_(settings.lowercase) {}

  std::vector<std::uint32_t> numbers(const std::string& line) {
    tokenizer_->tokenize(lowercase_ ? lower_case(line) : line, text_, words_);
    std::vector<std::uint32_t> result;
    for (const std::string_view word : words_) {
      const auto [place, fresh] =
          numbers_.try_emplace(std::string(word), static_cast<std::uint32_t>(spellings_.size()));
      if (fresh) spellings_.push_back(place->first);
      result.push_back(place->second);
    }
    return result;
  }
  const std::string& spelling(std::uint32_t number) const { return spellings_[number]; }
  std::size_t size() const { return spellings_.size(); }

 private:
  std::unique_ptr<WordTokenizer> tokenizer_;
  bool lowercase_;
  std::string text_;
  std::vector<std::string_view> words_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> spellings_;
};

/// A trie of the n-grams of all references: nodes are found by prefix and last word; node 0 is empty.
class NgramTable {
 public:
  static constexpr std::uint32_t kNone = 0;

  std::uint32_t add(std::uint32_t prefix, std::uint32_t word) {
    const auto [place, fresh] =
        nodes_.try_emplace(key(prefix, word), static_cast<std::uint32_t>(parts_.size()));
    if (fresh) parts_.push_back({prefix, word});
    return place->second;
  }
  std::uint32_t find(std::uint32_t prefix, std::uint32_t word) const {
    const auto place = nodes_.find(key(prefix, word));
    return place == nodes_.end() ? kNone : place->second;
  }
  std::size_t size() const { return parts_.size(); }

  /// The n-gram of a node.
  std::string text(std::uint32_t node, const WordTable& words) const {
    std::string result = words.spelling(parts_[node].second);
    for (node = parts_[node].first; node != kNone; node = parts_[node].first) {
      result = words.spelling(parts_[node].second) + " " + result;
    }
    return result;
  }

 private:
  static std::uint64_t key(std::uint32_t prefix, std::uint32_t word) {
    return (std::uint64_t{prefix} << 32) | word;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_{{0, 0}};
};

/// Calls `visit(node)` for each n-gram of a text for which `step(prefix, word)` returns a node.
template <class Step, class Visit>
void each_ngram(const std::vector<std::uint32_t>& words, const Step& step, const Visit& visit) {
  for (std::size_t start = 0; start < words.size(); ++start) {
    std::uint32_t node = 0;
    for (std::size_t at = start; at < std::min(words.size(), start + kOrders); ++at) {
      node = step(node, words[at]);
      if (node == NgramTable::kNone) break;
      visit(node);
    }
  }
}

/// Counts words and n-grams of a test set.
class Counter {
 public:
  Counter(const TestSet& test, const BleuSettings& settings)
      : test_(test), words_(settings), hits_(test.systems.size()), given_(test.systems.size()) {
    for (std::size_t i = 0; i < test.references.size(); ++i) count_segment(i);
  }

  std::vector<FrequencyBucket> frequencies() {
    std::vector<FrequencyBucket> buckets(kFrequencyBounds.size());
    std::vector<std::vector<std::array<double, 3>>> sums(test_.systems.size());  // matches, system, reference
    for (auto& of_system : sums) of_system.resize(buckets.size());
    frequency_.resize(words_.size(), 0);
    for (std::uint32_t word = 0; word < frequency_.size(); ++word) {
      if (frequency_[word] == 0) continue;
      const std::size_t bucket = bucket_of(kFrequencyBounds, frequency_[word]);
      buckets[bucket].words += frequency_[word];
      const std::uint32_t node = ngrams_.find(0, word);
      for (std::size_t system = 0; system < sums.size(); ++system) {
        const auto given = word < given_[system].size() ? given_[system][word] : 0;
        sums[system][bucket][0] += node < hits_[system].size() ? hits_[system][node] : 0;
        sums[system][bucket][1] += static_cast<double>(given);
        sums[system][bucket][2] += static_cast<double>(frequency_[word]);
      }
    }
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      buckets[b].name = bucket_name(kFrequencyBounds, b);
      for (const auto& of_system : sums) {
        const double both = of_system[b][1] + of_system[b][2];
        buckets[b].f_scores.push_back(both == 0 ? 0 : std::min(100.0, 100 * 2 * of_system[b][0] / both));
      }
    }
    std::erase_if(buckets, [](const FrequencyBucket& bucket) { return bucket.words == 0; });
    return buckets;
  }

  NgramDifferences differences(std::size_t system) const {
    const auto hits = [&](std::size_t of, std::uint32_t node) -> std::size_t {
      return node < hits_[of].size() ? hits_[of][node] : 0;
    };
    // Significance of each difference: its z-score if both systems match the n-gram with equal probability.
    std::vector<std::pair<double, std::uint32_t>> ranks;
    for (std::uint32_t node = 1; node < ngrams_.size(); ++node) {
      const auto baseline = static_cast<double>(hits(0, node)), own = static_cast<double>(hits(system, node));
      if (baseline != own) ranks.emplace_back((own - baseline) / std::sqrt(own + baseline), node);
    }
    NgramDifferences result;
    const auto take = [&](auto better, std::vector<NgramDifference>& out) {
      const std::size_t count = std::min(kShownNgrams, ranks.size());
      std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(count), ranks.end(),
                        better);
      for (std::size_t i = 0; i < count && (ranks[i].first > 0) == (&out == &result.gained); ++i) {
        out.push_back(
            {ngrams_.text(ranks[i].second, words_), hits(0, ranks[i].second), hits(system, ranks[i].second)});
      }
    };
    take([](const auto& a,
            const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; },
         result.gained);
    take([](const auto& a,
            const auto& b) { return a.first != b.first ? a.first < b.first : a.second < b.second; },
         result.lost);
    return result;
  }

 private:
  void count_segment(std::size_t segment) {
    // Maximum number of matches of each n-gram: its highest count in a single reference.
    std::unordered_map<std::uint32_t, std::uint32_t> allowed, seen;
    bool first = true;
    for (const std::string& reference : test_.references[segment]) {
      const std::vector<std::uint32_t> numbers = words_.numbers(reference);
      if (first) {
        frequency_.resize(words_.size(), 0);
        for (const std::uint32_t word : numbers) ++frequency_[word];
      }
      first = false;
      seen.clear();
      each_ngram(
          numbers, [&](std::uint32_t prefix, std::uint32_t word) { return ngrams_.add(prefix, word); },
          [&](std::uint32_t node) { allowed[node] = std::max(allowed[node], ++seen[node]); });
    }
    for (std::size_t system = 0; system < test_.systems.size(); ++system) {
      const std::vector<std::uint32_t> numbers = words_.numbers(test_.systems[system][segment]);
      given_[system].resize(words_.size(), 0);
      for (const std::uint32_t word : numbers) ++given_[system][word];
      hits_[system].resize(ngrams_.size(), 0);
      seen.clear();
      each_ngram(
          numbers, [&](std::uint32_t prefix, std::uint32_t word) { return ngrams_.find(prefix, word); },
          [&](std::uint32_t node) {
            const auto place = allowed.find(node);
            if (place != allowed.end() && seen[node]++ < place->second) ++hits_[system][node];
          });
    }
  }

  const TestSet& test_;
  WordTable words_;
  NgramTable ngrams_;
  std::vector<std::size_t> frequency_;             // counts in the first references, by word
  std::vector<std::vector<std::uint32_t>> hits_;   // by system, then by n-gram
  std::vector<std::vector<std::uint32_t>> given_;  // by system, then by word
};

}  // namespace

Comparison compare_systems(const TestSet& test, std::span<const std::unique_ptr<Metric>> sentence_metrics,
                           const Evaluation& evaluation, const BleuSettings& settings) {
  Comparison result;
  Counter counter(test, settings);
  result.frequencies = counter.frequencies();
  for (std::size_t system = 1; system < test.systems.size(); ++system) {
    result.ngrams.push_back(counter.differences(system));
  }
  for (std::size_t m = 0; m < sentence_metrics.size(); ++m) {
    result.sentence_scores.emplace_back();
    for (const Figures& figures : evaluation.figures[m]) {
      std::vector<double> scores;
      for (std::size_t i = 0; i < figures.segments(); ++i)
        scores.push_back(sentence_metrics[m]->score(figures.row(i)));
      result.sentence_scores.back().push_back(std::move(scores));
    }
  }
  return result;
}

}  // namespace gloss
