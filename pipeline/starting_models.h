#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "pipeline/text_model.h"
#include "pipeline/training_vocabulary.h"

namespace gloss {

/// Trained models that a training starts from. Without any its weights start from chance.
struct StartSettings {
  std::string from{};                      ///< a model of which every part is taken
  std::string from_encoder{};              ///< instead: one of which the encoder is taken
  std::string from_decoder{};              ///< and one of which the decoder is taken
  std::vector<std::string> add_symbols{};  ///< to the vocabulary
  bool any() const { return !from.empty() || !from_encoder.empty() || !from_decoder.empty(); }
};
Fields fields_of(StartSettings&);

/// The models that a training starts from: they decide its network and how text becomes tokens, and give
/// their weights.
class StartingModels {
 public:
  /// Reads them; the weights stay in their files. `symbols`: those that the vocabulary gets if it has them
  /// not, beside those that the settings add. Throws UsageError if the settings or the models do not fit
  /// together.
  explicit StartingModels(const StartSettings&, const std::vector<std::string>& symbols = {});

  /// A network of this form, of their parts. `chosen` says how many blocks a side has that they do not give;
  /// 0: as many as the other side. Throws UsageError if they cannot make one.
  NetworkSettings network(Form, int chosen_layers) const;
  /// With the further symbols.
  const Tokenizers& tokenizers() const { return tokenizers_; }
  Normalization normalization() const { return any().model.format.normalization; }
  /// Throws UsageError unless these are the tokenizers of the models.
  void expect_tokenizers(const Tokenizers& given) const;
  /// Gives the network's parameters, which have their values, those of the models that have the same use. The
  /// row of a further symbol becomes the mean of the rows of its pieces before. Returns the names of those
  /// that stay as they are.
  std::vector<std::string> give_weights(const Parameters&) const;
  /// For messages.
  std::string text() const;

 private:
  /// For each token of a vocabulary the old tokens that it comes from: itself, or several.
  using Origins = std::vector<std::vector<int>>;
  struct Part {
    std::string directory;
    TextModel model;
    Tokenizers tokenizers{};
    Origins source_origins{}, target_origins{};
  };

  static std::shared_ptr<const Part> read_part(const std::string& path, const std::vector<std::string>& added,
                                               const std::vector<std::string>& needed);
  const Part& any() const { return encoder_ ? *encoder_ : *decoder_; }
  NetworkSettings joined_network(int chosen_layers) const;
  bool give(const Parameters::Entry&, std::span<float> values) const;

  std::shared_ptr<const Part> encoder_,
      decoder_;  // what gives it, one and the same with `from`; null: nothing
  Tokenizers tokenizers_;
};

/// Throws UsageError if the directory to write to has one of the models in it: starting over would remove it.
void expect_apart(const std::string& output, const StartSettings&);

/// Gives a training's settings what its starting models decide: the network and the normalisation of text. Of
/// the network's settings only rates of dropout, and the blocks of a side that no model gives, may be chosen.
/// Throws UsageError if the models do not make a network of this form, or another setting was `given`, by the
/// name of its field, that contradicts them.
void apply_start(const StartSettings&, Form, NetworkSettings&, TokenizerSettings&,
                 const std::function<bool(const std::string& name)>& given);

}  // namespace gloss
