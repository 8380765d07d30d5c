#include "pipeline/translation_model.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace gloss {
namespace {

constexpr const char* kShared = "/tokenizer.model";
constexpr const char* kSource = "/source.model";
constexpr const char* kTarget = "/target.model";

Fields text_fields(Normalization& normalization) {
  return {{"normalization", normalization_choice(normalization), "Unicode normalisation of all text"}};
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

}  // namespace

TranslationModel read_translation_model(const std::string& directory, Weights weights) {
  const std::string config_file = directory + "/config.json";
  TranslationModel result;
  result.model = read_model(directory, weights);
  const nlohmann::json config = read_model_config(directory);
  if (!config.contains("text")) {
    throw InputError(concat(config_file, " has no member \"text\", which models for text have"));
  }
  fields_from_json(text_fields(result.normalization), config.at("text"), config_file + ": text");

  const bool shared = exists(directory + kShared);
  if (!shared && !exists(directory + kSource)) {
    throw InputError(
        concat(directory, " has no tokenizer: expected tokenizer.model, or source.model and target.model"));
  }
  const std::string source_file = directory + (shared ? kShared : kSource);
  const std::string target_file = directory + (shared ? kShared : kTarget);
  result.source = std::make_shared<const Subwords>(Subwords::load(source_file));
  result.target = shared ? result.source : std::make_shared<const Subwords>(Subwords::load(target_file));

  const NetworkSettings& network = result.model.settings;
  expect_same(result.source->size(), network.source_vocabulary, "the number of pieces", source_file,
              config_file);
  expect_same(result.target->size(), network.target_vocabulary, "the number of pieces", target_file,
              config_file);
  expect_same(result.target->begin_id(), network.begin_token, "the begin token", target_file, config_file);
  expect_same(result.target->end_id(), network.end_token, "the end token", target_file, config_file);
  if (result.source->end_id() < 0) {
    throw InputError(concat(source_file, " has no end token (</s>), which every source line ends with"));
  }
  return result;
}

nlohmann::json write_text_files(const std::string& directory, const Subwords& source, const Subwords& target,
                                Normalization normalization) {
  const bool shared = &source == &target || source.bytes() == target.bytes();
  if (shared) {
    write_file(directory + kShared, source.bytes());
  } else {
    write_file(directory + kSource, source.bytes());
    write_file(directory + kTarget, target.bytes());
  }
  // Left over from another model, they would be taken for this one's.
  std::error_code ignored;
  if (!shared) std::filesystem::remove(directory + kShared, ignored);
  if (shared) std::filesystem::remove(directory + kSource, ignored);
  if (shared) std::filesystem::remove(directory + kTarget, ignored);
  return fields_to_json(text_fields(normalization));
}

void limit_lengths(const NetworkSettings& network, TranslationSettings& settings) {
  const int longest = network.transformer.max_positions - 1;  // one is taken by the end or the begin token
  settings.max_source_tokens = std::min(settings.max_source_tokens, longest);
  settings.search.max_length = std::min(settings.search.max_length, longest);
}

}  // namespace gloss
