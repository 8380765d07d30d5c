// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"

#include <map>
#include <string>

#include "pipeline/foreign/hugging_face/tokenizer_to_export.h"
#include "tokenizer/foreign_rules.h"

namespace gloss {
namespace {

using nlohmann::json;

/// The first token of every target; -1: none.
int forced_begin(const TextFormat& format) {
  if (!format.target_prefix.empty()) return format.target_prefix.front();
  const LanguageTokens& languages = format.languages;
  if (languages.target_place == LanguageTokens::TargetPlace::begin) return -1;
  return languages.target.empty() ? -1 : languages.ids.at(languages.target);
}

/// The defaults of the search, in the names of transformers.
void add_search(const std::map<std::string, double>& search, json& to) {
  static const std::map<std::string, std::string> names{{"beam_size", "num_beams"},
                                                        {"length_penalty", "length_penalty"},
                                                        {"no_repeat_ngram", "no_repeat_ngram_size"}};
  const auto number = [](double value) {
    const auto whole = static_cast<int>(value);
    return whole == value ? json(whole) : json(value);
  };
  for (const auto& [own, foreign] : names) {
    if (const auto found = search.find(own); found != search.end()) to[foreign] = number(found->second);
  }
  // transformers counts the token at which the decoder starts.
  for (const std::string length : {"max_length", "min_length"}) {
    if (const auto found = search.find(length); found != search.end()) to[length] = number(found->second + 1);
  }
  if (const auto patience = search.find("patience"); patience != search.end() && patience->second == 1)
    to["early_stopping"] = true;
}

}  // namespace

int padding_of(const ModelToExport& model) {
  const int named = TokenizerToExport(*model.tokenizers.target).padding();
  if (named >= 0) return named;
  const std::vector<int> never = model.tokenizers.target->never_generated();
  return never.empty() ? model.model.settings.end_token : never.front();
}

json token_settings(const ModelToExport& model) {
  const NetworkSettings& network = model.model.settings;
  json settings{{"eos_token_id", network.end_token}, {"pad_token_id", padding_of(model)}};
  if (network.sizes.decoder_layers == 0 || network.sizes.encoder_layers == 0)
    settings["bos_token_id"] = network.begin_token;
  else
    settings["decoder_start_token_id"] = network.begin_token;
  if (const int begin = forced_begin(model.format); begin >= 0) settings["forced_bos_token_id"] = begin;
  return settings;
}

json generation_settings(const ModelToExport& model) {
  json settings = token_settings(model);
  for (const int id : model.tokenizers.target->never_generated()) settings["bad_words_ids"].push_back({id});
  if (never_probable(*model.tokenizers.target)) settings["renormalize_logits"] = true;
  add_search(model.format.search, settings);
  return settings;
}

}  // namespace gloss
