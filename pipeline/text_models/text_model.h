// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/listener.h"
#include "model/model_directory.h"
#include "pipeline/examples/line_lengths.h"
#include "pipeline/examples/text_format.h"
#include "pipeline/search/search_settings.h"
#include "pipeline/text_models/precision.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The content of a model directory: the network, its tokenizers and its text settings.
struct TextModel {
  Model model;
  /// The same object if they are shared, or if only the target is text; null for classifiers of items.
  std::shared_ptr<const Subwords> source, target;
  TextFormat format;
  std::optional<LearnedLengths> lengths{};  ///< of the lines that it learned from; nothing: not recorded
  PairFrame frame{};  ///< the tokens around the lines of both sides, set by choose_languages
};

/// Reads a model directory with its tokenizers: `tokenizer.model`, or `source.model` and `target.model`.
/// Throws InputError if a file is missing or damaged, or if network and tokenizers differ in vocabulary size,
/// begin token or end token.
TextModel read_text_model(const std::string& directory, Weights);

/// One model or an ensemble of models.
struct TextModels {
  std::vector<TextModel> members;
  std::vector<double> weights;              ///< one per member; they sum to 1
  std::unique_ptr<const Decoder> ensemble;  ///< null for a single model

  const TextModel& first() const { return members.front(); }
  const Decoder& decoder() const { return ensemble ? *ensemble : *members.front().model.network; }
};

/// The models that a user names, and their use.
struct ModelChoice {
  std::vector<std::string> directories;
  Form form;
  std::vector<std::string> weights{};         ///< of the members of an ensemble, as text; empty: all alike
  const LanguageChoice* languages = nullptr;  ///< null: the models do not translate
  bool of_items = false;  ///< models whose source is not text, such as images, are welcome, too
};

/// Reads models; a training directory stands for its best model. Sets their frames if languages are chosen.
/// Throws UsageError if a model is not of this form, if the models differ in vocabularies or normalisation,
/// if `weights` is neither empty nor one positive number per model, if the source of a model is not text
/// unless `of_items`, and what choose_languages throws. Form and languages of a model of another program are
/// checked before it is converted.
TextModels read_text_models(const ModelChoice&, Listener&);

/// A model and its name in messages.
struct NamedModel {
  const TextModel& model;
  const std::string& name;
};
/// Throws UsageError if the models differ in vocabularies, normalisation or the tokens around lines. `why`
/// begins the message: "the models of an ensemble".
void expect_same_text(const NamedModel&, const NamedModel&, const std::string& why);

/// Sets the frame of each model for translations between these languages. Throws UsageError if a model does
/// not have them, or needs one and has no default.
void choose_languages(TextModels&, const LanguageChoice&);

/// The model's names for the languages of the source and the target; empty if it has none.
std::string source_language(const TextModels&, const LanguageChoice&);
std::string target_language(const TextModels&, const LanguageChoice&);

/// The usual length of a source line (LearnedLengths::usual) of the model that knows the longest ones; 0:
/// unknown.
std::int64_t usual_source_length(const TextModels&);

/// Sets the settings of the search that the first model has defaults of its own for, unless the user gave
/// them.
void take_model_defaults(const TextModels&, const Given& given, SearchSettings&);

/// Throws UsageError if the model is not of this form; the message names its form and the suitable commands.
void expect_form(const NetworkSettings&, Form, const std::string& name);

/// Throws InputError if the source of the model is not text.
void expect_text(const TextModel&, const std::string& name);

/// Packs a model's weights for computation with this precision (see translation_type). Notes if they are not
/// computed as stored because the instruction set cannot.
void pack(TextModel&, Precision, int threads, Listener&);
/// Packs the weights of all members, each according to its stored type.
void pack(TextModels&, Precision, int threads, Listener&);

}  // namespace gloss
