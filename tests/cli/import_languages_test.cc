// SPDX-License-Identifier: Apache-2.0
// Imported models with many languages, and the defaults of the search that models bring along.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

struct ImportLanguages : testing::Test {
  ImportLanguages() {
    folder.write("a", "the cat\n");
    folder.write("b", "the\n");
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import_from(const HuggingFaceM2m& model) const {
    std::filesystem::remove_all(foreign);
    model.write(foreign);
    return gloss({"import", foreign, "--output", own, "--overwrite"});
  }
  ProgramResult translate(const std::vector<std::string>& more, const std::string& text = "the cat\n") const {
    std::vector<std::string> words{"translate", "-m", own, "--max-length", "5", "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, text);
  }
  void expect_refused(const HuggingFaceM2m& model, const std::string& name, const std::string& figure) const {
    const ProgramResult result = import_from(model);
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_TRUE(has(result.errors, name)) << result.errors;
    EXPECT_TRUE(has(result.errors, figure)) << result.errors;
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportLanguages, ChangeSourceAndTarget) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const ProgramResult german = translate({"--target-language", "de"}),
                      french = translate({"--target-language", "__fr__"}),
                      from_french = translate({"--source-language", "fr", "--target-language", "de"});
  for (const ProgramResult* result : {&german, &french, &from_french})
    EXPECT_EQ(result->status, 0) << result->errors;
  EXPECT_NE(german.output, french.output);
  EXPECT_NE(german.output, from_french.output);
  EXPECT_FALSE(has(german.output, "__de__")) << german.output;
  EXPECT_EQ(translate({"--source-language", "en", "--target-language", "de"}).output, german.output);
}

TEST_F(ImportLanguages, AreCheckedAndSuggested) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const ProgramResult missing = translate({});
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(has(missing.errors, "--target-language")) << missing.errors;
  EXPECT_TRUE(has(missing.errors, "3 languages")) << missing.errors;
  const ProgramResult wrong = translate({"--target-language", "deu"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.errors, "'deu'")) << wrong.errors;
  EXPECT_TRUE(has(wrong.errors, "did you mean de")) << wrong.errors;
  const ProgramResult info = gloss({"info", own});
  EXPECT_TRUE(has(info.output, "languages")) << info.output;
  EXPECT_TRUE(has(info.output, "de, en, fr")) << info.output;
}

TEST_F(ImportLanguages, OfMarianBeginTheSource) {
  HuggingFaceMarian model;
  const int padding = model.vocabulary.at("<pad>");
  model.vocabulary.erase("<pad>");
  for (const std::string code : {">>deu<<", ">>fra<<"})
    model.vocabulary[code] = static_cast<int>(model.vocabulary.size());
  model.vocabulary["<pad>"] = padding + 2;
  for (const std::string name : {"vocab_size", "decoder_vocab_size"}) model.config[name] = padding + 3;
  for (const std::string name : {"decoder_start_token_id", "pad_token_id"}) model.config[name] = padding + 2;
  model.add("model.shared.weight", {padding + 3, HuggingFaceMarian::kWidth});
  model.add("final_logits_bias", {1, padding + 3});
  std::filesystem::remove_all(foreign);
  model.write(foreign);
  ASSERT_EQ(gloss({"import", foreign, "--output", own}).status, 0);
  const std::string german = translate({"--target-language", "deu"}).output;
  EXPECT_EQ(german, translate({}, ">>deu<< the cat\n").output) << "as the line that names it";
  EXPECT_NE(german, translate({"--target-language", "fra"}).output);
  EXPECT_NE(german, translate({}).output);
  const ProgramResult wrong = translate({"--target-language", "de"}),
                      source = translate({"--source-language", "deu"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.errors, "deu")) << wrong.errors;
  EXPECT_TRUE(has(wrong.errors, "2 languages")) << wrong.errors;
  EXPECT_EQ(source.status, 2);
  EXPECT_TRUE(has(source.errors, "--source-language deu")) << source.errors;
  EXPECT_TRUE(has(gloss({"info", own}).output, "deu, fra"));
  const std::vector<std::string> pair{"-m",       own,          "--source",          folder / "a",
                                      "--target", folder / "b", "--target-language", "fra"};
  for (const std::string command : {"score", "align"}) {
    std::vector<std::string> words{command};
    words.insert(words.end(), pair.begin(), pair.end());
    EXPECT_EQ(gloss(words).status, 0) << command;
  }
  std::vector<std::string> finetune{"finetune", "-o", folder / "run", "--max-updates", "2"};
  finetune.insert(finetune.end(), pair.begin(), pair.end());
  ASSERT_EQ(gloss(finetune).status, 0);
  const auto tuned = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"translate", "-m", folder / "run", "--max-length", "5"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, "the cat\n").output;
  };
  EXPECT_EQ(tuned({}), tuned({"--target-language", "fra"})) << "the language of the fine-tuned model";
}

TEST_F(ImportLanguages, OfDirectoriesOfCTranslate2AreThoseOfTheirTokens) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const std::vector<std::string> options{"--source-language", "fr", "--target-language", "de"};
  const auto probability = [](const std::string& output) {
    return json_lines(output)[0]["translations"][0]["log_probability"].get<double>();
  };
  const double expected = probability(translate(options).output);
  const std::string other = folder / "ctranslate2";
  ASSERT_EQ(gloss({"export", "-m", own, "--format", "ctranslate2", "-o", other}).status, 0);
  nlohmann::json config = nlohmann::json::parse(folder.read("ctranslate2/config.json"));
  config["add_source_eos"] = false;  // as the converter of transformers writes it
  folder.write("ctranslate2/config.json", config.dump());
  for (const bool splits : {true, false}) {
    const ProgramResult result = gloss({"import", other, "-o", own, "--overwrite"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(has(result.errors, "add_source_eos")) << result.errors;
    const ProgramResult translation = translate(options, splits ? "the cat\n" : "▁the ▁cat\n");
    EXPECT_EQ(translation.status, 0) << translation.errors;
    EXPECT_FALSE(has(translation.output, "__de__")) << translation.output;
    EXPECT_EQ(probability(translation.output), expected) << splits;
    EXPECT_EQ(translate({}).status, 2) << "no target language";
    EXPECT_TRUE(has(gloss({"info", own}).output, "de, en, fr"));
    for (const std::string side : {"source", "target"}) std::filesystem::remove(other + "/" + side + ".spm");
  }
}

TEST_F(ImportLanguages, OfTheOlderMbartAreRefused) {
  HuggingFaceM2m model;
  model.config["model_type"] = "mbart";
  for (const std::string name : {"MBartTokenizer", "MBartTokenizerFast"}) {
    model.files["tokenizer_config.json"] = R"({"tokenizer_class": ")" + name + "\"}";
    expect_refused(model, "tokenizer_config.json: 'tokenizer_class'", "MBart50Tokenizer");
  }
  model.files.erase("tokenizer_config.json");
  expect_refused(model, "config.json: 'tokenizer_class' is nothing", "mBART-25");
  // The settings of the tokenizer override those of the model, as in transformers.
  model.config["tokenizer_class"] = "MBart50Tokenizer";
  model.files["tokenizer_config.json"] = R"({"tokenizer_class": "MBartTokenizer"})";
  expect_refused(model, "tokenizer_config.json: 'tokenizer_class'", "mBART-50");
}

TEST_F(ImportLanguages, ShortCodesMeanTheOnlyLanguageThatBeginsSo) {
  HuggingFaceM2m model;
  model.special_tokens["additional_special_tokens"] = {"deu_Latn", "zho_Hans", "zho_Hant"};
  ASSERT_EQ(import_from(model).status, 0);
  const std::vector<std::string> from{"--source-language", "deu"};
  const auto into = [&](const std::string& code) {
    return translate({"--source-language", "deu", "--target-language", code});
  };
  EXPECT_EQ(into("deu").output, into("deu_Latn").output);
  EXPECT_EQ(into("deu").status, 0);
  const ProgramResult several = into("zho");
  EXPECT_EQ(several.status, 2);
  EXPECT_TRUE(has(several.errors, "zho_Hans, zho_Hant")) << several.errors;
}

TEST_F(ImportLanguages, ScoresAndAlignmentsAreThoseOfTranslations) {
  HuggingFaceM2m model;
  model.config["forced_bos_token_id"] = 13;
  ASSERT_EQ(import_from(model).status, 0);
  // The language and the prefix leave no room for other tokens.
  const ProgramResult best = gloss(
      {"translate", "-m", own, "--prefix", "--max-length", "2", "--format", "json", "--precision", "f32"},
      "the cat\tthe\n");
  ASSERT_EQ(best.status, 0) << best.errors;
  const nlohmann::json translation = json_lines(best.output)[0]["translations"][0];
  EXPECT_EQ(translation["text"], "the");
  std::vector<std::string> pair{"-m", own, "--source", folder / "a", "--target", folder / "b"};
  const auto with = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> words{command};
    words.insert(words.end(), pair.begin(), pair.end());
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words);
  };
  const ProgramResult scored = with("score", {"--format", "json", "--precision", "f32"});
  ASSERT_EQ(scored.status, 0) << scored.errors;
  const nlohmann::json score = json_lines(scored.output)[0];
  EXPECT_EQ(score["tokens"].get<int>(), translation["tokens"].get<int>() + 1);
  EXPECT_NEAR(score["log_probability"].get<double>(), translation["log_probability"].get<double>(), 1e-4);
  // The token of the language is the same for all translations, so that it does not rank them.
  EXPECT_GT(translation["score"].get<double>(), translation["log_probability"].get<double>() / 3);
  EXPECT_NE(with("score", {"--target-language", "fr"}).output, with("score", {}).output);
  EXPECT_EQ(with("align", {}).status, 0);
  EXPECT_EQ(with("align", {"--target-language", "none"}).status, 2);
  EXPECT_EQ(translate({"--alignment", "soft"}).status, 0);
}

TEST_F(ImportLanguages, FineTuningTrainsWithThem) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const std::vector<std::string> train{
      "finetune",      "-m", own,        "--source",     folder / "a", "--target", folder / "b",
      "--max-updates", "1",  "--output", folder / "run", "--quiet"};
  EXPECT_EQ(gloss(train).status, 2);  // which language?
  std::vector<std::string> into_french = train;
  into_french.insert(into_french.end(), {"--target-language", "fr"});
  const ProgramResult result = gloss(into_french);
  ASSERT_EQ(result.status, 0) << result.errors;
  own = folder / "run/best";
  const ProgramResult plain = translate({});
  EXPECT_EQ(plain.status, 0) << plain.errors;  // French is the default now
  EXPECT_EQ(plain.output, translate({"--target-language", "fr"}).output);
  EXPECT_EQ(gloss({"quantize", "-m", own, "-o", folder / "small"}).status, 0);
  own = folder / "small";
  EXPECT_EQ(translate({"--target-language", "de"}).status, 0);
}

TEST_F(ImportLanguages, SettingsOfTheSearchBecomeDefaults) {
  HuggingFaceM2m model;
  model.config["forced_bos_token_id"] = 13;
  model.config["num_beams"] = 2;
  model.config["max_length"] = 4;
  ASSERT_EQ(import_from(model).status, 0);
  const std::vector<std::string> two{"translate", "-m", own, "--format", "json", "--n-best", "2"};
  const ProgramResult result = gloss(two, "the cat\n");
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_LE(json_lines(result.output)[0]["translations"][0]["tokens"].get<int>(), 3);
  std::vector<std::string> three = two;
  three.back() = "3";
  EXPECT_EQ(gloss(three, "the cat\n").status, 2);  // more than the beam
  three.insert(three.end(), {"--beam-size", "3"});
  EXPECT_EQ(gloss(three, "the cat\n").status, 0);
  EXPECT_TRUE(has(gloss({"info", own}).output, "beam_size 2"));
  // generation_config.json has precedence, as in transformers.
  model.files["generation_config.json"] = R"({"num_beams": 3, "forced_bos_token_id": 13})";
  ASSERT_EQ(import_from(model).status, 0);
  three.resize(three.size() - 2);
  EXPECT_EQ(gloss(three, "the cat\n").status, 0);
}

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
