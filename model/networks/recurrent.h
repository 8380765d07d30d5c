#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/recurrent_parts.h"
#include "model/networks/step_network.h"

namespace gloss {

/// Recurrent encoder-decoders: the fixed-vector model (Sutskever et al. 2014, Cho et al. 2014) and those with
/// attention (Bahdanau et al. 2015, Luong et al. 2015).
class Recurrent : public StepNetwork {
 public:
  Recurrent(const NetworkSizes&, const RecurrentSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;
  /// The source as the decoder sees it.
  struct Memory {
    Tensor annotations, keys;  // keys: with attention
    Tensor fed;      // with the source in every step: its share of the first layer's gates, by sentence
    Tensor summary;  // by sentence
  };
  /// The rows of a call: one step of decoding, or a whole batch.
  struct Rows {
    std::shared_ptr<const RecurrentSteps> steps;
    QueryRows queries;
    std::vector<int> sentences;  // of each row, -1 for none; only without attention
    std::vector<int> numbers;    // for dropout
  };
  /// What a step knows of the steps before besides states; both may be none.
  struct Earlier {
    Tensor found;  // what they made of what they found, if it is fed
    Tensor seen;   // of each weight of the step's attention the sum of theirs, if coverage is asked for
  };
  /// What the decoder's layers give for rows.
  struct Decoded {
    Tensor top, context;
    Attended attended;
  };

  /// Rows as the encoder reads them.
  PackedRows pack_source(const TokenRows&, int multiple) const;
  Memory encode(const PackedRows& source, const RecurrentMasks&) const;
  /// The first states of the layers for sentences.
  std::vector<Tensor> first_states(const Memory&, const std::vector<int>& sentences) const;
  /// The layers over rows. `projected` is the share of the gates that the tokens have; states become those
  /// after each row.
  Decoded run_layers(const Tensor& projected, const Earlier&, std::vector<Tensor>& states, const Memory&,
                     const Rows&, const RecurrentMasks&) const;
  /// What the vocabulary's scores are made of.
  Tensor read_out(const Decoded&, const Tensor& tokens, const std::vector<int>& numbers,
                  const RecurrentMasks&) const;
  Tensor decode(const PackedRows& source, const PackedRows& target, std::span<const TokenId> inputs,
                const RecurrentMasks&) const;
  Tensor decode_at_once(const Memory&, const PackedRows& source, const PackedRows& target,
                        const Tensor& tokens, const RecurrentMasks&) const;
  Tensor decode_in_steps(const Memory&, const PackedRows& source, const PackedRows& target,
                         const Tensor& tokens, const RecurrentMasks&) const;
  /// The attention is a mean over the heads. A network without attention has none: throws UsageError.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  /// Coverage before the first step of these spans.
  Tensor nothing_seen(const std::vector<AttentionSpan>&) const;
  /// Tells the draws of a pass how much better each target token became by them than by the best positions.
  void reward(const RecurrentMasks&, const PackedRows& source, const PackedRows& target,
              std::span<const TokenId> inputs, const Tensor& hidden, std::span<const float> weights) const;
  /// Target tokens some of which the network chose itself.
  std::vector<TokenId> sampled_inputs(const PackedRows& source, const PackedRows& target, Random&) const;
  /// True if a step needs what attention found in it or before it.
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
  std::optional<RecurrentLayer> transition_;  // the first layer's second step, with what was found
  Tensor feed_weight_;                        // what the first layer's gates get besides the token
  std::optional<Linear> readout_;
};

}  // namespace gloss
