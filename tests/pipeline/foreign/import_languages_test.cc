// SPDX-License-Identifier: Apache-2.0
// Imported models with many languages, and the defaults of the search that models bring along.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "tests/pipeline/foreign/import_languages.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

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
  EXPECT_EQ(translate({"-s", "fr", "-t", "de"}).output, from_french.output);
}

TEST_F(ImportLanguages, AreCheckedAndSuggested) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const ProgramResult missing = translate({});
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(has(missing.errors, "--target-language")) << missing.errors;
  EXPECT_TRUE(has(missing.errors, "3 languages")) << missing.errors;
  const ProgramResult wrong = translate({"--target-language", "dee"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.errors, "'dee'")) << wrong.errors;
  EXPECT_TRUE(has(wrong.errors, "did you mean de")) << wrong.errors;
  const ProgramResult info = gloss({"info", own});
  EXPECT_TRUE(has(info.output, "languages")) << info.output;
  EXPECT_TRUE(has(info.output, "de, en, fr")) << info.output;
}

// A conversion would fail: its directory does not exist.
TEST_F(ImportLanguages, AreCheckedBeforeAModelIsConverted) {
  const HuggingFaceM2m model;
  model.write(foreign);
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, "the cat\n", {"TMPDIR=" + folder.path() + "/none", "GLOSS_IMPORT_CACHE="});
  };
  const std::vector<std::string> pair{"--source", folder / "a", "--target", folder / "b"};
  for (const std::string command : {"translate", "score", "align"}) {
    std::vector<std::string> words{command, "-m", foreign};
    if (command != "translate") words.insert(words.end(), pair.begin(), pair.end());
    const ProgramResult missing = run(words);
    EXPECT_EQ(missing.status, 2) << missing.errors;
    EXPECT_TRUE(has(missing.errors, "--target-language")) << missing.errors;
    words.insert(words.end(), {"--target-language", "xx"});
    EXPECT_TRUE(has(run(words).errors, "'xx'")) << command;
  }
  const ProgramResult form = run({"fill", "-m", foreign});
  EXPECT_EQ(form.status, 3) << form.errors;
  EXPECT_TRUE(has(form.errors, "gloss translate")) << form.errors;
  EXPECT_EQ(run({"translate", "-m", foreign, "--target-language", "de"}).status, 1);
}

TEST_F(ImportLanguages, AreThoseOfDocuments) {
  ASSERT_EQ(import_from(HuggingFaceM2m()).status, 0);
  const auto document = [&](const std::string& format, const std::string& text) {
    return gloss({"translate", "-q", "-m", own, "--max-length", "5", "--target-language", "de", "--format",
                  format},
                 text)
        .output;
  };
  EXPECT_EQ(document("html", "<html lang='en'><p>12</p>"), "<html lang='de'><p>12</p>");
  const std::string xliff =
      document("xliff", "<xliff version='2.0'><unit><segment><source>12</source></segment></unit></xliff>");
  EXPECT_TRUE(has(xliff, "<xliff version='2.0' trgLang=\"de\">")) << xliff;
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
  EXPECT_EQ(german, translate({"-t", "de"}).output) << "another code of the language";
  EXPECT_NE(german, translate({}).output);
  const ProgramResult wrong = translate({"--target-language", "dex"}),
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
  EXPECT_EQ(into("de").output, into("deu_Latn").output) << "another code of the language";
  EXPECT_EQ(into("zh").output, into("zho_Hans").output);
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

}  // namespace
}  // namespace gloss
