// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/layers/normed_linear.h"
#include "model/layers/recurrent_layer.h"
#include "model/networks/guided_attention.h"
#include "model/networks/recurrent/layer_result.h"
#include "model/networks/recurrent/recurrent_attention.h"
#include "model/networks/recurrent/recurrent_encoder.h"
#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

/// The encoded source for a recurrent decoder.
struct RecurrentStates {
  Tensor annotations, keys;  ///< keys: only with attention
  Tensor fed;  ///< with the source in every step: its contribution to the first layer's gates, by sentence
  Tensor summary;  ///< by sentence
};

/// The rows of a call: one decoding step, or a whole batch.
struct DecoderRows {
  std::shared_ptr<const RecurrentSteps> steps;
  QueryRows queries;
  std::vector<int> sentences;  ///< sentence of each row, -1 for none; only without attention
  std::vector<int> numbers;    ///< for dropout
};

/// Results of earlier steps besides states; both may be empty.
struct EarlierSteps {
  Tensor found;  ///< output of the previous step, for input feeding
  Tensor seen;   ///< for coverage: sums of the earlier weights, for each weight of the step's attention
};

/// Output of the decoder's layers.
struct DecodedRows {
  Tensor top, context;
  Attended attended;
};

/// A batch for teacher forcing.
struct TaughtRows {
  const PackedRows& source;
  const PackedRows& target;
  std::vector<TargetAttention>* guided;  ///< receives the attention, in parts; null: not wanted
};

/// The decoder of recurrent encoder-decoders: recurrent layers, attention to the source, and the input of the
/// output layer.
class RecurrentDecoder {
 public:
  /// `source_width`: of the encoder's annotations.
  RecurrentDecoder(Parameters&, const NetworkSizes&, const RecurrentSettings&, std::int64_t source_width);

  bool attends() const { return attention_.has_value(); }
  RecurrentStates memory(const EncodedSource&) const;
  /// The first states of the layers for these sentences.
  std::vector<Tensor> first_states(const RecurrentStates&, const std::vector<int>& sentences) const;
  /// The contribution of embedded tokens to the first layer's gates.
  Tensor project(const Tensor& tokens) const { return layers_.front().cell.project(tokens); }
  /// Runs the layers over rows. `projected` comes from `project`; replaces states by those after each row.
  DecodedRows run(const Tensor& projected, const EarlierSteps&, std::vector<Tensor>& states,
                  const RecurrentStates&, const DecoderRows&, const RecurrentMasks&) const;
  /// The input of the output layer.
  Tensor read_out(const DecodedRows&, const Tensor& tokens, const std::vector<int>& numbers,
                  const RecurrentMasks&) const;
  /// The input of the output layer for all positions of whole target sentences, given the embedded tokens
  /// before them.
  Tensor operator()(const RecurrentStates&, const TaughtRows&, const Tensor& tokens,
                    const RecurrentMasks&) const;
  /// The coverage before the first step of these spans.
  Tensor nothing_seen(const std::vector<AttentionSpan>&) const;

 private:
  void declare_readout(Parameters&, std::int64_t source_width);
  Tensor decode_at_once(const RecurrentStates&, const TaughtRows&, const Tensor& tokens,
                        const RecurrentMasks&) const;
  Tensor decode_in_steps(const RecurrentStates&, const TaughtRows&, const Tensor& tokens,
                         const RecurrentMasks&) const;
  bool asks(QueryPlacement place) const { return attends() && settings_.query == place; }
  bool feeds_summary() const { return !attends() && settings_.context == SourceContext::every; }

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  std::optional<RecurrentAttention> attention_;
  struct Layer {
    RecurrentLayer cell;
    std::optional<NormedLinear> first_state;
    LayerResult result;
  };
  std::vector<Layer> layers_;
  std::optional<RecurrentLayer> transition_;  // the first layer's second step, which reads the context
  Tensor feed_weight_;                        // further inputs of the first layer's gates besides the token
  std::vector<NormedLinear> readout_;         // of all inputs, or of each by itself
};

}  // namespace gloss
