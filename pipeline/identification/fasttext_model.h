// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "pipeline/identification/fasttext_dictionary.h"
#include "pipeline/identification/fasttext_matrix.h"

namespace gloss {

/// A text classifier of fastText (Joulin et al. 2016): the mean of the vectors of a line's words and n-grams,
/// multiplied by the vector of each label. All methods may be called on several threads at once.
class FastTextModel {
 public:
  /// A label with its probability.
  struct Prediction {
    float log_probability;
    std::int32_t label;  ///< its number among the labels
  };

  /// Reads a file (.bin or .ftz). Throws InputError if it is none of a classifier.
  explicit FastTextModel(const std::string& path);
  /// Reads the bytes of a file, which the model refers to; `where` names them in errors.
  FastTextModel(std::span<const std::byte> bytes, const std::string& where);

  /// The labels, without the prefix `__label__`.
  const std::vector<std::string>& labels() const { return labels_; }
  /// True if the probabilities of all labels add up to 1.
  bool is_distribution() const { return loss_ == Loss::softmax || loss_ == Loss::hierarchical_softmax; }
  /// The `count` most probable labels of a line, best first, as fastText predicts them: a probability is that
  /// of the model + 1e-5. Empty if the line has no feature. `chosen` says for each label whether it may be
  /// predicted; empty: all. Throws InputError if weights are not finite.
  std::vector<Prediction> predict(std::string_view line, std::size_t count,
                                  const std::vector<bool>& chosen = {}) const;
  /// Writes the probabilities of all labels; false if the line has no feature. Not for hierarchical softmax.
  bool probabilities(std::string_view line, std::span<float> probabilities) const;

 private:
  enum class Loss { hierarchical_softmax = 1, negative_sampling, softmax, one_vs_all };
  /// A node of the Huffman tree of the labels: first these, then inner nodes, of which the last is the root.
  struct Node {
    std::int64_t count;
    std::int32_t left = -1, right = -1;
  };

  void read(ByteReader&);
  void build_tree();
  bool mean_features(std::string_view line, std::span<float> mean) const;
  void output(std::span<const float> mean, std::span<float> probabilities) const;
  std::vector<Prediction> search_tree(std::span<const float> mean, std::size_t count,
                                      const std::vector<bool>& chosen) const;

  std::unique_ptr<const MappedFile> file_;  // null: the bytes belong to others
  std::string where_;
  Loss loss_ = Loss::softmax;
  std::int32_t dimension_ = 0;
  FastTextDictionary dictionary_;
  FastTextMatrix input_, output_;
  std::vector<std::string> labels_;
  std::vector<Node> tree_;      // of hierarchical softmax
  std::vector<float> columns_;  // without it: the columns of output_ one after another
};

}  // namespace gloss
