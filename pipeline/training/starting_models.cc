// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/starting_models.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "model/networks/network_settings.h"
#include "pipeline/foreign/readable_model.h"
#include "tokenizer/extend_vocabulary.h"

namespace gloss {
namespace {

struct FormNames {
  const char* model;
  const char* task;  ///< of gloss finetune
};

FormNames names_of(Form form) {
  switch (form) {
    case Form::encoder_decoder:
      return {"a translation model", "translate"};
    case Form::decoder:
      return {"a language model", "lm"};
    case Form::encoder:
      return {"a masked model", "mlm"};
    case Form::classifier:
      return {"a classifier", "classify"};
  }
  throw BrokenPromise("a form without a task");
}

/// Throws InputError if the model `name` of the form `own` cannot start a training of the form `wanted`; the
/// message names the task for which it can. Any network without a separate source can become a classifier.
void expect_finetuning(const std::string& name, Form own, Form wanted) {
  const bool starts = wanted == Form::classifier ? own != Form::encoder_decoder : own == wanted;
  if (starts) return;
  const FormNames found = names_of(own);
  const std::string expected = wanted == Form::classifier ? "a classifier, a masked model or a language model"
                                                          : names_of(wanted).model;
  throw InputError(concat("--model ", name, " is ", found.model, "; expected ", expected,
                          ". This model can be fine-tuned with --task ", found.task));
}

/// The tables with a row for each token; those of the bias are single numbers.
bool is_table_of_tokens(const std::string& name) {
  return name == "output.weight" || name == "output.bias" || name.ends_with("embedding.weight");
}

/// A vocabulary with the added symbols and the origins of its tokens.
struct Extended {
  std::shared_ptr<const Subwords> subwords;
  std::vector<std::vector<int>> origins;
};

Extended extended_vocabulary(const std::shared_ptr<const Subwords>& old, const TextFormat& format,
                             const std::vector<std::string>& symbols) {
  Extended result{old, {}};
  for (int id = 0; id < old->size(); ++id) result.origins.push_back({id});
  if (!symbols.empty()) {
    for (const std::string& symbol : symbols) {
      const std::string changed = clean_text(symbol, format.normalization).text;
      if (changed == symbol) continue;
      throw UsageError(concat("--add-symbols: the model's normalisation of text changes ", shown(symbol),
                              " to ", shown(changed), "; give the normalised symbol"));
    }
    ExtendedVocabulary more = extend_vocabulary(*old, symbols);
    result.subwords = std::make_shared<const Subwords>(std::move(more.subwords));
    result.origins.insert(result.origins.end(), more.old_pieces.begin(), more.old_pieces.end());
  }
  if (format.mask_token >= old->size()) result.origins.push_back({format.mask_token});
  return result;
}

}  // namespace

StartingModels::StartingModels(const StartSettings& settings, Listener& listener)
    : added_(settings.add_symbols) {
  check(settings);
  const auto open = [&](const std::string& path) {
    const ReadableModel readable(path, listener);
    auto model = std::make_shared<const TextModel>(read_text_model(readable.directory(), Weights::in_place));
    expect_text(*model, readable.name());
    return std::make_shared<const Part>(Part{readable.name(), std::move(model)});
  };
  if (!settings.model.empty()) encoder_ = decoder_ = open(settings.model);
  if (!settings.from_encoder.empty()) encoder_ = open(settings.from_encoder);
  if (!settings.from_decoder.empty()) decoder_ = open(settings.from_decoder);
  if (encoder_ && decoder_ &&
      encoder_->model->format.normalization != decoder_->model->format.normalization) {
    throw UsageError(concat(encoder_->directory, " and ", decoder_->directory,
                            " differ in --normalization; expected models with the same normalisation"));
  }
  extend_vocabularies({});
}

StartingModels StartingModels::with_symbols(const std::vector<std::string>& symbols) const {
  StartingModels models = *this;
  models.extend_vocabularies(symbols);
  return models;
}

void StartingModels::extend_vocabularies(const std::vector<std::string>& needed) {
  const bool one = encoder_ == decoder_;
  if (encoder_) encoder_ = extended(*encoder_, needed);
  if (decoder_) decoder_ = one ? encoder_ : extended(*decoder_, needed);
  const Tokenizers& of_source = encoder_ ? encoder_->tokenizers : decoder_->tokenizers;
  const Tokenizers& of_target = decoder_ ? decoder_->tokenizers : encoder_->tokenizers;
  const bool same = of_source.source->bytes() == of_target.target->bytes();
  tokenizers_ = {of_source.source, same ? of_source.source : of_target.target};
}

std::shared_ptr<const StartingModels::Part> StartingModels::extended(
    const Part& part, const std::vector<std::string>& needed) const {
  const TextModel& model = *part.model;
  const auto with_symbols = [&](const std::shared_ptr<const Subwords>& old) {
    std::vector<std::string> symbols = added_;
    for (const std::string& symbol : missing_symbols(*old, needed)) {
      if (std::ranges::count(added_, symbol) == 0) symbols.push_back(symbol);
    }
    return extended_vocabulary(old, model.format, symbols);
  };
  const Extended source = with_symbols(model.source);
  const Extended target = model.source == model.target ? source : with_symbols(model.target);
  return std::make_shared<const Part>(
      Part{part.directory, part.model, {source.subwords, target.subwords}, source.origins, target.origins});
}

std::int64_t StartingModels::usual_length(Form form) const {
  const TextModel& model = *any().model;
  const bool restores = form == Form::encoder_decoder && model.format.mask_token >= 0;
  if (form_of(model.model.settings) != form || restores) return -1;
  return model.lengths ? model.lengths->usual() : 0;
}

std::vector<std::string> StartingModels::rounded() const {
  std::vector<std::string> directories;
  for (const auto& part : {encoder_, encoder_ == decoder_ ? nullptr : decoder_}) {
    const bool exact = !part || part->model->model.parameters->stored_type() == DType::f32;
    if (!exact) directories.push_back(part->directory);
  }
  return directories;
}

std::string StartingModels::text() const {
  if (encoder_ == decoder_) return encoder_->directory;
  std::vector<std::string> parts;
  if (encoder_) parts.push_back("the encoder of " + encoder_->directory);
  if (decoder_) parts.push_back("the decoder of " + decoder_->directory);
  return join(parts, " and ");
}

NetworkSettings StartingModels::network(Form form, int chosen_layers) const {
  if (encoder_ == decoder_) {
    const NetworkSettings& own = encoder_->model->model.settings;
    expect_finetuning(encoder_->directory, form_of(own), form);
    return trained_further(own);
  }
  if (form != Form::encoder_decoder) {
    throw UsageError("--from-encoder and --from-decoder are for translation models only; use --model");
  }
  return joined_network(chosen_layers);
}

NetworkSettings StartingModels::joined_network(int chosen_layers) const {
  const auto expect_part = [](const std::shared_ptr<const Part>& part, Form without, const char* what) {
    if (!part) return;
    const NetworkSettings& network = part->model->model.settings;
    if (form_of(network) == without) {
      throw UsageError(concat(part->directory, " has no ", what, "; expected a model that has one"));
    }
    if (!joins_parts(network)) {
      throw UsageError(
          concat(part->directory, " has the architecture ", shown(network.architecture),
                 ", whose parts cannot be used separately; expected a transformer without --deep-norm"));
    }
  };
  expect_part(encoder_, Form::decoder, "encoder");
  expect_part(decoder_, Form::encoder, "decoder");
  NetworkSettings joined = trained_further(any().model->model.settings);
  NetworkSizes& sizes = joined.sizes;
  sizes.alignment_head = 0;  // attention to the source starts anew
  if (encoder_ && decoder_) {
    NetworkSettings other = trained_further(decoder_->model->model.settings);
    const Fields ours = fields_of(joined), theirs = fields_of(other);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const bool of_each =
          refers_to(ours[i], sizes.encoder_layers, sizes.decoder_layers, sizes.tied_embeddings) ||
          ours[i].name == "encoder_mixers" || ours[i].name == "decoder_mixers";
      if (ours[i].name == "decoder_mixers") copy_value(theirs[i], ours[i]);
      if (of_each || ours[i].has(kTrainingOnly) || same_value(ours[i], theirs[i])) continue;
      throw UsageError(concat("the encoder of ", encoder_->directory, " and the decoder of ",
                              decoder_->directory, " do not match: ", "--", option_name(ours[i].name), " is ",
                              field_text(ours[i]), " and ", field_text(theirs[i])));
    }
    sizes.decoder_layers = other.sizes.decoder_layers;
    // Each side has learned its own embeddings.
    const bool untied = other.sizes.tied_embeddings == TiedEmbeddings::none ||
                        other.sizes.tied_embeddings == TiedEmbeddings::inputs;
    sizes.tied_embeddings = untied ? TiedEmbeddings::none : TiedEmbeddings::target;
    return joined;
  }
  int& missing = encoder_ ? sizes.decoder_layers : sizes.encoder_layers;
  const int there = encoder_ ? sizes.encoder_layers : sizes.decoder_layers;
  missing = chosen_layers > 0 ? chosen_layers : there;
  return joined;
}

void StartingModels::expect_tokenizers(const Tokenizers& given) const {
  const auto expect = [&](const Subwords& one, const Part& part, const Subwords& own) {
    if (one.bytes() == own.bytes()) return;
    throw UsageError(concat("the given tokenizer has ", one.size(), " pieces and differs from that of ",
                            part.directory, ", which has ", own.size(),
                            " pieces; leave out --tokenizer, and add symbols with --add-symbols"));
  };
  const Part& source = encoder_ ? *encoder_ : *decoder_;
  const Part& target = decoder_ ? *decoder_ : *encoder_;
  expect(*given.source, source, *source.model->source);
  expect(*given.target, target, *target.model->target);
}

std::vector<std::string> StartingModels::give_weights(const Parameters& parameters) const {
  std::vector<std::string> fresh;
  for (const Parameters::Entry& entry : parameters.entries()) {
    if (!give(entry, entry.tensor.values())) fresh.push_back(entry.name);
  }
  return fresh;
}

bool StartingModels::give(const Parameters::Entry& entry, std::span<float> values) const {
  const std::string& name = entry.name;
  const bool of_source = name.starts_with("encoder.") || name.starts_with("source_embedding.");
  const bool of_both = name == "embedding.weight";
  const Part* const part = (of_source || (of_both && encoder_) ? encoder_ : decoder_).get();
  if (part == nullptr) return false;
  const auto entries = part->model->model.parameters->entries();
  const auto find = [&](const std::string& wanted) {
    return std::ranges::find(entries, wanted, &Parameters::Entry::name);
  };
  auto found = find(name);
  // A model with one side, or with a shared table, has only "embedding.weight".
  if (found == entries.end() && name.ends_with("_embedding.weight")) found = find("embedding.weight");
  if (found == entries.end()) return false;

  const StoredMatrix stored = found->tensor.stored();
  const auto columns = index(stored.columns);
  if (!is_table_of_tokens(name)) {
    if (found->tensor.shape() != entry.tensor.shape()) return false;
    for (std::int64_t row = 0; row < stored.rows; ++row) {
      widen_row(stored, row, values.data() + index(row) * columns);
    }
    return true;
  }
  const Origins& origins = of_source ? part->source_origins : part->target_origins;
  std::vector<float> old(columns);
  const std::size_t rows = std::min(values.size() / columns, origins.size());
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = values.data() + row * columns;
    if (origins[row].size() == 1) {  // bit-identical copy
      widen_row(stored, origins[row].front(), to);
      continue;
    }
    std::vector<double> sum(columns, 0);
    for (const int origin : origins[row]) {
      widen_row(stored, origin, old.data());
      for (std::size_t i = 0; i < columns; ++i) sum[i] += static_cast<double>(old[i]);
    }
    const auto count = static_cast<double>(origins[row].size());
    for (std::size_t i = 0; i < columns; ++i) to[i] = static_cast<float>(sum[i] / count);
  }
  return true;
}

int mask_token_of(const ModelTrainingSettings& settings, const Subwords& subwords) {
  if (!settings.starting_models) return subwords.size();
  const StartingModels& start = *settings.starting_models;
  const int mask = start.format().mask_token;
  return mask >= 0 && mask < start.unextended_size() ? mask : subwords.size();
}

}  // namespace gloss
