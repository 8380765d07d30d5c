// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/random.h"
#include "model/layers/row_weights.h"
#include "model/networks/batch.h"
#include "model/networks/output_part.h"
#include "model/tensor/tensor.h"
#include "model/tensor/top_scores.h"

namespace gloss {

/// The sum of a batch's losses, so that losses of several batches add up exactly.
struct Loss {
  Tensor sum;                ///< [1]: the training objective, with all of its LossTerms
  double cross_entropy = 0;  ///< -log p of the targets in nats, summed, without label smoothing
  int tokens = 0;            ///< target tokens, end tokens included
  double weight = 0;         ///< sum of their weights: `tokens` if the batch has no weights
};

/// What training adds to the cross-entropy of the targets.
struct LossTerms {
  double label_smoothing =
      0;  ///< share of the target's probability spread over the vocabulary (Szegedy et al. 2016)
  /// Weight of the cross-entropy between a batch's links and the attention of the alignment head (Chen et al.
  /// 2016).
  double alignment_weight = 0;
  /// Weight of even_attention_loss; only for networks that spread attention
  /// (Architecture::spreads_attention).
  double doubly_stochastic = 0;
  /// Share of the CTC head's loss, which replaces as much of all others; only for networks that label vectors
  /// (NetworkSizes::ctc_head).
  double ctc_weight = 0;
  double distillation_weight = 0;  ///< share of a batch's soft targets in the wanted probabilities
  /// Weight of the divergence between the two halves of a batch that has all rows twice (r_drop.h); 0: the
  /// batch has no such halves.
  double r_drop = 0;
};

/// Regularisation during training. Functions take a pointer; null means no dropout and the cross-entropy
/// alone.
struct Regularization {
  Random& random;  ///< samples dropout masks
  LossTerms terms = {};
};

/// A trainable network. `const`: many threads may share a network that keeps no gradients.
class Trainable {
 public:
  virtual ~Trainable() = default;
  virtual Loss loss(const Batch&, const Regularization*) const = 0;
  /// log p of every target token given the source and the preceding tokens, in the order of
  /// `batch.target.tokens`.
  virtual std::vector<float> log_probabilities(const Batch&) const = 0;
};

/// A decoder's state of the rows (hypotheses) that it continues.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  /// Replaces the rows by those listed, in that order: keeps, drops, reorders and repeats rows in one call.
  virtual void select(std::span<const int> rows) = 0;
  /// Appends the rows of `more`, a new state of the same decoder before its first step.
  virtual void append(DecoderState& more) = 0;
  /// The next step takes `counts[row]` tokens of each row, not one: each follows the one before, and the
  /// step's results have a row for each token, row after row. Only for decoders that take several.
  virtual void take(std::span<const int> counts);
  /// Removes the last `counts[row]` tokens that each row has taken. Only for decoders that take several; of
  /// earlier steps than the latest, only if Decoder::forgets_earlier_steps().
  virtual void forget(std::span<const int> counts);
};

/// Attention of the rows of a step: weights over each row's source tokens, end token included, which sum to
/// 1.
struct SourceAttention {
  bool of_every_head = false;  ///< set before the step: also fill `maps`
  /// Row after row, of the last layer: its alignment head, or the mean over its heads.
  std::vector<float> weights;
  std::vector<std::size_t> starts{0};    ///< rows + 1 offsets in `weights`
  int heads = 0;                         ///< heads per layer
  int alignment_head = 0;                ///< of the last layer, from 1; 0: none (NetworkSizes)
  std::vector<std::vector<float>> maps;  ///< as `weights`: head after head of the first layer, then the next

  /// Starts a step with these rows of a network with this alignment head.
  void begin(std::vector<std::size_t> row_starts, int of_alignment);
  /// Adds the weights of each head of a layer, laid out as `weights`; the last layer comes last.
  void add_layer(std::vector<std::vector<float>> of_heads);

  std::span<const float> of_rows(int first, int count) const {
    const auto row = index(first);
    return std::span(weights).subspan(starts[row], starts[row + index(count)] - starts[row]);
  }
};

/// A network that continues rows token by token.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// A new state with one row per source row, as in `Batch`.
  virtual std::unique_ptr<DecoderState> start(const TokenRows& source) const = 0;
  /// Takes the latest token of each row (`begin()` at first) and returns the scores of the next token, up to
  /// a constant per row: [at least as many rows, vocabulary]. A row's scores do not depend on the other rows,
  /// bit for bit. `attention`, if not null, receives the attention of this step.
  virtual Tensor step(std::span<const TokenId> latest, DecoderState&,
                      SourceAttention* attention = nullptr) const = 0;
  /// The same step reduced to the wanted scores, without holding all scores in memory.
  virtual void step_to_best(std::span<const TokenId> latest, DecoderState&, const TopScores::Wanted&,
                            TopScores&, SourceAttention* attention = nullptr) const;
  /// The output part for rows restricted to these tokens (ascending, unique).
  virtual OutputPart output_part(std::vector<TokenId> tokens) const { return {std::move(tokens)}; }
  /// The same step for rows with an output part each: computes only the scores of its tokens.
  virtual void step_in_parts(std::span<const TokenId> latest, DecoderState&,
                             std::span<const OutputPart* const> parts, const UsePartScores& use,
                             SourceAttention* attention = nullptr) const;
  /// True if a step can take several tokens of a row (DecoderState::take). The results are those of as many
  /// steps, bit for bit.
  virtual bool takes_several() const { return false; }
  /// True if DecoderState::forget can remove more than the latest step took.
  virtual bool forgets_earlier_steps() const { return takes_several(); }
  /// False if steps have no attention to report.
  virtual bool attends() const { return true; }
  virtual int vocabulary_size() const = 0;
  virtual TokenId begin() const = 0;
  virtual TokenId end() const = 0;
};

/// A network that classifies rows.
class ClassPredictor {
 public:
  virtual ~ClassPredictor() = default;
  virtual int classes() const = 0;
  /// log p of every class, row after row. A row's results do not depend on the other rows. `attention`, if
  /// not null, receives the share of the last layer's attention on each token, averaged over the heads and
  /// the pooled tokens; at most 1 in sum per row. Requires an empty attention_missing().
  virtual std::vector<float> classify(const TokenRows&, std::vector<float>* attention = nullptr) const = 0;
  /// The reason if attention is unavailable, such as "recurrent classifiers have no attention"; otherwise
  /// empty.
  virtual std::string attention_missing() const = 0;
};

/// A network that answers a question by looking at the sentences of a story several times (hops).
class SentenceReader {
 public:
  virtual ~SentenceReader() = default;
  /// The number of hops.
  virtual int hops() const = 0;
  /// As ClassPredictor::classify. `weights` receives for each row [hops, sentences] weights, which sum to
  /// at most 1 in each hop, the rest being on unused memories; 0 for sentences without room in memory.
  virtual std::vector<float> answer(const TokenRows&, std::vector<std::vector<float>>& weights) const = 0;
};

/// A network that predicts tokens at some positions of a text from all others.
class TokenPredictor {
 public:
  virtual ~TokenPredictor() = default;
  /// Predicts the tokens at `places`, indices into all rows' tokens in order. A row's scores do not depend on
  /// the other rows.
  virtual void best_tokens(const TokenRows&, std::span<const int> places, const TopScores::Wanted&,
                           TopScores&) const = 0;
};

/// A network that predicts each token of whole targets from the source and the tokens before it.
class TargetPredictor {
 public:
  virtual ~TargetPredictor() = default;
  /// The state from which each target token is predicted, in order, followed by padding, without dropout.
  virtual Tensor target_states(const Batch&) const = 0;
  /// The scores of all tokens for these states, of which there are at least two, up to a constant per row.
  virtual Tensor target_scores(const Tensor& states) const = 0;
};

/// A network whose layers let the tokens of a text see each other.
class MixingNetwork {
 public:
  virtual ~MixingNetwork() = default;
  /// What each layer of the encoder or the decoder does.
  struct Layer {
    std::string mixer;  ///< its name
    bool weighs;        ///< its results are weighted sums of tokens
    int heads;          ///< of these sums
  };
  virtual std::vector<Layer> layers(bool of_decoder) const = 0;
  /// Computes the layers of the encoder or, given all target tokens, of the decoder. `visitors`, one for each
  /// layer, receive the weights of rows: of source tokens, or of the decoder's input tokens, which are the
  /// begin token and all target tokens but the last.
  virtual void visit_weights(const Batch&, bool of_decoder, const LayerVisitors& visitors) const = 0;
};

/// Scores of target tokens and the blank for each vector of rows.
struct VectorLabels {
  Tensor scores;            ///< [at least as many vectors, vocabulary], up to a constant per vector
  std::vector<int> starts;  ///< rows + 1 numbers of vectors
};

/// A network that labels each vector of its source with a target token or the blank (connectionist temporal
/// classification, see ops_ctc.h).
class VectorLabeller {
 public:
  virtual ~VectorLabeller() = default;
  /// A row's scores do not depend on the other rows, bit for bit.
  virtual VectorLabels label(const TokenRows&) const = 0;
  /// The token that stands for the blank.
  virtual TokenId blank() const = 0;
};

/// A network of any architecture. It trains and, unless it is a Reader, decodes like translation and language
/// models.
class Network : public Trainable, public Decoder {
 public:
  /// This network as a classifier; null if it is none.
  virtual const ClassPredictor* class_predictor() const { return nullptr; }
  /// This network as a reader of sentences; null if it is none.
  virtual const SentenceReader* sentence_reader() const { return nullptr; }
  /// This network as a predictor of hidden tokens; null if it is none.
  virtual const TokenPredictor* token_predictor() const { return nullptr; }
  /// This network as a predictor of whole targets; null if it is none.
  virtual const TargetPredictor* target_predictor() const { return nullptr; }
  /// This network as a labeller of its source's vectors; null if it is none.
  virtual const VectorLabeller* vector_labeller() const { return nullptr; }
  /// This network as one whose layers mix tokens; null if it is none.
  virtual const MixingNetwork* mixing_network() const { return nullptr; }
  /// The last layer's state of each token, in order: [at least as many rows, width]; of the encoder if there
  /// is one. A token's state does not depend on the other rows, bit for bit.
  virtual Tensor states(const TokenRows&) const = 0;
};

}  // namespace gloss
