#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/networks/batch.h"
#include "model/networks/output_part.h"
#include "model/tensor/tensor.h"
#include "model/tensor/top_scores.h"

namespace gloss {

/// The sum of a batch's losses, so that those of several batches add up exactly.
struct Loss {
  Tensor sum;                ///< [1]: what is minimised, label smoothing included
  double cross_entropy = 0;  ///< -log p of the targets in nats, summed, without label smoothing
  int tokens = 0;            ///< target tokens, end tokens included
  double weight = 0;         ///< of all of them: `tokens`, if the batch has no weights
};

/// What only training does. Where a network takes a pointer to it, null means: no dropout, no smoothing.
struct Regularization {
  Random& random;  ///< dropout masks
  double label_smoothing =
      0;  ///< share of the target's probability spread over the vocabulary (Szegedy et al. 2016)
};

/// A network that learns from batches. `const`: many threads may use one network that keeps no gradients.
class Trainable {
 public:
  virtual ~Trainable() = default;
  virtual Loss loss(const Batch&, const Regularization*) const = 0;
  /// log p of every target token given the source and the tokens before it, in the order of
  /// `batch.target.tokens`.
  virtual std::vector<float> log_probabilities(const Batch&) const = 0;
};

/// What a decoder remembers of the rows (hypotheses) that it continues.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  /// The rows become those named, in that order: keeps, drops, reorders and repeats in one go.
  virtual void select(std::span<const int> rows) = 0;
  /// The rows of `more`, a state of the same decoder that no step was made with, come behind those there are.
  virtual void append(DecoderState& more) = 0;
};

/// Where the rows of a step looked: weights over each row's source tokens, their end included, that sum to 1.
struct SourceAttention {
  bool of_every_head = false;            ///< set before the step: `maps` are wanted
  std::vector<float> weights;            ///< row after row: the mean over the heads of the last layer
  std::vector<std::size_t> starts{0};    ///< rows + 1 places in `weights`
  int heads = 0;                         ///< of each layer
  std::vector<std::vector<float>> maps;  ///< as `weights`: head after head of the first layer, then the next

  /// Begins a step with these rows.
  void begin(std::vector<std::size_t> row_starts);
  /// Takes what the heads of a layer look at, each as `weights`; the last layer comes last.
  void add_layer(std::vector<std::vector<float>> of_heads);

  std::span<const float> of_rows(int first, int count) const {
    const auto row = static_cast<std::size_t>(first);
    return std::span(weights).subspan(starts[row],
                                      starts[row + static_cast<std::size_t>(count)] - starts[row]);
  }
};

/// A network that continues rows token by token.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// One row per source row, as in `Batch`.
  virtual std::unique_ptr<DecoderState> start(const TokenRows& source) const = 0;
  /// Takes the latest token of each row (`begin()` at first) and gives the scores of the next one, up to a
  /// constant per row: [at least as many rows, vocabulary]. A row's scores do not depend on the other rows,
  /// bit for bit. `attention`, if not null, becomes the attention that the scores were made with.
  virtual Tensor step(std::span<const TokenId> latest, DecoderState&,
                      SourceAttention* attention = nullptr) const = 0;
  /// The same step, but gives no more of the scores than is wanted: what a network need not have in memory.
  virtual void step_to_best(std::span<const TokenId> latest, DecoderState&, const TopScores::Wanted&,
                            TopScores&, SourceAttention* attention = nullptr) const;
  /// What the scores of rows that may have these tokens (ascending, each once) alone are made with.
  virtual OutputPart output_part(std::vector<TokenId> tokens) const { return {std::move(tokens)}; }
  /// The same step for rows that have a part of the output each: gives the scores of its tokens alone.
  virtual void step_in_parts(std::span<const TokenId> latest, DecoderState&,
                             std::span<const OutputPart* const> parts, const UsePartScores& use,
                             SourceAttention* attention = nullptr) const;
  virtual int vocabulary_size() const = 0;
  virtual TokenId begin() const = 0;
  virtual TokenId end() const = 0;
};

/// The vocabulary's side of a network: sizes and special tokens.
struct VocabularySettings {
  int source = 0;  ///< pieces
  int target = 0;
  TokenId begin = 1;  ///< target tokens
  TokenId end = 2;
};

/// A network that does both, as translation and language models do.
class Network : public Trainable, public Decoder {
 public:
  /// What the last layer makes of each token of rows, in their order: [at least as many rows, width]. The
  /// encoder's layer if there is an encoder. A token's states do not depend on the other rows, bit for bit.
  virtual Tensor states(const TokenRows&) const = 0;
};

}  // namespace gloss
