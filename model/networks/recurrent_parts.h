#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/recurrent.h"
#include "model/networks/network.h"
#include "model/networks/packed_rows.h"
#include "model/networks/recurrent_settings.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

/// What chance does in one pass: a dropout mask for each place, the same in all steps, and the draws of hard
/// attention. Without a generator all masks keep all, and the best position is taken.
struct RecurrentMasks {
  DropoutMask source, target, output;
  std::vector<DropoutMask> encoder, decoder;  ///< per layer
  std::shared_ptr<const KeyDraw> draw;        ///< null: attention is soft
  RecurrentMasks(const NetworkSizes&, const RecurrentSettings&, Random*);
};

/// What each row of a packed batch counts dropout's numbers from: the row, or its sentence if one mask is for
/// all tokens of a sentence.
std::vector<int> mask_numbers(const PackedRows&, const RecurrentSettings&);

/// Embeddings of tokens, scaled if the settings say so, after dropout.
Tensor embed_tokens(const Tensor& table, std::span<const TokenId> tokens, const RecurrentSettings&,
                    const DropoutMask&, const std::vector<int>& numbers);
/// How many rows a step has with its padding.
std::size_t padded_rows(std::size_t rows);
/// The first `count` rows as the rows of one step.
std::shared_ptr<const RecurrentSteps> one_step(int count);

/// What a layer gives, after dropout, with what it reads added and normalised if the settings say so.
/// Parameters NAME.norm.
class LayerResult {
 public:
  LayerResult(Parameters&, const std::string& name, const RecurrentSettings&, bool first, std::int64_t width);
  Tensor operator()(const Tensor& read, const Tensor& given, const DropoutMask&,
                    const std::vector<int>& numbers) const;

 private:
  bool residual_;
  std::optional<LayerNorm> norm_;
};

/// What an encoder makes of the source.
struct EncodedSource {
  Tensor annotations;  ///< [T, width of the encoder]: a row for each token
  Tensor summary;      ///< [sentences, width of the encoder]; none if it is not wanted
};

/// Recurrent layers over the source in one direction or both. Parameters NAME.LAYER.forwards and
/// NAME.LAYER.backwards.
class RecurrentEncoder {
 public:
  /// `summarises`: its results have a summary.
  RecurrentEncoder(Parameters&, const std::string& name, const NetworkSizes&, const RecurrentSettings&,
                   bool summarises);
  EncodedSource operator()(const Tensor& embedded, const PackedRows& source, const RecurrentMasks&) const;
  /// Of annotations: the two directions side by side, or added up where they must be as wide as a decoder's
  /// state.
  std::int64_t width() const { return width_; }

 private:
  struct Layer {
    RecurrentLayer forwards;
    std::optional<RecurrentLayer> backwards;
    LayerResult result;
  };
  Tensor merged(const Tensor& forwards, const Tensor& backwards) const;
  Tensor summary(const PackedRows&, const Tensor& annotations, const Tensor& forwards,
                 const Tensor& backwards) const;

  RecurrentSettings settings_;
  bool summarises_;
  bool added_;  // and not side by side
  std::int64_t width_;
  std::vector<Layer> layers_;
};

/// Queries of an attention: whose they are and where.
struct QueryRows {
  std::vector<AttentionSpan> spans;  ///< to the source
  std::vector<int> places;           ///< of each row in its sentence
};

/// Where the decoder looks at the source. Parameters NAME.query.weight, NAME.key.weight, NAME.key.bias and
/// NAME.vector, as the score needs them, NAME.coverage where it asks for it, and NAME.window.inner and
/// NAME.window.centre where it predicts.
class RecurrentAttention {
 public:
  RecurrentAttention(Parameters&, const std::string& name, const RecurrentSettings&, int heads,
                     std::int64_t query_width, std::int64_t memory_width);
  /// What queries are compared with, made once per sentence.
  Tensor keys(const Tensor& annotations) const;
  /// `seen`: of each weight of the rows the sum of those in the steps before; none without coverage.
  Attended operator()(const Tensor& hidden, const Tensor& keys, const Tensor& annotations, const QueryRows&,
                      const Tensor& seen, std::shared_ptr<const KeyDraw>) const;

 private:
  AttentionWindow window_;
  ScoreShape shape_;
  std::optional<Linear> window_inner_, window_centre_;
  Tensor query_weight_, key_weight_, key_bias_, vector_, coverage_;
};

/// True if the two directions of an encoder are added: keys that nothing transforms are as wide as queries.
bool adds_directions(const RecurrentSettings&);

}  // namespace gloss
