// SPDX-License-Identifier: Apache-2.0
// mBART-25: the language of the source follows its text, and targets begin with their language alone.
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "tests/pipeline/foreign/import_languages.h"
#include "tests/support/hugging_face_relatives.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr int kGerman = 28;

struct ImportMbart25 : ImportLanguages {
  ImportMbart25() {
    model.config["decoder_start_token_id"] = kGerman;
    model.config.erase("forced_bos_token_id");
    model.files["tokenizer_config.json"] = R"({"tokenizer_class": "MBartTokenizer"})";
  }
  static double probability(const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.errors;
    return json_lines(result.output).at(0)["translations"][0]["log_probability"];
  }

  HuggingFaceMbart model;
};

TEST_F(ImportMbart25, HasItsTokensAroundLines) {
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  const double english = probability(translate({})),
               french = probability(translate({"--source-language", "fr_XX", "--target-language", "de"}));
  EXPECT_NE(english, french);
  // The same network without languages: lines have the tokens themselves.
  nlohmann::json config = read_json(own + "/config.json");
  EXPECT_EQ(config["network"]["begin_token"], kGerman);
  config["text"].erase("languages");
  config["text"]["source_end"] = false;
  config.erase("sums");
  write_json(own + "/config.json", config);
  EXPECT_EQ(probability(translate({}, "the cat</s>en_XX\n")), english);
  EXPECT_EQ(probability(translate({}, "the cat</s>fr_XX\n")), french);
}

TEST_F(ImportMbart25, TranslatesIntoOneLanguage) {
  ASSERT_EQ(import_from(model).status, 0);
  const ProgramResult other = translate({"--target-language", "fr_XX"});
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.errors, "--target-language fr_XX") && has(other.errors, "de_DE")) << other.errors;
  std::vector<std::string> pair{"-m", own, "--source", folder / "a", "--target", folder / "b"};
  for (const std::string command : {"score", "align"}) {
    std::vector<std::string> words = pair;
    words.insert(words.begin(), command);
    EXPECT_EQ(gloss(words).status, 0) << command;
  }
}

TEST_F(ImportMbart25, IsExportedForTransformersOnly) {
  ASSERT_EQ(import_from(model).status, 0);
  const std::string config = read_file(own + "/config.json"), back = folder / "back";
  ASSERT_EQ(gloss({"export", "-m", own, "--format", "huggingface", "-o", back}).status, 0);
  EXPECT_EQ(read_json(back + "/tokenizer_config.json")["tokenizer_class"], "MBartTokenizer");
  EXPECT_FALSE(read_json(back + "/config.json").contains("forced_bos_token_id"));
  const double expected = probability(translate({}));
  ASSERT_EQ(gloss({"import", back, "-o", own, "--overwrite"}).status, 0);
  EXPECT_EQ(probability(translate({})), expected);
  const ProgramResult refused = gloss({"export", "-m", own, "--format", "ctranslate2", "-o", folder / "ct2"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.errors, "target_place")) << refused.errors;
}

TEST_F(ImportMbart25, IsKnownByItsClassOrItsStartToken) {
  const auto place = [&] {
    EXPECT_EQ(import_from(model).status, 0);
    return read_json(own + "/config.json")["text"]["languages"].value("target_place", "target");
  };
  const std::string named = model.files["tokenizer_config.json"];
  model.files["tokenizer_config.json"] = R"({"tokenizer_class": "MBartTokenizerFast"})";
  EXPECT_EQ(place(), "begin");
  model.files.erase("tokenizer_config.json");
  EXPECT_EQ(place(), "begin");
  model.config["decoder_start_token_id"] = 2;
  EXPECT_EQ(place(), "target") << "of mBART-50";
  model.config["tokenizer_class"] = "MBart50Tokenizer";
  model.files["tokenizer_config.json"] = named;  // overrides it, as in transformers
  expect_refused(model, "'decoder_start_token_id'", "language");
  model.config["decoder_start_token_id"] = kGerman;
  model.config["forced_bos_token_id"] = kGerman;
  expect_refused(model, "'forced_bos_token_id'", "28");
}

TEST_F(ImportMbart25, KnowsItsLanguagesByHeart) {
  model.special_tokens.erase("additional_special_tokens");
  const int pieces = 28 + 25 + 1, romanian = 28 + 19;
  model.config["vocab_size"] = pieces;
  model.config["decoder_start_token_id"] = romanian;
  model.add("model.shared.weight", {pieces, HuggingFaceMbart::kWidth});
  const ProgramResult result = import_from(model);
  ASSERT_EQ(result.status, 0) << result.errors;
  const nlohmann::json languages = read_json(own + "/config.json")["text"]["languages"];
  EXPECT_EQ(languages["target"], "ro_RO");
  EXPECT_EQ(languages["source"], "en_XX");
  EXPECT_EQ(languages["ids"].size(), 25u);
  EXPECT_EQ(languages["ids"]["ar_AR"], 28);
}

}  // namespace
}  // namespace gloss
