// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/layers/linear.h"
#include "model/layers/recurrent_layer.h"
#include "model/networks/layer_result.h"
#include "model/networks/recurrent_attention.h"
#include "model/networks/recurrent_encoder.h"
#include "model/networks/recurrent_masks.h"
#include "model/networks/recurrent_settings.h"
#include "model/networks/step_network.h"

namespace gloss {

/// Recurrent encoder-decoders: the fixed-vector model (Sutskever et al. 2014, Cho et al. 2014) and those with
/// attention (Bahdanau et al. 2015, Luong et al. 2015).
class RecurrentTranslator : public StepNetwork {
 public:
  RecurrentTranslator(const NetworkSizes&, const RecurrentSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;
  /// The encoded source for the decoder.
  struct Memory {
    Tensor annotations, keys;  // keys: only with attention
    Tensor fed;  // with the source in every step: its contribution to the first layer's gates, by sentence
    Tensor summary;  // by sentence
  };
  /// The rows of a call: one decoding step, or a whole batch.
  struct Rows {
    std::shared_ptr<const RecurrentSteps> steps;
    QueryRows queries;
    std::vector<int> sentences;  // sentence of each row, -1 for none; only without attention
    std::vector<int> numbers;    // for dropout
  };
  /// Results of earlier steps besides states; both may be empty.
  struct Earlier {
    Tensor found;  // output of the previous step, for input feeding
    Tensor seen;   // for coverage: sums of the earlier weights, for each weight of the step's attention
  };
  /// Output of the decoder's layers.
  struct Decoded {
    Tensor top, context;
    Attended attended;
  };

  /// Rows in the encoder's order.
  PackedRows pack_source(const TokenRows&, int multiple) const;
  Memory encode(const PackedRows& source, const RecurrentMasks&) const;
  /// The first states of the layers for these sentences.
  std::vector<Tensor> first_states(const Memory&, const std::vector<int>& sentences) const;
  /// Runs the layers over rows. `projected` is the tokens' contribution to the gates; replaces states by
  /// those after each row.
  Decoded run_layers(const Tensor& projected, const Earlier&, std::vector<Tensor>& states, const Memory&,
                     const Rows&, const RecurrentMasks&) const;
  /// The input of the output layer.
  Tensor read_out(const Decoded&, const Tensor& tokens, const std::vector<int>& numbers,
                  const RecurrentMasks&) const;
  Tensor decode(const PackedRows& source, const PackedRows& target, std::span<const TokenId> inputs,
                const RecurrentMasks&) const;
  Tensor decode_at_once(const Memory&, const PackedRows& source, const PackedRows& target,
                        const Tensor& tokens, const RecurrentMasks&) const;
  Tensor decode_in_steps(const Memory&, const PackedRows& source, const PackedRows& target,
                         const Tensor& tokens, const RecurrentMasks&) const;
  /// Attention is averaged over the heads. Throws UsageError if it is requested from a network without
  /// attention.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  /// The coverage before the first step of these spans.
  Tensor nothing_seen(const std::vector<AttentionSpan>&) const;
  /// Sets the gains of a pass's samples: log p of each target token minus its log p with the best positions.
  void reward(const RecurrentMasks&, const PackedRows& source, const PackedRows& target,
              std::span<const TokenId> inputs, const Tensor& hidden, std::span<const float> weights) const;
  /// Target inputs, some of them replaced by the network's own predictions (scheduled sampling).
  std::vector<TokenId> sampled_inputs(const PackedRows& source, const PackedRows& target, Random&) const;
  /// True if a step needs its own or the previous step's attention.
  bool needs_steps() const;
  bool attends() const { return attention_.has_value(); }
  bool asks(QueryPlacement place) const { return attends() && settings_.query == place; }
  bool feeds_summary() const { return !attends() && settings_.context == SourceContext::every; }

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor source_table_, target_table_;
  std::optional<RecurrentEncoder> encoder_;
  std::optional<RecurrentAttention> attention_;
  struct Layer {
    RecurrentLayer cell;
    std::optional<Linear> first_state;
    LayerResult result;
  };
  std::vector<Layer> decoder_;
  std::optional<RecurrentLayer> transition_;  // the first layer's second step, which reads the context
  Tensor feed_weight_;                        // further inputs of the first layer's gates besides the token
  std::optional<Linear> readout_;
};

}  // namespace gloss
