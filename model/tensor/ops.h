#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/tensor/kernels.h"
#include "model/tensor/tensor.h"
#include "model/tensor/top_scores.h"

namespace gloss {

// Operations compute at once and remember, by `record`, how gradients flow back. T is the number of rows
// (tokens) of a packed batch. Rows never influence one another except where the operation says so.
//
// Activations are f32 or bf16: what comes out has the dtype of what goes in, and so have its gradients. Sums
// are made in f32. Parameters and their gradients are f32; products of bf16 activations take a parameter's
// copy in bf16 (Tensor::as).

/// A dropout mask for a rate in [0, 1): draws a key from `random`. Null or rate 0: keeps all.
DropoutMask dropout_mask(double rate, Random* random);

/// y [T, out] = x [T, in] · weight [out, in]ᵀ + bias [out]. `bias` may be none. T is at least 2.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);
/// max(linear(x), 0), then dropout.
Tensor linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias, const DropoutMask&);
/// The Gaussian error linear unit of linear(x), in its tanh form (Hendrycks and Gimpel 2016), then dropout.
Tensor linear_gelu(const Tensor& x, const Tensor& weight, const Tensor& bias, const DropoutMask&);

/// base + dropout(branch); both [T, width].
Tensor add_dropout(const Tensor& base, const Tensor& branch, const DropoutMask&);
/// Each row to mean 0 and variance 1, times gain plus bias, both [width] (Ba et al. 2016); epsilon 1e-5.
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias);
/// layer_norm(base + dropout(branch)) without keeping the sum.
Tensor add_dropout_norm(const Tensor& base, const Tensor& branch, const DropoutMask&, const Tensor& gain,
                        const Tensor& bias);

/// Rows of `table` [vocabulary, width] times `scale`, plus rows of `positions` [max_positions, width] (may be
/// none), then dropout. A token of -1 gives a row of zeros. The dtype is the table's working type.
Tensor embed(const Tensor& table, const Tensor& positions, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> places, float scale, const DropoutMask&);

/// Of each row of x [T, columns], the first `heads` parts of `angles.columns()` numbers turned by the angles
/// of its place (Su et al. 2021); the other columns as they are. angles [places, head width]: cosines, then
/// sines, of each place. Number i of a part's first half and of its second turn together.
Tensor rotate(const Tensor& x, const Tensor& angles, std::vector<std::int32_t> places, int heads);

/// Which rows of an attention see which: a sentence's queries and its keys. Rows outside all spans give
/// zeros.
struct AttentionSpan {
  int query_start, query_count;
  int key_start, key_count;
};

struct AttentionShape {
  int heads;
  bool causal = false;  ///< query i of a span sees its keys 0 .. i only
  DropoutMask dropout;  ///< of the weights
  /// [heads, 2 * reach + 1]: added to the score of a span's query i and key j is number j - i + reach of the
  /// head, or its first or last (Press et al. 2022, Raffel et al. 2020). None: nothing is added.
  Tensor distances = {};
};

/// Scaled dot-product attention (Vaswani et al. 2017) of all heads: [rows of queries, width]. Queries are the
/// first `width` columns of `queries`; keys and values the last two times `width` columns of `keys_values`;
/// so both may be one tensor [T, 3 width], or [Tq, width] and [Tk, 2 width].
Tensor attention(const Tensor& queries, const Tensor& keys_values, std::int64_t width,
                 std::vector<AttentionSpan> spans, const AttentionShape&);

/// For each query row, the rows that it sees while decoding: query r sees keys[starts[r]] .. keys[starts[r +
/// 1] - 1], each pointing at a row's keys with the values right behind.
struct KeyRows {
  std::vector<const void*> keys;  ///< in the dtype of the queries
  std::vector<int> starts{0};

  void clear() {
    keys.clear();
    starts.resize(1);
  }
  /// The keys since the row before are all of this one.
  void end_row() { starts.push_back(static_cast<int>(keys.size())); }
};

/// As `attention`, without gradient. Rows of queries beyond the lists give zeros. A row's result depends on
/// what it sees alone. With `distances` a query stands where the last of its keys does.
Tensor attend_rows(const Tensor& queries, const KeyRows&, std::int64_t width, int heads,
                   const Tensor& distances = {});

/// The weights of `attend_rows` of each head: for each query row as many numbers as it sees keys, one row
/// behind the other. For those who want to know where a network looks.
std::vector<std::vector<float>> attention_weights(const Tensor& queries, const KeyRows&, std::int64_t width,
                                                  int heads);

/// Softmax cross-entropy with label smoothing of hidden [T, width] · weight [vocabulary, width]ᵀ (+ bias):
/// the logits of a few rows at a time, never all. A target of -1 counts nothing; every other one counts as
/// much as its row's number in `weights` says, or 1 if that is empty.
struct CrossEntropy {
  Tensor sum;                ///< [1]: with label smoothing
  double cross_entropy = 0;  ///< without
};
CrossEntropy softmax_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                   std::span<const std::int32_t> targets, std::span<const float> weights,
                                   double label_smoothing);
/// hidden [T, width] · weight [vocabulary, width]ᵀ in f32, without gradient: what search chooses from.
Tensor vocabulary_scores(const Tensor& hidden, const Tensor& weight);
/// What is wanted of the first `rows` rows of the same scores, which are never all in memory if the weight is
/// packed.
void top_vocabulary_scores(const Tensor& hidden, const Tensor& weight, std::int64_t rows,
                           const TopScores::Wanted&, TopScores&);
/// log p of each target; 0 where the target is -1.
std::vector<float> target_log_probabilities(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                            std::span<const std::int32_t> targets);

}  // namespace gloss
