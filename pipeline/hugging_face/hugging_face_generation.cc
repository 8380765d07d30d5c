// SPDX-License-Identifier: Apache-2.0

#include "pipeline/hugging_face/hugging_face_generation.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr int kMostIds = 1 << 24;

/// Single tokens that must not be chosen. Longer phrases are noted.
void take_banned(const ForeignConfig& config, HuggingFaceGeneration& to) {
  const auto add = [&](const json& id, const std::string& member) {
    if (!id.is_number_integer() || id < 0 || id >= kMostIds) config.refuse(member, "lists of ids of tokens");
    to.banned.push_back(id.get<int>());
  };
  if (config.has("suppress_tokens")) {
    if (!config.at("suppress_tokens").is_array()) config.refuse("suppress_tokens", "a list of ids");
    for (const json& id : config.at("suppress_tokens")) add(id, "suppress_tokens");
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
  const int least = config.integer("min_length", 0, 0, kLongest);
  if (least > 1) to.search["min_length"] = least - 1;
}

}  // namespace

HuggingFaceGeneration read_generation(const HuggingFaceFiles& files) {
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
  if (config.has("early_stopping") && config.at("early_stopping") == json(true))
    result.search["patience"] = 1;
  const int ngram = config.integer("no_repeat_ngram_size", 0, 0, 1000);
  if (ngram > 0) result.search["no_repeat_ngram"] = ngram;
  take_lengths(config, result);
  take_banned(config, result);
  for (const std::string name :
       {"encoder_no_repeat_ngram_size", "begin_suppress_tokens", "num_beam_groups"}) {
    const bool harmless = !config.has(name) || config.at(name) == json(0) || config.at(name) == json(1);
    if (!harmless) result.notes.push_back(concat(config.path(), ": '", name, "' is not followed"));
  }
  return result;
}

}  // namespace gloss
