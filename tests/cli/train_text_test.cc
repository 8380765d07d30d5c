// SPDX-License-Identifier: Apache-2.0
// gloss train with text of several kinds, through the real binary.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "tests/cli/train_command.h"
#include "tests/support/subword_model.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

TEST_F(TrainCommand, ReadsPipesAndCompressedFiles) {
  const std::vector<std::string> english = read_lines(folder / "train.en"),
                                 german = read_lines(folder / "train.de");
  std::string rows;
  for (std::size_t i = 0; i < english.size(); ++i) rows += english[i] + "\t" + german[i] + "\n";
  const std::string packed = folder / "train.tsv.gz";
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, rows.data(), static_cast<unsigned>(rows.size()));
  gzclose(file);
  ASSERT_EQ(train("plain").status, 0);
  const auto train_rows = [&](const std::string& output, const std::string& path, const std::string& input) {
    std::vector<std::string> words = command(output);
    words.erase(words.begin() + 4, words.begin() + 6);
    words[2] = "--tsv";
    words[3] = path;
    const ProgramResult result = run_program(words, input);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_NE(result.errors.find("is unpacked into a temporary file"), std::string::npos) << result.errors;
    EXPECT_EQ(read_file(folder / (output + "/last/model.safetensors")),
              read_file(folder / "plain/last/model.safetensors"));
  };
  train_rows("packed", packed, "");
  std::vector<std::string> limited = command("full");
  limited.erase(limited.begin() + 4, limited.begin() + 6);
  limited[2] = "--tsv";
  limited[3] = packed;
  limited.insert(limited.begin(), {"/usr/bin/prlimit", "--fsize=1000"});  // like a full disk
  const ProgramResult full = run_program(limited);
  expect_failure(full, 1, folder / "full");
  expect_failure(full, 1, "train.tsv.gz");
  train_rows("piped", "-", rows);
  std::vector<std::string> words = command("run");
  words[3] = words[5] = "-";
  expect_failure(run_program(words), 2, "'-'");
}

TEST_F(TrainCommand, MixesCorporaByWeight) {
  const std::vector<std::string> both{
      "--source", folder / "valid.en", "--target", folder / "valid.de", "--corpus-weights", "1", "2.5"};
  const ProgramResult result = train("run", both);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("train.de: 300 pairs"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("valid.de: 20 pairs"), std::string::npos);
  std::vector<std::string> other = both;
  other.back() = "3";
  expect_failure(train("run", other), 2,
                 R"(was started with --corpus-weights ["1","2.5"], now it is ["1","3"])");
  other.pop_back();
  expect_failure(train("run", other), 2, "--corpus-weights: found 1 for 2 corpora");
}

TEST_F(TrainCommand, WeighsLines) {
  std::string same, other;
  for (int line = 0; line < 300; ++line) {
    same += "2\n";
    other += line % 2 == 0 ? "1.5\n" : "0.5\n";
  }
  ASSERT_EQ(train("plain").status, 0);
  ASSERT_EQ(train("same", {"--line-weights", folder.write("same.weights", same)}).status, 0);
  ASSERT_EQ(train("other", {"--line-weights", folder.write("other.weights", other)}).status, 0);
  const auto last_loss = [&](const std::string& run) {
    return nlohmann::json::parse(read_lines(folder / (run + "/train.log.jsonl")).back())["loss"]
        .get<double>();
  };
  // A power of two, so that not even rounding differs.
  EXPECT_EQ(read_file(folder / "same/last/model.safetensors"),
            read_file(folder / "plain/last/model.safetensors"));
  EXPECT_GT(std::abs(last_loss("other") - last_loss("plain")), 1e-3);
  expect_failure(train("bad", {"--line-weights", folder.write("bad.weights", "1\n")}), 3,
                 "has 300 lines but ");
  other.replace(0, 3, "lot");
  expect_failure(train("bad", {"--line-weights", folder.write("bad.weights", other)}), 3,
                 "bad.weights:1: found 'lot'");
  expect_failure(train("bad", {"--line-weights", folder / "missing"}), 3, "missing");
}

TEST_F(TrainCommand, RefusesDropoutWithoutBpe) {
  const std::string unigram =
      folder.write("unigram.model", subword_model("", {"the", "cat"}, {"▁", "t"}, wire_varint(3, 1)));
  expect_failure(train("run", {"--tokenizer", unigram, "--bpe-dropout", "0.1"}), 2,
                 "BPE dropout needs a BPE model");
  ASSERT_EQ(train("run", {"--bpe-dropout", "0.1", "--bpe-dropout-side", "source"}).status, 0);
  ASSERT_EQ(train("plain").status, 0);
  EXPECT_NE(read_file(folder / "run/last/model.safetensors"),
            read_file(folder / "plain/last/model.safetensors"));
}

TEST_F(TrainCommand, SaysWhyNoPairIsLeft) {
  const auto write_longer = [&](const std::string& name) {
    std::string longer;
    for (const std::string& line : read_lines(folder / name)) longer += "zero " + line + "\n";
    folder.write(name, longer);
  };
  write_longer("train.en");
  write_longer("train.de");
  const ProgramResult tokens = train("run", {"--max-length", "1"});
  expect_failure(tokens, 3, "300 pairs: 300 with a side of more than 1 tokens");
  expect_failure(tokens, 3, "see --max-length");
  const ProgramResult bytes = train("run", {"--max-line-bytes", "4"});
  expect_failure(bytes, 3, "train.en: all of its 300 lines have more than 4 bytes");
  expect_failure(bytes, 3, "--max-line-bytes");
}

TEST_F(TrainCommand, WarnsOfABinaryFileBeforeTheTraining) {
  std::string binary("\xFF\xD8\xFF\xE0\0\x10JFIF\0", 11);
  for (int line = 0; line < 300; ++line) binary += "\x80one\n";
  folder.write("train.en", binary);
  const ProgramResult result = train("run", {"--max-updates", "1"});
  EXPECT_EQ(result.status, 0) << result.errors;
  const std::size_t warning = result.errors.find("does not look like UTF-8 text");
  const std::size_t learning = result.errors.find("learning a vocabulary");
  ASSERT_NE(warning, std::string::npos) << result.errors;
  ASSERT_NE(learning, std::string::npos) << result.errors;
  EXPECT_LT(warning, learning) << result.errors;
  EXPECT_NE(result.errors.find("2 NUL bytes"), std::string::npos) << result.errors;
  const std::string model = folder / "run/best/tokenizer.model";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"encode", "-t", model, folder / "train.en"},
        {"translate", "-m", folder / "run", "--max-length", "3", folder / "train.en"},
        {"score", "-m", folder / "run", "--source", folder / "train.en", "--target", folder / "train.de"}}) {
    const ProgramResult read = gloss(words);
    EXPECT_EQ(read.status, 0) << read.errors;
    EXPECT_NE(read.errors.find("2 NUL bytes"), std::string::npos) << read.errors;
  }
}

TEST_F(TrainCommand, ATooSmallVocabularyIsAnsweredWithOptionsThatExist) {
  const ProgramResult result = gloss({"train", "--source", folder / "train.en", "--target",
                                      folder / "train.de", "--vocab-size", "10", "-o", folder / "small"});
  expect_failure(result, 3, "10 pieces");
  EXPECT_NE(result.errors.find("'gloss vocab --character-coverage"), std::string::npos) << result.errors;
}

TEST_F(TrainCommand, LearnsEveryTypeOfVocabulary) {
  const auto train_with = [&](const std::string& output, const std::string& type, const std::string& size,
                              std::vector<std::string> more) {
    std::vector<std::string> words = command(output, more);
    *(std::ranges::find(words, "--vocab-size") + 1) = size;
    words.insert(words.end(), {"--vocab-type", type});
    return run_program(words);
  };
  for (const auto& [type, size] :
       {std::pair("unigram", "40"), std::pair("char", "60"), std::pair("byte-bpe", "300")}) {
    const std::string output = std::string("run-") + type;
    const ProgramResult result = train_with(output, type, size, with_validation({"--max-updates", "4"}));
    ASSERT_EQ(result.status, 0) << result.errors;
    const auto config = nlohmann::json::parse(read_file(folder / (output + "/last/config.json")));
    EXPECT_EQ(config["training"]["vocab_type"], type);
    const ProgramResult translated = gloss({"translate", "-m", folder / output, "--beam-size", "2",
                                            "--word-scores", "--format", "json", "--max-length", "20"},
                                           "one two\n日本\n");
    EXPECT_EQ(translated.status, 0) << translated.errors;
    const std::vector<nlohmann::json> translations = json_lines(translated.output);
    ASSERT_EQ(translations.size(), 2u);
    for (const auto& word : translations[0]["translations"][0]["words"]) {
      EXPECT_FALSE(word["text"].get<std::string>().starts_with(' ')) << translated.output;
    }
    const ProgramResult scored =
        gloss({"score", "-m", folder / output, "--tsv", "-", "--word-scores", "--format", "json"},
              "one two\tone three\n日本\té\n");
    EXPECT_EQ(scored.status, 0) << scored.errors;
    const std::vector<nlohmann::json> scores = json_lines(scored.output);
    ASSERT_EQ(scores.size(), 2u);
    std::vector<std::string> words;
    for (const auto& word : scores[0]["words"]) words.push_back(word["text"]);
    EXPECT_EQ(words, (std::vector<std::string>{"one", "three"})) << scored.output;
    const auto described =
        nlohmann::json::parse(gloss({"info", "-m", folder / output, "--format", "json"}).output);
    EXPECT_LE(described["vocabulary"]["source_pieces"], std::stoi(size));
    expect_failure(train_with(output, "bpe", size, {"--max-updates", "6"}), 2, "--vocab-type");
  }
  expect_failure(train_with("no", "char", "60", {"--bpe-dropout", "0.1"}), 2, "--vocab-type bpe or byte-bpe");
  expect_failure(train_with("no", "byte-bpe", "60", {}), 2, "ask for at least 259");
}

}  // namespace
}  // namespace gloss
