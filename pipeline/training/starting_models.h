// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/start_settings.h"

namespace gloss {

/// The models that a training starts from: they provide its network, tokenizers and weights.
class StartingModels {
 public:
  /// Reads the models; their weights stay in the files. Throws UsageError if settings or models conflict.
  StartingModels(const StartSettings&, Listener&);
  /// The same models with these symbols, where missing, and the symbols of the settings added to their
  /// vocabularies.
  StartingModels with_symbols(const std::vector<std::string>& symbols) const;

  /// The network of this form with the parts of the models. `chosen_layers`: layers of a side that no model
  /// provides; 0: as many as the other side. Throws UsageError if the models cannot form such a network.
  NetworkSettings network(Form, int chosen_layers) const;
  /// The tokenizers with the added symbols.
  const Tokenizers& tokenizers() const { return tokenizers_; }
  /// The text format of the models, without the added symbols.
  const TextFormat& format() const { return any().model->format; }
  /// LearnedLengths::before of a model of this form that starts from these models. A model of another form or
  /// one that restores text has learned other lines.
  std::int64_t usual_length(Form) const;
  /// The number of pieces of the models' target vocabulary, without the added symbols.
  int unextended_size() const { return any().model->target->size(); }
  /// Throws UsageError unless these are the tokenizers of the models.
  void expect_tokenizers(const Tokenizers& given) const;
  /// Copies the models' weights to the initialised parameters of a network. The row of an added symbol
  /// becomes the mean of the rows of its former pieces. Returns the names of the parameters that keep their
  /// values.
  std::vector<std::string> give_weights(const Parameters&) const;
  /// The directories of the models whose weights are stored in bf16, int8 or int4.
  std::vector<std::string> rounded() const;
  /// The names of the models for messages.
  std::string text() const;

 private:
  /// For each token of a vocabulary its origins in the old one: itself, or the former pieces of a symbol.
  using Origins = std::vector<std::vector<int>>;
  struct Part {
    std::string directory;
    std::shared_ptr<const TextModel> model;
    Tokenizers tokenizers{};
    Origins source_origins{}, target_origins{};
  };

  void extend_vocabularies(const std::vector<std::string>& needed);
  std::shared_ptr<const Part> extended(const Part&, const std::vector<std::string>& needed) const;
  const Part& any() const { return encoder_ ? *encoder_ : *decoder_; }
  NetworkSettings joined_network(int chosen_layers) const;
  bool give(const Parameters::Entry&, std::span<float> values) const;

  std::vector<std::string> added_;                 // symbols that the settings add
  std::shared_ptr<const Part> encoder_, decoder_;  // the same with `from`; null: no model provides it
  Tokenizers tokenizers_;
};

/// The mask token of a masked model with this vocabulary: the piece that is the mask of the starting model,
/// or the id after those of the pieces.
int mask_token_of(const ModelTrainingSettings&, const Subwords&);

}  // namespace gloss
