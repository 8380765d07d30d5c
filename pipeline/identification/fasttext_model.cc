// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/fasttext_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr std::int32_t kMagic = 793712314;
constexpr std::int32_t kMostNumbers = 1 << 16;  // of a vector
constexpr int kLongestNgram = 100;
constexpr int kSupervised = 3;

/// What fastText adds to each probability before it takes the logarithm.
float safe_log(float probability) { return static_cast<float>(std::log(probability + 1e-5)); }

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

/// The sigmoid as fastText tabulates it for losses with independent labels: in 512 steps over [-8, 8].
float tabulated_sigmoid(float x) {
  constexpr int kSteps = 512, kMost = 8;
  static const std::array<float, kSteps + 1> table = [] {
    std::array<float, kSteps + 1> values;
    for (int i = 0; i <= kSteps; ++i) values[index(i)] = sigmoid(float(i * 2 * kMost) / kSteps - kMost);
    return values;
  }();
  if (x < -kMost) return 0;
  if (x > kMost) return 1;
  return table[index(static_cast<std::int64_t>((x + kMost) * kSteps / kMost / 2))];
}

bool more_probable(const FastTextModel::Prediction& one, const FastTextModel::Prediction& other) {
  return one.log_probability > other.log_probability;
}

/// The best predictions so far. A heap like that of fastText, so that equal ones have the same order.
class BestPredictions {
 public:
  explicit BestPredictions(std::size_t count) : count_(count) {}

  bool accepts(float log_probability) const {
    return heap_.size() < count_ || log_probability >= heap_.front().log_probability;
  }
  void add(const FastTextModel::Prediction& prediction) {
    heap_.push_back(prediction);
    std::ranges::push_heap(heap_, more_probable);
    if (heap_.size() > count_) {
      std::ranges::pop_heap(heap_, more_probable);
      heap_.pop_back();
    }
  }
  std::vector<FastTextModel::Prediction> sorted() {
    std::ranges::sort_heap(heap_, more_probable);
    return std::move(heap_);
  }

 private:
  std::size_t count_;
  std::vector<FastTextModel::Prediction> heap_;
};

}  // namespace

FastTextModel::FastTextModel(const std::string& path)
    : file_(std::make_unique<const MappedFile>(path)), where_(path) {
  ByteReader reader(file_->bytes(), path);
  read(reader);
}

FastTextModel::FastTextModel(std::span<const std::byte> bytes, const std::string& where) : where_(where) {
  ByteReader reader(bytes, where);
  read(reader);
}

void FastTextModel::read(ByteReader& reader) {
  if (const auto magic = reader.number<std::int32_t>("the mark of fastText"); magic != kMagic) {
    throw InputError(
        concat(where_, " is not a model of fastText: it begins with ", magic, ", expected ", kMagic));
  }
  const auto version = reader.number<std::int32_t>("the version");
  if (version != 11 && version != 12) {
    throw InputError(concat(where_, " has version ", version, ", expected 11 or 12"));
  }
  const auto setting = [&reader](const char* name, std::int32_t least, std::int32_t most) {
    const auto value = reader.number<std::int32_t>(name);
    if (value < least || value > most) {
      throw InputError(concat(reader.where(), ": ", name, " is ", value, ", expected ", least, " to ", most));
    }
    return value;
  };
  constexpr std::int32_t kAny = INT32_MAX;
  dimension_ = setting("the size of vectors", 1, kMostNumbers);
  for (const char* name : {"the window", "the number of epochs", "the least count", "the negative samples"}) {
    setting(name, INT32_MIN, kAny);
  }
  FastTextFeatures features;
  features.word_ngrams = setting("the length of sequences of words", INT32_MIN, kLongestNgram);
  loss_ = static_cast<Loss>(setting("the loss", 1, 4));
  setting("the kind of model (1: cbow, 2: skipgram, 3: supervised)", kSupervised, kSupervised);
  features.buckets = setting("the number of buckets", 0, kAny);
  features.shortest = setting("the length of the shortest n-gram", INT32_MIN, kAny);
  features.longest = setting("the length of the longest n-gram", INT32_MIN, kLongestNgram);
  if (version == 11) features.longest = 0;
  setting("the rate of updates", INT32_MIN, kAny);
  reader.number<double>("the threshold of sampling");
  if (features.buckets == 0 && (features.longest > 0 || features.word_ngrams > 1)) {
    throw InputError(concat(where_, " has n-grams of ", features.longest, " characters and ",
                            features.word_ngrams, " words, but 0 buckets for them"));
  }
  dictionary_ = FastTextDictionary(reader, features);
  const bool quantised = reader.number<std::uint8_t>("a kind of matrix") != 0;
  input_ = FastTextMatrix(reader, quantised, dimension_, "the matrix of features");
  const bool output_quantised = reader.number<std::uint8_t>("a kind of matrix") != 0;
  output_ = FastTextMatrix(reader, quantised && output_quantised, dimension_, "the matrix of labels");
  const std::int64_t labels = std::ssize(dictionary_.labels());
  if (input_.rows() < dictionary_.rows() || output_.rows() < labels) {
    throw InputError(concat(where_, " has ", input_.rows(), " vectors of features and ", output_.rows(),
                            " of labels, expected ", dictionary_.rows(), " and ", labels));
  }
  for (std::string_view label : dictionary_.labels()) {
    constexpr std::string_view kPrefix = "__label__";
    if (label.starts_with(kPrefix)) label.remove_prefix(kPrefix.size());
    labels_.emplace_back(label);
  }
  if (loss_ == Loss::hierarchical_softmax) {
    build_tree();
  } else {
    columns_ = output_.columns(labels);
  }
}

// The two nodes of the lowest counts become the children of a new one. Labels are taken from the last to the
// first, which has the highest count; of equal counts an inner node comes first.
void FastTextModel::build_tree() {
  constexpr std::int64_t kLater = INT64_MAX;
  for (const std::int64_t count : dictionary_.label_counts()) tree_.push_back({count});
  const std::size_t labels = tree_.size();
  tree_.resize(2 * labels - 1, {kLater});
  std::size_t next_label = labels, next_node = labels;  // next_label counts downwards
  for (std::size_t node = labels; node < tree_.size(); ++node) {
    const auto take = [&] {
      const bool label = next_label > 0 && tree_[next_label - 1].count < tree_[next_node].count;
      return label ? --next_label : next_node++;
    };
    const std::size_t left = take(), right = take();
    tree_[node] = {tree_[left].count + tree_[right].count, static_cast<std::int32_t>(left),
                   static_cast<std::int32_t>(right)};
  }
}

bool FastTextModel::mean_features(std::string_view line, std::span<float> mean) const {
  std::ranges::fill(mean, 0.0F);
  std::int64_t features = 0;
  dictionary_.features(line, [&](std::span<const std::int64_t> rows) {
    input_.add(rows, mean);
    features += std::ssize(rows);
  });
  if (features == 0) return false;
  for (float& number : mean) {
    number *= 1.0F / static_cast<float>(features);
    if (!std::isfinite(number)) {
      throw InputError(concat(where_, " is damaged: weights of this line's features are not finite"));
    }
  }
  return true;
}

void FastTextModel::output(std::span<const float> mean, std::span<float> probabilities) const {
  std::ranges::fill(probabilities, 0.0F);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const float* weights = &columns_[i * labels_.size()];
    for (std::size_t label = 0; label < probabilities.size(); ++label) {
      probabilities[label] += weights[label] * mean[i];
    }
  }
  if (!std::ranges::all_of(probabilities, [](float product) { return std::isfinite(product); })) {
    throw InputError(concat(where_, " is damaged: weights of labels are not finite"));
  }
  if (loss_ != Loss::softmax) {
    std::ranges::transform(probabilities, probabilities.begin(), tabulated_sigmoid);
    return;
  }
  const float most = *std::ranges::max_element(probabilities);
  float sum = 0;
  for (float& probability : probabilities) sum += probability = std::exp(probability - most);
  for (float& probability : probabilities) probability /= sum;
}

std::vector<FastTextModel::Prediction> FastTextModel::search_tree(std::span<const float> mean,
                                                                  std::size_t count,
                                                                  const std::vector<bool>& chosen) const {
  BestPredictions best(count);
  // Nodes that are still to be visited, with the logarithms of their probabilities.
  std::vector<std::pair<std::size_t, float>> open{{tree_.size() - 1, 0.0F}};
  while (!open.empty()) {
    const auto [node, log_probability] = open.back();
    open.pop_back();
    // fastText leaves out nearly impossible labels; among a few labels, one of them may be the answer.
    if (chosen.empty() && log_probability < safe_log(0)) continue;
    if (!best.accepts(log_probability)) continue;
    if (tree_[node].left < 0) {
      if (chosen.empty() || chosen[node]) best.add({log_probability, static_cast<std::int32_t>(node)});
      continue;
    }
    const float right = sigmoid(output_.product(static_cast<std::int64_t>(node - labels_.size()), mean));
    if (!std::isfinite(right))
      throw InputError(concat(where_, " is damaged: weights of labels are not finite"));
    open.emplace_back(index(tree_[node].right), log_probability + safe_log(right));
    open.emplace_back(index(tree_[node].left), log_probability + safe_log(1 - right));
  }
  return best.sorted();
}

bool FastTextModel::probabilities(std::string_view line, std::span<float> probabilities) const {
  expects(loss_ != Loss::hierarchical_softmax, "a softmax or independent labels");
  std::vector<float> mean(index(dimension_));
  if (!mean_features(line, mean)) return false;
  output(mean, probabilities);
  return true;
}

std::vector<FastTextModel::Prediction> FastTextModel::predict(std::string_view line, std::size_t count,
                                                              const std::vector<bool>& chosen) const {
  std::vector<float> mean(index(dimension_));
  if (count == 0 || !mean_features(line, mean)) return {};
  if (loss_ == Loss::hierarchical_softmax) return search_tree(mean, count, chosen);
  std::vector<float> probabilities(labels_.size());
  output(mean, probabilities);
  BestPredictions best(count);
  for (std::size_t label = 0; label < probabilities.size(); ++label) {
    if (!chosen.empty() && !chosen[label]) continue;
    const float log_probability = safe_log(probabilities[label]);
    if (best.accepts(log_probability)) best.add({log_probability, static_cast<std::int32_t>(label)});
  }
  return best.sorted();
}

}  // namespace gloss
