// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_generation.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr int kMostIds = 1 << 24;

/// Single tokens that must not be chosen. Longer phrases are noted.
void take_banned(const ForeignConfig& config, int end, HuggingFaceGeneration& to) {
  const auto add = [&](const json& id, const std::string& member) {
    if (!id.is_number_integer() || id < 0 || id >= kMostIds) config.refuse(member, "lists of ids of tokens");
    to.banned.push_back(id.get<int>());
  };
  if (config.has("suppress_tokens")) {
    if (!config.at("suppress_tokens").is_array()) config.refuse("suppress_tokens", "a list of ids");
    for (const json& id : config.at("suppress_tokens")) {
      add(id, "suppress_tokens");
      if (id == end) config.refuse("suppress_tokens", concat("no end token, ", end));
    }
  }
  if (!config.has("bad_words_ids")) return;
  if (!config.at("bad_words_ids").is_array()) config.refuse("bad_words_ids", "a list of lists of ids");
  bool longer = false;
  for (const json& phrase : config.at("bad_words_ids")) {
    if (!phrase.is_array() || phrase.empty()) config.refuse("bad_words_ids", "a list of lists of ids");
    if (phrase.size() == 1) add(phrase.front(), "bad_words_ids");
    longer = longer || phrase.size() > 1;
  }
  if (longer) {
    to.notes.push_back(concat(
        config.path(), ": phrases of several tokens in bad_words_ids are not followed; ", "use --ban"));
  }
}

/// The maximum number of tokens of a target. transformers counts the token at which the decoder starts and
/// the end token, which it forces at the limit if forced_eos_token_id is set.
void take_lengths(const ForeignConfig& config, HuggingFaceGeneration& to) {
  constexpr int kLongest = 1'000'000;
  const bool forced_end = config.has("forced_eos_token_id");
  const int length = config.integer("max_length", 0, 0, kLongest),
            added = config.integer("max_new_tokens", 0, 0, kLongest);
  const int limit = (added > 0 ? added + 1 : length) - (forced_end ? 2 : 1);
  if (added > 0 || length > 0) to.search["max_length"] = std::max(1, limit);
  // min_new_tokens does not count the token at which the decoder starts.
  const int least = std::max(config.integer("min_length", 0, 0, kLongest) - 1,
                             config.integer("min_new_tokens", 0, 0, kLongest));
  if (least > 0) to.search["min_length"] = least;
  if (added == 0 && length > 0 && config.integer("min_length", 0, 0, kLongest) > length)
    config.refuse("min_length", concat("at most ", length, ", which is max_length"));
  if (added > 0 && config.integer("min_new_tokens", 0, 0, kLongest) > added)
    config.refuse("min_new_tokens", concat("at most ", added, ", which is max_new_tokens"));
}

/// The search of transformers takes its tokens from here, not from config.json.
void expect_tokens(const ForeignConfig& config, const NetworkSettings& network) {
  const auto expect = [&](const std::string& name, int expected) {
    if (!config.has(name)) return;
    const json& value = config.at(name);
    if (value != json(expected) && value != json::array({expected}))
      config.refuse(name, concat(expected, ", the token with which the model was trained"));
  };
  expect("eos_token_id", network.end_token);
  expect("forced_eos_token_id", network.end_token);
  if (network.sizes.encoder_layers > 0) expect("decoder_start_token_id", network.begin_token);
}

/// early_stopping true is a patience of 1; otherwise transformers estimates whether a better hypothesis may
/// come.
void take_patience(const ForeignConfig& config, HuggingFaceGeneration& to) {
  const std::string name = "early_stopping";
  if (!config.has(name)) return;
  const json& value = config.at(name);
  if (!value.is_boolean() && value != "never") config.refuse(name, "true, false or \"never\"");
  if (value == true) to.search["patience"] = 1;
}

}  // namespace

HuggingFaceGeneration read_generation(const HuggingFaceFiles& files, const NetworkSettings& network) {
  const ForeignConfig& config = files.generation;
  HuggingFaceGeneration result;
  result.forced_begin = config.integer("forced_bos_token_id", -1);
  if (config.has("num_beams")) result.search["beam_size"] = config.integer("num_beams", 1, 1, 1000);
  if (config.has("length_penalty")) {
    const double penalty = config.number("length_penalty", 1, -10, 10);
    result.search["length_penalty"] = std::max(0.0, penalty);
    if (penalty < 0)
      result.notes.push_back(
          concat(config.path(), ": a length_penalty below 0 becomes 0, which favours short targets"));
  }
  take_patience(config, result);
  const int ngram = config.integer("no_repeat_ngram_size", 0, 0, 1000);
  if (ngram > 0) result.search["no_repeat_ngram"] = ngram;
  take_lengths(config, result);
  take_banned(config, network.end_token, result);
  result.renormalizes = config.flag("renormalize_logits", false);
  expect_tokens(config, network);
  std::erase(result.banned, network.end_token);  // transformers allows it, too
  return result;
}

}  // namespace gloss
