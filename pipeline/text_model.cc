#include "pipeline/text_model.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "pipeline/ensemble.h"
#include "pipeline/training_directory.h"

namespace gloss {
namespace {

constexpr const char* kShared = "tokenizer.model";
constexpr const char* kSource = "source.model";
constexpr const char* kTarget = "target.model";

constexpr const char* kMaskToken = "mask_token";
constexpr const char* kLabels = "labels";

Fields text_fields(TextFormat& format) {
  return {
      {"normalization", normalization_choice(format.normalization), "Unicode normalisation of all text"},
      {kMaskToken, &format.mask_token, "the token that hides another one; -1: there is none", {-1, 1 << 24}},
      {kLabels, &format.labels, "of a classifier, in the order of its classes"}};
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void expect_same(int tokenizer, int network, const std::string& what, const std::string& file,
                 const std::string& config) {
  if (tokenizer == network) return;
  throw InputError(concat(file, " does not belong to its network: ", what, " is ", tokenizer,
                          " in the tokenizer but ", network, " in ", config,
                          "; put back the tokenizer that the model was trained with"));
}

bool same_pieces(const Subwords& a, const Subwords& b) {
  if (a.bytes() == b.bytes()) return true;
  if (a.size() != b.size()) return false;
  for (int id = 0; id < a.size(); ++id) {
    if (a.piece(id) != b.piece(id)) return false;
  }
  return true;
}

/// Throws UsageError unless what one model reads and writes is the same for the other.
void expect_same_text(const TextModel& a, const std::string& a_name, const TextModel& b,
                      const std::string& b_name) {
  const auto refuse = [&](const std::string& what, const std::string& a_has, const std::string& b_has) {
    throw UsageError(concat("models that translate together must have the same ", what, ", but ", a_name,
                            " has ", a_has, " and ", b_name, " ", b_has));
  };
  const auto pieces = [&](const Subwords& one, const Subwords& other) {
    return one.size() == other.size() ? "others" : concat(other.size(), " pieces");
  };
  if (!same_pieces(*a.target, *b.target)) {
    refuse("target vocabulary", concat(a.target->size(), " pieces"), pieces(*a.target, *b.target));
  }
  if (!same_pieces(*a.source, *b.source)) {
    refuse("source vocabulary", concat(a.source->size(), " pieces"), pieces(*a.source, *b.source));
  }
  if (a.format.normalization != b.format.normalization) refuse("normalisation of text", "one", "another");
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
      return "a classifier (for 'gloss classify')";
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
      return "'gloss finetune --task classify'";
  }
  throw BrokenPromise("a form without a maker");
}

std::vector<double> shares_of(const std::vector<std::string>& weights, std::size_t members) {
  if (weights.empty()) return std::vector<double>(members, 1.0 / static_cast<double>(members));
  if (weights.size() != members) {
    throw UsageError(concat("--ensemble-weights has ", weights.size(),
                            weights.size() == 1 ? " number" : " numbers", " for ", members,
                            members == 1 ? " model" : " models", "; expected one for each --model"));
  }
  std::vector<double> shares;
  double sum = 0;
  for (const std::string& text : weights) {
    double value = 0;
    if (!parse_number(text, value) || !(value > 0) || value > 1e9) {
      throw UsageError(concat("--ensemble-weights: found '", text, "', expected positive numbers"));
    }
    sum += shares.emplace_back(value);
  }
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace

void expect_form(const TextModel& model, Form form, const std::string& name) {
  if (form_of(model.model.settings) == form) return;
  throw UsageError(concat(name, " is ", form_text(form_of(model.model.settings)), "; expected ",
                          form_text(form), ", as ", maker_of(form), " makes it"));
}

TextFormat read_text_format(const std::string& directory) {
  const std::string config_file = directory + "/config.json";
  const nlohmann::json config = read_model_config(directory);
  if (!config.contains("text")) {
    throw InputError(concat(config_file, " has no member \"text\", which models for text have"));
  }
  TextFormat format;
  fields_from_json(text_fields(format), config.at("text"), config_file + ": text", {kMaskToken, kLabels});
  for (const std::string& label : format.labels) {
    if (!label.empty() && label.find_first_of("\t\n") == std::string::npos) continue;
    throw InputError(
        concat(config_file, ": found the label '", label, "', expected text without tabs and ends of lines"));
  }
  return format;
}

TextModel read_text_model(const std::string& directory, Weights weights) {
  const std::string config_file = directory + "/config.json";
  TextModel result;
  result.model = read_model(directory, weights);
  result.format = read_text_format(directory);
  const bool shared = exists(directory + "/" + kShared);
  if (!shared && !exists(directory + "/" + kSource)) {
    throw InputError(
        concat(directory, " has no tokenizer: expected tokenizer.model, or source.model and target.model"));
  }
  const std::string source_file = directory + "/" + (shared ? kShared : kSource);
  const std::string target_file = directory + "/" + (shared ? kShared : kTarget);
  result.source = std::make_shared<const Subwords>(Subwords::load(source_file));
  result.target = shared ? result.source : std::make_shared<const Subwords>(Subwords::load(target_file));

  const NetworkSettings& network = result.model.settings;
  const int mask = result.format.mask_token, further = mask >= 0 ? 1 : 0;
  expect_same(result.source->size() + further, network.source_vocabulary, "the number of pieces", source_file,
              config_file);
  expect_same(result.target->size() + further, network.target_vocabulary, "the number of pieces", target_file,
              config_file);
  if (mask >= 0) expect_same(result.source->size(), mask, "the mask token", source_file, config_file);
  if (static_cast<int>(result.format.labels.size()) != network.classifier.classes) {
    throw InputError(concat(config_file, ": ", result.format.labels.size(), " labels for ",
                            network.classifier.classes, " classes; expected one for each"));
  }
  // A language model begins behind the end of another line.
  const int begin =
      network.transformer.encoder_layers == 0 ? result.target->end_id() : result.target->begin_id();
  expect_same(begin, network.begin_token, "the begin token", target_file, config_file);
  expect_same(result.target->end_id(), network.end_token, "the end token", target_file, config_file);
  if (result.source->end_id() < 0) {
    throw InputError(concat(source_file, " has no end token (</s>), which every source line ends with"));
  }
  return result;
}

FilesBeside tokenizer_files(const Subwords& source, const Subwords& target) {
  // One that is left over from another model would be taken for this one's.
  FilesBeside files{{kShared, {}}, {kSource, {}}, {kTarget, {}}};
  if (&source == &target || source.bytes() == target.bytes()) {
    files[kShared] = source.bytes();
  } else {
    files[kSource] = source.bytes();
    files[kTarget] = target.bytes();
  }
  return files;
}

nlohmann::json text_settings(TextFormat format) { return fields_to_json(text_fields(format)); }

void limit_lengths(const NetworkSettings& network, TranslationSettings& settings) {
  const int longest = network.transformer.max_positions - 1;  // one is taken by the end or the begin token
  settings.max_source_tokens = std::min(settings.max_source_tokens, longest);
  settings.search.max_length = std::min(settings.search.max_length, longest);
}

TextModels read_text_models(const std::vector<std::string>& directories,
                            const std::vector<std::string>& weights, Form form) {
  if (directories.empty()) throw UsageError("which model? Give its directory with -m DIR");
  TextModels models;
  models.weights = shares_of(weights, directories.size());
  for (const std::string& directory : directories) {
    models.members.push_back(read_text_model(model_directory_of(directory), Weights::mapped));
    expect_form(models.members.back(), form, directory);
    expect_same_text(models.first(), directories.front(), models.members.back(), directory);
  }
  if (models.members.size() > 1) {
    std::vector<const Decoder*> decoders;
    for (const TextModel& member : models.members) decoders.push_back(member.model.network.get());
    models.ensemble = std::make_unique<Ensemble>(std::move(decoders), models.weights);
  }
  return models;
}

void pack(TextModel& model, Precision precision, int threads) {
  pack(model.model, translation_type(precision, model.model.parameters->stored_type()), threads);
}

void pack(TextModels& models, Precision precision, int threads) {
  for (TextModel& member : models.members) pack(member, precision, threads);
}

void limit_lengths(const TextModels& models, TranslationSettings& settings) {
  for (const TextModel& member : models.members) limit_lengths(member.model.settings, settings);
}

}  // namespace gloss
