// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/history.h"
#include "model/layers/linear.h"
#include "model/layers/row_weights.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Positions within self-attention, in one pass of the network; the tensors may be empty.
struct AttentionPositions {
  Tensor distances;      ///< see AttentionShape
  Tensor angles;         ///< see `rotate`
  int grid_columns = 0;  ///< see AttentionShape
};

/// Sizes of an attention layer.
struct AttentionSizes {
  int width;  ///< of inputs and outputs
  AttentionHeads heads;
  bool linear_bias = true;  ///< the projections have biases
  bool projects_output = true;
  bool query_key_norm = false;  ///< queries and keys are normalised, see HeadGains
  double norm_epsilon = 1e-5;   ///< of that
  int window = 0;               ///< above 0: self-attention to rows at most this far away
  /// Self-attention to these rows only, without a window; those of a block by the pattern.
  SeenRows seen = {};
  std::shared_ptr<const AttentionPattern> pattern = nullptr;  ///< of sparse self-attention
};

/// The visible keys of one call of a self-attention.
struct SelfAttentionView {
  const AttentionPositions* positions = nullptr;
  const std::vector<int>* places = nullptr;           ///< positions of the rows in their sentences
  const std::vector<AttentionSpan>* spans = nullptr;  ///< of the packed batch; null during decoding
  Tensor* projected = nullptr;  ///< with spans, output: the projections that later rows attend to
  /// With spans: receives the weights of rows, if results are weighted sums of rows (MixerKind::weighs).
  const RowWeightVisitor* weights = nullptr;
  History* history = nullptr;  ///< during decoding, with its past
  const Past* past = nullptr;
  const KeyRows* before = nullptr;  ///< during decoding: keys that each row sees before its past; null: none
  /// During decoding: the input of keys and values, if not that of the queries, except of a row without a
  /// past.
  const Tensor* raw = nullptr;
};

/// Multi-head self-attention with its projections. Parameters NAME.query_key_value, with `query_key_norm`
/// NAME.query_norm.weight and NAME.key_norm.weight [head width], each for all heads, and, unless there is no
/// output projection, NAME.output.
class SelfAttention {
 public:
  SelfAttention(Parameters&, const std::string& name, const AttentionSizes&, const InitialScales& = {});
  /// [T, width] to [T, width].
  Tensor operator()(const Tensor& x, const SelfAttentionView&, bool causal, const DropoutMask&) const;

 private:
  /// Queries, keys and values.
  Tensor project(const Tensor& x) const;

  AttentionSizes sizes_;
  Linear query_key_value_;
  std::optional<HeadGains> gains_;
  std::optional<Linear> output_;
};

/// The weights of a head of attention in training.
struct GuidedHead {
  int head = 0;         ///< from 0
  Tensor weights = {};  ///< see `head_weights`
};

/// Multi-head attention to the encoder output. Parameters NAME.query, NAME.key_value, with `query_key_norm`
/// those of SelfAttention, and NAME.output.
class CrossAttention {
 public:
  CrossAttention(Parameters&, const std::string& name, const AttentionSizes&, const InitialScales& = {});
  /// Keys and values of the encoder's states [Tk, width]: [Tk, 2 key_value_width], computed once per sentence.
  Tensor project(const Tensor& states) const;
  /// [T, width] to [T, width]. `guided`, if not null, receives the weights of its head, for a loss.
  Tensor attend(const Tensor& x, const KeysValues& source, const DropoutMask&,
                GuidedHead* guided = nullptr) const;
  /// Attention weights of the rows of x during decoding: see `attention_weights`.
  std::vector<std::vector<float>> weights(const Tensor& x, const KeyRows& source) const;

 private:
  Tensor queries(const Tensor& x) const;

  AttentionSizes sizes_;
  Linear query_, key_value_;
  std::optional<HeadGains> query_gains_, key_gains_;
  std::optional<Linear> output_;
};

}  // namespace gloss
