#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/model_directory.h"
#include "pipeline/precision.h"
#include "pipeline/translation.h"

namespace gloss {

/// How text becomes tokens, beside the tokenizers: the member "text" of config.json.
struct TextFormat {
  Normalization normalization = Normalization::none;
  /// The token that hides another one, behind the pieces of the tokenizer; -1: the model has none.
  int mask_token = -1;
  std::vector<std::string> labels{};  ///< of a classifier, in the order of its classes
};
/// What a model directory's config.json says of it.
TextFormat read_text_format(const std::string& directory);

/// A model as it stands in its directory: the network, and how text becomes its tokens.
struct TextModel {
  Model model;
  std::shared_ptr<const Subwords> source, target;  ///< one and the same if they are shared
  TextFormat format;
};

/// Reads a model directory with its tokenizers: `tokenizer.model`, or `source.model` and `target.model`.
/// Throws InputError if something is missing or damaged, or network and tokenizers do not agree on the size
/// of the vocabulary or the begin and end tokens.
TextModel read_text_model(const std::string& directory, Weights);

/// One model, or several that work together.
struct TextModels {
  std::vector<TextModel> members;
  std::vector<double> weights;              ///< of each member, with the sum 1
  std::unique_ptr<const Decoder> ensemble;  ///< null for a single model

  const TextModel& first() const { return members.front(); }
  const Decoder& decoder() const { return ensemble ? *ensemble : *members.front().model.network; }
};

/// Reads model directories, or training directories for their best models. Throws UsageError if one is not of
/// this form, they do not share vocabularies and normalisation, or `weights` is neither empty nor one
/// positive number for each.
TextModels read_text_models(const std::vector<std::string>& directories,
                            const std::vector<std::string>& weights, Form form);

/// Throws UsageError, which says what a model is and what can be done with it, unless it is of this form.
void expect_form(const TextModel&, Form, const std::string& name);

/// Makes a model ready for computing with this precision (translation_type of what it is stored as).
void pack(TextModel&, Precision, int threads);
/// Makes the models ready for computing with this precision (translation_type, for each what it is stored
/// as).
void pack(TextModels&, Precision, int threads);

/// The tokenizers as write_model takes them: one file if both are the same.
FilesBeside tokenizer_files(const Subwords& source, const Subwords& target);
/// The member "text" of config.json.
nlohmann::json text_settings(TextFormat);

/// Lowers the limits of lengths to what the network has positions for.
void limit_lengths(const NetworkSettings&, TranslationSettings&);
/// The same for all members.
void limit_lengths(const TextModels&, TranslationSettings&);

}  // namespace gloss
