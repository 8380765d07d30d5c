// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/identifier_training.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "pipeline/identification/fasttext_dictionary.h"

namespace gloss {
namespace {

/// Appends numbers to bytes as fastText's files have them.
template <class... Numbers>
void put(std::string& bytes, Numbers... numbers) {
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
}

/// The lines of a label.
struct LabelLines {
  std::string label;
  std::vector<const std::string*> texts{};
};

std::vector<LabelLines> by_label(std::span<const LabelledLine> lines) {
  std::map<std::string, LabelLines> found;
  for (const LabelledLine& line : lines) {
    found.try_emplace(line.label, LabelLines{line.label}).first->second.texts.push_back(&line.text);
  }
  std::vector<LabelLines> labels;
  for (auto& [name, label] : found) labels.push_back(std::move(label));
  return labels;
}

std::string dictionary_bytes(const std::vector<LabelLines>& labels) {
  std::string bytes;
  const auto count = static_cast<std::int32_t>(labels.size());
  put(bytes, count, std::int32_t{0}, count, std::int64_t{0}, std::int64_t{-1});
  for (const LabelLines& label : labels) {
    bytes.append("__label__").append(label.label).append(1, '\0');
    put(bytes, static_cast<std::int64_t>(label.texts.size()), std::int8_t{1});
  }
  return bytes;
}

/// A line, or half of the time one to six neighbouring words of it.
std::string_view example_of(std::string_view line, Random& random) {
  constexpr std::size_t kMostWords = 6;
  if (random.uniform() < 0.5) return line;
  std::vector<std::size_t> starts{0};
  for (std::size_t at = 0; (at = line.find(' ', at)) != std::string_view::npos;) starts.push_back(++at);
  const std::size_t first = random.below(starts.size());
  const std::size_t end = first + 1 + random.below(kMostWords);
  line = line.substr(0, end < starts.size() ? starts[end] - 1 : line.size());
  return line.substr(starts[first]);
}

class Learner {
 public:
  Learner(const IdentifierTrainingSettings& settings, std::vector<LabelLines> labels,
          const FastTextDictionary& dictionary)
      : settings_(settings),
        labels_(std::move(labels)),
        dictionary_(dictionary),
        random_(static_cast<std::uint64_t>(settings.seed)),
        dimension_(index(settings.dimension)),
        input_(index(settings.buckets) * dimension_),
        output_(labels_.size() * dimension_) {
    for (float& weight : output_) weight = static_cast<float>(random_.uniform() - 0.5);
    double sum = 0;
    for (const LabelLines& label : labels_) {
      shares_.push_back(sum += std::sqrt(static_cast<double>(label.texts.size())));
    }
    for (double& share : shares_) share /= sum;
  }

  /// Learns one example; returns its loss.
  double learn(double rate) {
    const std::size_t label = std::min(
        index(std::ranges::upper_bound(shares_, random_.uniform()) - shares_.begin()), labels_.size() - 1);
    const auto& texts = labels_[label].texts;
    rows_.clear();
    dictionary_.features(
        example_of(*texts[random_.below(texts.size())], random_),
        [this](std::span<const std::int64_t> rows) { rows_.insert(rows_.end(), rows.begin(), rows.end()); });
    if (rows_.empty()) return 0;
    return update(label, static_cast<float>(rate));
  }

  /// The matrices in 8 bits: each column has a scale of its own, as a quantiser with parts of one number.
  void write(std::string& bytes) const {
    const auto rows = static_cast<std::int64_t>(settings_.buckets);
    put(bytes, std::uint8_t{1}, std::uint8_t{0}, rows, std::int64_t{settings_.dimension},
        static_cast<std::int32_t>(input_.size()));
    constexpr int kLevels = 127;
    std::vector<float> most(dimension_, 1e-20F);
    for (std::size_t i = 0; i < input_.size(); ++i) {
      most[i % dimension_] = std::max(most[i % dimension_], std::abs(input_[i]));
    }
    for (std::size_t i = 0; i < input_.size(); ++i) {
      bytes += static_cast<char>(kLevels + std::lround(input_[i] / most[i % dimension_] * kLevels));
    }
    put(bytes, std::int32_t{settings_.dimension}, std::int32_t{settings_.dimension}, std::int32_t{1},
        std::int32_t{1});
    for (const float scale : most) {
      for (int code = 0; code < 256; ++code) put(bytes, scale * static_cast<float>(code - kLevels) / kLevels);
    }
    put(bytes, std::uint8_t{0}, std::ssize(labels_), std::int64_t{settings_.dimension});
    for (const float weight : output_) put(bytes, weight);
  }

 private:
  double update(std::size_t label, float rate) {
    std::vector<float> mean(dimension_), gradient(dimension_), probabilities(labels_.size());
    for (const std::int64_t row : rows_) {
      const float* weights = &input_[index(row) * dimension_];
      for (std::size_t i = 0; i < dimension_; ++i) mean[i] += weights[i];
    }
    for (float& number : mean) number /= static_cast<float>(rows_.size());
    float most = -INFINITY, sum = 0;
    for (std::size_t other = 0; other < labels_.size(); ++other) {
      const float* weights = &output_[other * dimension_];
      float product = 0;
      for (std::size_t i = 0; i < dimension_; ++i) product += weights[i] * mean[i];
      most = std::max(most, probabilities[other] = product);
    }
    for (float& probability : probabilities) sum += probability = std::exp(probability - most);
    for (std::size_t other = 0; other < labels_.size(); ++other) {
      const float error = (other == label ? 1.0F : 0.0F) - probabilities[other] / sum;
      float* weights = &output_[other * dimension_];
      for (std::size_t i = 0; i < dimension_; ++i) {
        gradient[i] += error * weights[i];
        weights[i] += rate * error * mean[i];
      }
    }
    const float scale = rate / static_cast<float>(rows_.size());
    for (const std::int64_t row : rows_) {
      float* weights = &input_[index(row) * dimension_];
      for (std::size_t i = 0; i < dimension_; ++i) weights[i] += scale * gradient[i];
    }
    return -std::log(std::max(probabilities[label] / sum, 1e-30F));
  }

  const IdentifierTrainingSettings& settings_;
  std::vector<LabelLines> labels_;
  const FastTextDictionary& dictionary_;
  Random random_;
  std::size_t dimension_;
  std::vector<float> input_, output_;
  std::vector<double> shares_;  // cumulative, by label
  std::vector<std::int64_t> rows_;
};

}  // namespace

std::string trained_identifier(std::span<const LabelledLine> lines,
                               const IdentifierTrainingSettings& settings, Listener& listener) {
  std::vector<LabelLines> labels = by_label(lines);
  if (labels.size() < 2) {
    throw UsageError(
        concat("found ", labels.size(), " labels in ", lines.size(), " lines, expected at least two"));
  }
  const std::string entries = dictionary_bytes(labels);
  std::string bytes;
  constexpr std::int32_t kUnused = 1, kSoftmax = 3, kClassifier = 3;
  put(bytes, std::int32_t{793712314}, std::int32_t{12}, std::int32_t{settings.dimension}, kUnused,
      std::int32_t{settings.epochs}, kUnused, kUnused, std::int32_t{1}, kSoftmax, kClassifier,
      static_cast<std::int32_t>(settings.buckets), std::int32_t{1}, std::int32_t{settings.longest}, kUnused,
      0.0);
  bytes += entries;
  ByteReader reader(std::as_bytes(std::span(entries)), "the dictionary");
  const FastTextDictionary dictionary(
      reader, {.buckets = settings.buckets, .shortest = 1, .longest = settings.longest});
  Learner learner(settings, std::move(labels), dictionary);
  const double examples = static_cast<double>(lines.size()) * settings.epochs;
  double learned = 0;
  for (int epoch = 1; epoch <= settings.epochs; ++epoch) {
    double loss = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      loss += learner.learn(settings.learning_rate * (1 - learned++ / examples));
    }
    listener.note(
        concat("epoch ", epoch, ": loss ", fixed_text(loss / static_cast<double>(lines.size()), 4)));
  }
  learner.write(bytes);
  return bytes;
}

}  // namespace gloss
