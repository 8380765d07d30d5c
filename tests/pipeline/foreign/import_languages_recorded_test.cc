// SPDX-License-Identifier: Apache-2.0
// Imported models with many languages against what transformers computed.
#include <gtest/gtest.h>

#include "base/json.h"
#include "tests/pipeline/foreign/import_languages.h"
#include "tests/support/shared_data.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

/// The language of each id of the imported model.
std::map<int, std::string> languages_of(const std::string& directory) {
  std::map<int, std::string> codes;
  const nlohmann::json text = read_json(directory + "/config.json")["text"];
  if (!text.contains("languages")) return codes;
  for (const auto& [code, id] : text["languages"]["ids"].items()) codes[id.get<int>()] = code;
  return codes;
}

/// Greedy translations, scores and beams against those that transformers recorded.
void expect_recorded(const ImportLanguages& test, const std::string& name) {
  GLOSS_NEED_SHARED_DATA(recorded, "interchange/huggingface/" + name);
  constexpr JsonLimits kReference{
      .bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16};
  const nlohmann::json reference = read_json(*recorded + "/reference.json", kReference);
  const ProgramResult result = test.gloss({"import", *recorded, "-o", test.own});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::map<int, std::string> languages = languages_of(test.own);
  int cases = 0;
  for (const nlohmann::json& one : reference["cases"]) {
    if (!one.contains("text")) continue;
    std::vector<std::string> words{"--precision", "f32", "--max-length", "63"};
    if (!languages.empty()) {
      const nlohmann::json forced = one.value("generate_arguments", nlohmann::json::object())
                                        .value("forced_bos_token_id", nlohmann::json());
      const int target =
          forced.is_number() ? forced.get<int>() : one["teacher_forced"]["labels"][0].get<int>();
      words.insert(words.end(), {"--source-language", languages.at(one["input_ids"][0]), "--target-language",
                                 languages.at(target)});
    }
    const auto best_of = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all{"translate", "-m", test.own, "--format", "json", "--length-penalty", "1"};
      all.insert(all.end(), words.begin(), words.end());
      all.insert(all.end(), more.begin(), more.end());
      const ProgramResult translated = test.gloss(all, one["text"].get<std::string>() + "\n");
      EXPECT_EQ(translated.status, 0) << translated.errors;
      return json_lines(translated.output)[0]["translations"][0];
    };
    if (!one["greedy"]["eos_was_forced_at_limit"]) {
      const nlohmann::json best = best_of({"--beam-size", "1"});
      double expected = 0;
      for (const double log_probability : one["greedy"]["token_log_probs"]) expected += log_probability;
      EXPECT_NEAR(best["log_probability"].get<double>(), expected, 1e-4 * std::max(1.0, -expected))
          << one["text"];
      EXPECT_EQ(best["tokens"], one["greedy"]["tokens"].size()) << one["text"];
      ++cases;
    }
  }
  EXPECT_GE(cases, 2);
}

TEST_F(ImportLanguages, M2mTranslatesAsTransformersDid) { expect_recorded(*this, "m2m100"); }
TEST_F(ImportLanguages, NllbTranslatesAsTransformersDid) { expect_recorded(*this, "nllb"); }
TEST_F(ImportLanguages, MbartTranslatesAsTransformersDid) { expect_recorded(*this, "mbart50"); }
TEST_F(ImportLanguages, BartTranslatesAsTransformersDid) { expect_recorded(*this, "bart"); }

}  // namespace
}  // namespace gloss
