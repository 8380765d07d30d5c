// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/text_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "base/shown.h"
#include "model/model_paths.h"
#include "model/tensor/matmul.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/search/ensemble.h"

namespace gloss {
namespace {

void expect_same(int tokenizer, int network, const std::string& what, const std::string& file,
                 const std::string& config) {
  if (tokenizer == network) return;
  throw InputError(concat(file, " does not belong to the network: ", what, " is ", tokenizer,
                          " in the tokenizer but ", network, " in ", config,
                          "; restore the tokenizer that the model was trained with"));
}

bool same_pieces(const Subwords& a, const Subwords& b) {
  if (a.bytes() == b.bytes()) return true;
  if (a.size() != b.size()) return false;
  for (int id = 0; id < a.size(); ++id) {
    if (a.piece(id) != b.piece(id)) return false;
  }
  return true;
}

std::string form_text(Form form) {
  switch (form) {
    case Form::encoder_decoder:
      return "a translation model (for 'gloss translate' and 'gloss score')";
    case Form::decoder:
      return "a language model (for 'gloss generate' and 'gloss score --input')";
    case Form::encoder:
      return "a masked model (for 'gloss fill')";
    case Form::classifier:
      return "a classifier (for 'gloss classify', or for 'gloss answer' if it answers questions about "
             "stories)";
  }
  throw BrokenPromise("a form without a name");
}

std::string maker_of(Form form) {
  switch (form) {
    case Form::encoder_decoder:
      return "'gloss train'";
    case Form::decoder:
      return "'gloss pretrain --objective lm'";
    case Form::encoder:
      return "'gloss pretrain --objective mlm'";
    case Form::classifier:
      return "'gloss finetune --task classify' or '--task answer'";
  }
  throw BrokenPromise("a form without a training command");
}

std::vector<double> shares_of(const std::vector<std::string>& weights, std::size_t members) {
  if (weights.empty()) return std::vector<double>(members, 1.0 / static_cast<double>(members));
  std::vector<double> shares;
  double sum = 0;
  for (const std::string& text : weights) {
    double value = 0;
    if (!parse_number(text, value) || !(value > 0) || value > 1e9) {
      throw UsageError(concat("--ensemble-weights: found ", shown(text), ", expected positive numbers"));
    }
    sum += shares.emplace_back(value);
  }
  if (weights.size() != members) {
    throw UsageError(concat("--ensemble-weights has ", weights.size(),
                            weights.size() == 1 ? " number" : " numbers", " for ", members,
                            members == 1 ? " model" : " models", "; expected one per --model"));
  }
  for (double& share : shares) share /= sum;
  return shares;
}

void expect_label_for_each_class(const TextModel& model, const std::string& config_file) {
  const int classes = model.model.settings.classifier.classes;
  if (static_cast<int>(model.format.labels.size()) == classes) return;
  throw InputError(concat(config_file, ": ", model.format.labels.size(), " labels for ", classes,
                          " classes; expected one label per class"));
}

/// All that decides how items become the rows of a network, which the members of an ensemble share.
std::string reading_text(const NetworkSettings& network) {
  if (network.source.is_text()) return "text";
  SourceSettings source = network.source;
  Fields fields = fields_of(source, source.type);
  if (source.type == SourceType::audio) append(fields, learned_fields_of(source.audio));
  if (source.type == SourceType::features) append(fields, learned_fields_of(source.features));
  leave_out(fields, source.stem.widths, source.stem.strides, source.image.patch_size);
  const std::string row = source.type == SourceType::image
                              ? concat(row_length(network), " vectors")
                              : concat(windows_of_vector(source), " windows in a vector, at most ",
                                       network.sizes.max_positions, " vectors");
  return concat(items_noun(source), " with ", fields_to_json(fields).dump(), " and ", row);
}

}  // namespace

void expect_text(const TextModel& model, const std::string& name) {
  if (model.model.settings.source.is_text()) return;
  const bool classifies = form_of(model.model.settings) == Form::classifier;
  const std::string items = items_noun(model.model.settings.source);
  throw InputError(concat(name,
                          classifies
                              ? concat(" classifies ", items, " (for 'gloss classify')")
                              : concat(" reads ", items, " (for 'gloss translate', 'score' and 'align')"),
                          "; expected a model of text"));
}

void expect_form(const NetworkSettings& network, Form form, const std::string& name) {
  if (form_of(network) == form) return;
  throw InputError(concat(name, " is ", form_text(form_of(network)), "; expected ", form_text(form),
                          ", as from ", maker_of(form), " or another program"));
}

TextModel read_text_model(const std::string& directory, Weights weights) {
  const std::string config_file = concat(directory, "/", kConfigFile);
  TextModel result;
  result.model = read_model(directory, weights);
  result.format = read_text_format(directory);
  const nlohmann::json config = read_model_config(directory);
  if (config.contains("lengths")) {
    result.lengths = read_lengths(config.at("lengths"), config_file + ": lengths");
  }
  expect_label_for_each_class(result, config_file);
  if (!result.model.settings.source.is_text() && form_of(result.model.settings) == Form::classifier)
    return result;
  const TokenizerPaths files = tokenizer_paths(directory);
  result.source = std::make_shared<const Subwords>(Subwords::load(files.source));
  result.target =
      files.shared() ? result.source : std::make_shared<const Subwords>(Subwords::load(files.target));

  const NetworkSettings& network = result.model.settings;
  const int mask = result.format.mask_token, further = mask >= result.source->size() ? 1 : 0;
  expect_same(result.source->size() + further, network.source_vocabulary, "the number of pieces",
              files.source, config_file);
  expect_same(result.target->size() + further, network.target_vocabulary, "the number of pieces",
              files.target, config_file);
  if (further > 0) expect_same(result.source->size(), mask, "the mask token", files.source, config_file);
  const int begin = begin_token_of(network, result.target->begin_id(), result.target->end_id());
  expect_same(begin, network.begin_token, "the begin token", files.target, config_file);
  expect_same(result.target->end_id(), network.end_token, "the end token", files.target, config_file);
  if (result.source->end_id() < 0) {
    throw InputError(concat(files.source, " has no end token (</s>); every source line must end with it"));
  }
  result.frame.target_order = result.format.target_order;
  expect_pieces(result.format, result.source->size(), result.target->size(), config_file + ": text");
  expect_sums(directory, files, *result.source, *result.target);
  return result;
}

void expect_same_text(const NamedModel& one, const NamedModel& other, const std::string& why) {
  const TextModel &a = one.model, &b = other.model;
  const auto refuse = [&](const std::string& what, const std::string& a_has, const std::string& b_has) {
    throw UsageError(concat(why, " must have the same ", what, ", but ", one.name, " has ", a_has, " and ",
                            other.name, " has ", b_has));
  };
  const auto pieces = [&](const Subwords& ours, const Subwords& theirs) {
    return ours.size() == theirs.size() ? "different ones" : concat(theirs.size(), " pieces");
  };
  if (!same_pieces(*a.target, *b.target)) {
    refuse("target vocabulary", concat(a.target->size(), " pieces"), pieces(*a.target, *b.target));
  }
  const std::string a_reads = reading_text(a.model.settings), b_reads = reading_text(b.model.settings);
  if (a_reads != b_reads) refuse("source", a_reads, b_reads);
  if (!same_pieces(*a.source, *b.source)) {
    refuse("source vocabulary", concat(a.source->size(), " pieces"), pieces(*a.source, *b.source));
  }
  if (a.format.normalization != b.format.normalization) refuse("text normalisation", "one", "another");
  const auto frame = [](const TextFormat& format) {
    return std::tie(format.source_prefix, format.target_prefix, format.languages.ids,
                    format.languages.source_place, format.languages.target_place, format.bare_start,
                    format.source_end);
  };
  if (frame(a.format) != frame(b.format)) refuse("tokens around lines", "some", "others");
  if (a.format.target_order != b.format.target_order) {
    const auto order = [](TargetOrder of) {
      return std::string(of == TargetOrder::left_to_right ? "left-to-right" : "right-to-left");
    };
    refuse("order of target tokens (--target-order)", order(a.format.target_order),
           order(b.format.target_order));
  }
}

TextModels read_text_models(const ModelChoice& choice, Listener& listener) {
  const std::vector<std::string>& directories = choice.directories;
  if (directories.empty()) throw UsageError("no model: give a model directory with -m DIR");
  TextModels models;
  models.weights = shares_of(choice.weights, directories.size());
  for (const std::string& directory : directories) {
    const auto check = [&](const ForeignModel& foreign) {
      expect_form(foreign.network, choice.form, directory);
      if (choice.languages != nullptr) frame_of(foreign.format, *choice.languages);
    };
    const ReadableModel readable(directory, listener, check);
    models.members.push_back(read_text_model(readable.directory(), Weights::in_place));
    expect_form(models.members.back().model.settings, choice.form, directory);
    if (!choice.of_items) expect_text(models.members.back(), directory);
    expect_same_text({models.first(), directories.front()}, {models.members.back(), directory},
                     "the models of an ensemble");
  }
  if (models.members.size() > 1) {
    std::vector<const Decoder*> decoders;
    for (const TextModel& member : models.members) decoders.push_back(member.model.network.get());
    models.ensemble = std::make_unique<Ensemble>(std::move(decoders), models.weights);
  }
  if (choice.languages != nullptr) choose_languages(models, *choice.languages);
  return models;
}

void choose_languages(TextModels& models, const LanguageChoice& choice) {
  for (TextModel& member : models.members) member.frame = frame_of(member.format, choice);
}

std::int64_t usual_source_length(const TextModels& models) {
  std::int64_t usual = 0;
  for (const TextModel& member : models.members) {
    if (member.lengths) usual = std::max(usual, member.lengths->usual());
  }
  return usual;
}

std::string source_language(const TextModels& models, const LanguageChoice& choice) {
  return choice.source.empty() ? models.first().format.languages.source : choice.source;
}

std::string target_language(const TextModels& models, const LanguageChoice& choice) {
  return choice.target.empty() ? models.first().format.languages.target : choice.target;
}

void take_model_defaults(const TextModels& models, const Given& given, SearchSettings& settings) {
  const TextModel& first = models.first();
  const bool describes = !first.model.settings.source.is_text();
  if (describes && first.lengths && first.lengths->target.lines > 0 && !given(&settings.max_length)) {
    constexpr std::int64_t kTimes = 2, kLeast = 16;
    const std::int64_t longest = std::max(kLeast, kTimes * first.lengths->target.longest);
    settings.max_length = static_cast<int>(std::min<std::int64_t>(settings.max_length, longest));
  }
  if (!describes && first.lengths && !given(&settings.max_length_factor))
    settings.max_length_factor = length_factor(first.lengths->expansion);
  take_defaults(first.format.search, given, "config.json: text.search", settings);
}

void pack(TextModel& model, Precision precision, int threads, Listener& listener) {
  const DType stored = model.model.parameters->stored_type(), type = translation_type(precision, stored);
  if (const DType wanted = product_type(stored); precision == Precision::automatic && type != wanted) {
    listener.note(concat("the weights are stored as ", name_of(stored), ", but the instruction set ",
                         onednn_instruction_set(), " cannot multiply ", name_of(wanted),
                         " numbers; computing in ", name_of(type)));
  }
  pack(model.model, type, threads);
}

void pack(TextModels& models, Precision precision, int threads, Listener& listener) {
  for (TextModel& member : models.members) pack(member, precision, threads, listener);
}

}  // namespace gloss
