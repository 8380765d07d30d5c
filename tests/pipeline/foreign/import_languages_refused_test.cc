// SPDX-License-Identifier: Apache-2.0
// Models with many languages that contradict themselves or that gloss does not read.
#include <gtest/gtest.h>

#include "base/json.h"
#include "tests/pipeline/foreign/import_languages.h"

namespace gloss {
namespace {

TEST_F(ImportLanguages, RefusesContradictions) {
  HuggingFaceM2m model;
  model.config["forced_bos_token_id"] = 4;
  expect_refused(model, "forced_bos_token_id", "a language");
  model = HuggingFaceM2m();
  model.special_tokens.erase("additional_special_tokens");
  expect_refused(model, "special_tokens_map.json", "languages");
  model = HuggingFaceM2m();
  model.files["tokenizer_config.json"] = R"({"src_lang": "xx"})";
  expect_refused(model, "tokenizer_config.json", "'xx'");
  model = HuggingFaceM2m();
  model.files["added_tokens.json"] = R"({"__nl__": 99})";
  expect_refused(model, "__nl__", "99");
  model = HuggingFaceM2m();
  model.files["generation_config.json"] = R"({"bad_words_ids": 3})";
  expect_refused(model, "generation_config.json", "bad_words_ids");
  model = HuggingFaceM2m();
  model.special_tokens["additional_special_tokens"] = {"__de__", ""};
  expect_refused(model, "special_tokens_map.json", "empty");
  model = HuggingFaceM2m();
  model.vocabulary = nlohmann::json();  // not written
  expect_refused(model, "vocab.json", "__de__");
  model = HuggingFaceM2m();
  model.files["generation_config.json"] = R"({"max_length": 20, "min_length": 21})";
  expect_refused(model, "'min_length'", "at most 20");
  model = HuggingFaceM2m();
  model.config["vocab_size"] = 1 << 24;
  expect_refused(model, "vocab.json", "16777216");
  model = HuggingFaceM2m();
  model.config["vocab_size"] = 14;
  expect_refused(model, "config.json", "16 pieces");
}

TEST_F(ImportLanguages, RefusesHostileTextSettings) {
  HuggingFaceM2m().write(foreign);
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const nlohmann::json good = read_json(own + "/config.json");
  const auto refuses = [&](const nlohmann::json::json_pointer& member, const nlohmann::json& value) {
    nlohmann::json config = good;
    config[member] = value;
    config.erase("sums");
    write_json(own + "/config.json", config);
    const ProgramResult result = translate({"--target-language", "de"});
    EXPECT_EQ(result.status, 3) << member << result.errors;
    EXPECT_TRUE(has(result.errors, "config.json")) << result.errors;
  };
  refuses("/text/languages/ids/de"_json_pointer, 99);
  refuses("/text/languages/ids/de"_json_pointer, -1);
  refuses("/text/languages/ids"_json_pointer, nlohmann::json::array());
  refuses("/text/languages/source"_json_pointer, "xx");
  refuses("/text/source_prefix"_json_pointer, {1000});
  refuses("/text/target_prefix"_json_pointer, "x");
  refuses("/text/search"_json_pointer, {{"beam", 3}});
  refuses("/text/search"_json_pointer, {{"beam_size", 0.5}});
}

}  // namespace
}  // namespace gloss
