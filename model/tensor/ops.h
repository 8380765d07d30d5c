// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/kernels/activation.h"
#include "model/kernels/dropout_mask.h"
#include "model/tensor/attention_pattern.h"
#include "model/tensor/soft_targets.h"
#include "model/tensor/tensor.h"
#include "model/tensor/top_scores.h"

namespace gloss {

// Operations compute at once and register their gradient with `record`. T is the number of rows (tokens) of a
// packed batch. Rows are independent of each other unless the operation says otherwise.
//
// Activations are f32 or bf16: results have the dtype of their inputs, and so do gradients. Sums are f32.
// Parameters and their gradients are f32; products of bf16 activations use a parameter's bf16 copy
// (Tensor::as).

/// A dropout mask for a rate in [0, 1), with a key from `random`. Null or rate 0: keeps all.
DropoutMask dropout_mask(double rate, Random* random);

/// y [T, out] = x [T, in] · weight [out, in]ᵀ + bias [out]. `bias` may be empty. T is at least 2.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);
/// max(linear(x), 0), then dropout.
Tensor linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias, const DropoutMask&);
/// activation(x), then dropout.
Tensor activate(const Tensor& x, Activation, const DropoutMask&);
/// [T, n] from x [T, 2 n]: activation(the first n columns) * the last n columns, then dropout (Dauphin et al.
/// 2017, Shazeer 2020).
Tensor gate(const Tensor& x, Activation, const DropoutMask&);

/// factor * x.
Tensor scale(const Tensor& x, float factor);
/// base + dropout(branch); both [T, width].
Tensor add_dropout(const Tensor& base, const Tensor& branch, const DropoutMask&);
/// Parameters of a normalisation, both [width]. With a bias, layer normalisation (Ba et al. 2016): each row
/// gets mean 0 and variance 1, times gain plus bias. Without, RMS normalisation (Zhang and Sennrich 2019):
/// each row gets mean square 1, times gain.
struct NormWeights {
  Tensor gain;
  Tensor bias = {};
  float epsilon = 1e-5f;  ///< added to the variance or mean square
};
Tensor norm(const Tensor& x, const NormWeights&);
/// norm(base + dropout(branch)) without storing the sum.
Tensor add_dropout_norm(const Tensor& base, const Tensor& branch, const DropoutMask&, const NormWeights&);

/// Rows of `table` [vocabulary, width] times `scale`, plus rows of `positions` [max_positions, width] (may be
/// empty), then dropout. Token -1 has a row of zeros in the table. The dtype is the table's working type.
Tensor embed(const Tensor& table, const Tensor& positions, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> places, float scale, const DropoutMask&);

/// x times a constant.
Tensor multiplied(const Tensor& x, float factor);
/// Gains of the heads of an attention: the first `queries` parts of a row are heads of queries, the next
/// `keys` parts are heads of keys.
struct HeadGains {
  Tensor query, key;  ///< [head width]; one may be empty, if there are no such heads
  int queries = 0, keys = 0;
  float epsilon = 1e-5f;
};
/// RMS normalisation of each head of x [T, columns], times the gain of its kind (Henry et al. 2020, Dehghani
/// et al. 2023); the columns after the heads are copied.
Tensor norm_heads(const Tensor& x, const HeadGains&);
/// Rotary positions (Su et al. 2021): in each row of x [T, columns], rotates the first `heads` parts of
/// `angles.columns()` elements by the angles of the row's position; the other columns are copied. angles
/// [positions, head width]: cosines, then sines, of each position. Element i of a part's first half and
/// element i of its second half rotate together.
Tensor rotate(const Tensor& x, const Tensor& angles, std::vector<std::int32_t> places, int heads);

/// A sentence's query rows and key rows: queries attend to the keys of the same span. Rows outside all spans
/// give zeros.
struct AttentionSpan {
  int query_start, query_count;
  int key_start, key_count;
};

/// The heads of an attention. Each head of keys and values serves heads / key_value_heads heads of queries:
/// one for multi-query attention (Shazeer 2019), fewer than the heads for groups (Ainslie et al. 2023).
struct AttentionHeads {
  int heads;            ///< of queries and results
  int key_value_heads;  ///< a divisor of `heads`
  std::int64_t head_width;
  float scale;  ///< multiplies the scores

  /// As many heads of keys and values, scores divided by the square root of the head width (Vaswani et al.
  /// 2017).
  static AttentionHeads of_width(std::int64_t width, int heads);
  std::int64_t width() const { return heads * head_width; }
  std::int64_t key_value_width() const { return key_value_heads * head_width; }
};

struct AttentionShape {
  AttentionHeads heads;
  bool causal = false;  ///< query i of a span sees its keys 0 .. i only
  DropoutMask dropout;  ///< on the weights
  /// [heads, 2 * reach + 1]: the score of a span's query i and key j gets element j - i + reach of the head,
  /// clamped to the first or last (Press et al. 2022, Raffel et al. 2020). Empty: nothing is added.
  Tensor distances = {};
  /// Above 0: query i of a span sees its keys i - window .. i + window only. Time grows with the window, not
  /// with the number of keys.
  std::int64_t window = 0;
  /// Sparse self-attention: the keys that each head's queries see. Queries and keys are the same rows of a
  /// span, without a window; with an order of rows also not causal and without distances. Null: all keys.
  std::shared_ptr<const AttentionPattern> pattern = nullptr;
  /// Above 0: the rows of a span are the places of a grid with this number of columns, row by row, and
  /// distances are those of DistanceScores.
  int grid_columns = 0;
};

/// Scaled dot-product attention (Vaswani et al. 2017) of all heads: [rows of queries, width]. Queries are the
/// first `width` columns of `queries`; keys and values are the last 2 * key_value_width columns of
/// `keys_values`. Both may be one tensor [T, width + 2 key_value_width], or [Tq, width] and [Tk, 2
/// key_value_width].
Tensor attention(const Tensor& queries, const Tensor& keys_values, std::vector<AttentionSpan> spans,
                 const AttentionShape&);

/// The weights of one head of the same attention, without dropout, in f32: for each span and query one weight
/// per key of the span.
Tensor head_weights(const Tensor& queries, const Tensor& keys_values, std::vector<AttentionSpan> spans,
                    const AttentionHeads&, int head);

/// A weight, by its number, and its share of a loss.
struct WeightShare {
  std::int64_t weight;
  float share;
};
/// [1]: the sum of -share * log(weight) over some weights, which are f32. Weights below 1e-30 count as that
/// and get no gradient.
Tensor share_loss(const Tensor& weights, std::vector<WeightShare> shares);

/// Numbers of a tensor, which are f32, each in a group, from 0; -1: in none.
struct GroupedNumbers {
  Tensor numbers;
  std::vector<int> groups;
};
/// [1]: the sum over groups of factors[group] * (1 - the sum of the group's numbers)².
Tensor missing_squares(std::vector<GroupedNumbers> parts, std::vector<float> factors);

/// The key rows visible to each query row during decoding: query r sees keys[starts[r]] .. keys[starts[r + 1]
/// - 1], each a pointer to a row's keys, directly followed by its values.
struct KeyRows {
  std::vector<const void*> keys;  ///< in the dtype of the queries
  std::vector<int> starts{0};

  void clear() {
    keys.clear();
    starts.resize(1);
  }
  /// Assigns all keys since the previous row to this row.
  void end_row() { starts.push_back(static_cast<int>(keys.size())); }
};

/// As `attention`, without gradient. Query rows beyond the lists give zeros. A row's result depends only on
/// its own query, keys and values. With `distances`, the position of a query is that of its last key.
Tensor attend_rows(const Tensor& queries, const KeyRows&, const AttentionHeads&,
                   const Tensor& distances = {});

/// The weights of `attend_rows` of each head, for showing attention: for each query row one weight per
/// visible key, row after row.
std::vector<std::vector<float>> attention_weights(const Tensor& queries, const KeyRows&,
                                                  const AttentionHeads&);

/// Logits are hidden [T, width] · weight [vocabulary, width]ᵀ + bias [vocabulary].
struct OutputLayer {
  Tensor weight;
  Tensor bias = {};  ///< may be empty
};

/// The probabilities that a loss wants: (1 - soft_weight) times those of the target, with label smoothing,
/// and soft_weight times the soft targets (Hinton et al. 2015).
struct WantedShares {
  double label_smoothing = 0;         ///< share of the target spread over the vocabulary
  const SoftTargets* soft = nullptr;  ///< for the first rows; null: none
  double soft_weight = 0;
  /// Above 0: rows 2 i and 2 i + 1 are two predictions of the same target, with the same weight; the loss
  /// grows by r_drop times the mean of the Kullback-Leibler divergences of the two (R-Drop, Liang et al.
  /// 2021).
  double r_drop = 0;
};
/// Softmax cross-entropy of the logits of hidden [T, width]. Only the logits of a few rows are in memory at a
/// time. Target -1 has no loss; the loss of every other row is multiplied by its weight in `weights`, or by 1
/// if that is empty.
struct CrossEntropy {
  Tensor sum;                ///< [1]: with WantedShares
  double cross_entropy = 0;  ///< of the targets alone
};
CrossEntropy softmax_cross_entropy(const Tensor& hidden, const OutputLayer&,
                                   std::span<const std::int32_t> targets, std::span<const float> weights,
                                   const WantedShares& = {});
/// The logits in f32, without gradient, for search.
Tensor vocabulary_scores(const Tensor& hidden, const OutputLayer&);
/// Reduces the first `rows` rows of the same scores to a TopScores. If the weight is packed, the scores are
/// never all in memory.
void top_vocabulary_scores(const Tensor& hidden, const OutputLayer&, std::int64_t rows,
                           const TopScores::Wanted&, TopScores&);
/// log p of each target; 0 where the target is -1.
std::vector<float> target_log_probabilities(const Tensor& hidden, const OutputLayer&,
                                            std::span<const std::int32_t> targets);

}  // namespace gloss
