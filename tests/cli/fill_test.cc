// SPDX-License-Identifier: Apache-2.0
// gloss pretrain --objective mlm and gloss fill through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/files.h"
#include "base/text.h"
#include "model/tensor/can_multiply.h"
#include "tests/cli/pretrain_command.h"
#include "tests/support/subword_model.h"

namespace gloss {
namespace {

struct MaskedModel : PretrainCommand {
  ProgramResult pretrain_masked(const std::string& output, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--objective", "mlm"});
    return pretrain(output, more);
  }
  ProgramResult fill(const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"fill", "-m", folder / "run"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, input);
  }
};

TEST_F(MaskedModel, LearnsTwentyLinesByHeart) {
  std::string lines, gaps;
  for (int line = 0; line < 20; ++line) {
    const std::string word(3, static_cast<char>('a' + line));
    lines += concat(word, " ", static_cast<char>('a' + (line + 7) % 20), " ", word, ".\n");
    gaps += concat(word, " <mask> ", word, ".\n");
  }
  const ProgramResult trained =
      pretrain_masked("run", {"--input", folder.write("twenty", lines), "--document", "line", "--vocab-size",
                              "90", "--width", "32", "--max-updates", "400", "--dropout", "0",
                              "--embedding-dropout", "0", "--mask-rate", "0.3"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult filled = fill(gaps);
  expect_nearly(filled.output, lines);
  for (const DType type : {DType::bf16, DType::int8}) {
    if (!can_multiply(type)) continue;
    expect_nearly(fill(gaps, {"--precision", name_of(type)}).output, lines);
  }
  for (const std::string type : {"bf16", "int8"}) {
    ASSERT_EQ(
        gloss({"quantize", "-m", folder / "run/best", "--type", type, "--output", folder / type}).status, 0);
    expect_nearly(gloss({"fill", "-m", folder / type}, gaps).output, lines);
  }
  ASSERT_EQ(gloss({"average", folder / "run/best", folder / "bf16", "--output", folder / "mean"}).status, 0);
  expect_nearly(gloss({"fill", "-m", folder / "mean"}, gaps).output, lines);
  const nlohmann::json line = nlohmann::json::parse(fill("aaa <mask> aaa.\n", {"--format", "json"}).output);
  ASSERT_EQ(line["masks"].size(), 1u);
  ASSERT_EQ(line["masks"][0].size(), 5u);
  EXPECT_EQ(line["masks"][0][0]["piece"], "h");
  double sum = 0, last = 1;
  for (const nlohmann::json& candidate : line["masks"][0]) {
    const double probability = candidate["probability"];
    EXPECT_LE(probability, last);
    sum += last = probability;
  }
  EXPECT_LE(sum, 1 + 1e-6);
}

TEST_F(MaskedModel, ContinuesToTheSameBytesOnAnyNumberOfThreads) {
  expect_parts_as_whole([&](const auto&... of) { return pretrain_masked(of...); },
                        {"--valid-input", folder / "valid.en", "--valid-interval", "4", "--whole-word"},
                        {"8", "12", "30"});
}

TEST_F(MaskedModel, ATextShorterThanABlockIsLearned) {
  const ProgramResult result = pretrain_masked(
      "run", {"--input", folder.write("short", "one"), "--vocab-size", "8", "--max-updates", "3"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("short: 1 line, "), std::string::npos) << result.errors;
  EXPECT_EQ(fill("one\n<mask>\n").status, 0);
}

TEST_F(MaskedModel, AnswersLineByLineWhateverTheBatch) {
  ASSERT_EQ(pretrain_masked("run", {"--max-updates", "3"}).status, 0);
  std::vector<std::string> lines{"", " ", "one two", "<mask>", "<mask><mask> one", "one<mask>.", "t<mask>o "};
  for (const std::string& line : nasty_lines()) lines.push_back("one <mask> " + line);
  for (const std::string& line : nasty_lines()) lines.push_back(line);
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  const ProgramResult expected = fill(input, {"--scores", "-j", "1", "--batch-size", "1"});
  ASSERT_EQ(expected.status, 0) << expected.errors;
  const std::vector<std::string> out = split(expected.output, '\n');
  ASSERT_EQ(out.size(), lines.size() + 1);
  EXPECT_EQ(out[0] + out[1], "");
  EXPECT_EQ(out[2], "one two");
  EXPECT_EQ(std::count(out[4].begin(), out[4].end(), '\t'), 2);
  EXPECT_EQ(out[6].find("<mask>"), std::string::npos);
  EXPECT_NE(expected.errors.find(": the last "), std::string::npos) << expected.errors;
  const std::string file = folder.write("lines", input);
  EXPECT_EQ(fill("", {"--scores", file, file}).output, expected.output + expected.output);
  for (const std::string threads : {"1", "3"}) {
    EXPECT_EQ(fill(input, {"--scores", "-j", threads, "--batch-size", "7"}).output, expected.output);
  }
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(5).shuffle(order);
  std::string shuffled;
  for (const std::size_t line : order) shuffled += lines[line] + "\n";
  const std::vector<std::string> found = split(fill(shuffled, {"--scores"}).output, '\n');
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], out[order[i]]);
}

TEST_F(MaskedModel, NamesMistakes) {
  expect_failure(pretrain("run", {"--whole-word"}), 2, "have no effect");
  ASSERT_EQ(pretrain("run", {"--max-updates", "1"}).status, 0);
  expect_failure(fill("<mask>\n"), 3, "is a language model");
  expect_failure(pretrain_masked("run", {"--max-updates", "2"}), 2, "was started with");
  ASSERT_EQ(pretrain_masked("run", {"--max-updates", "1", "--fresh"}).status, 0);
  expect_failure(gloss({"generate", "-m", folder / "run"}, "one\n"), 3, "is a masked model");
  expect_failure(gloss({"translate", "-m", folder / "run"}, "one\n"), 3, "is a masked model");
  expect_failure(gloss({"score", "-m", folder / "run", "--input", folder / "valid.en"}), 3,
                 "is a masked model");
  expect_failure(gloss({"fill"}, "one\n"), 2, "-m DIR");
  expect_failure(fill("", {"--scores", "--format", "json"}), 2, "--scores");
  expect_failure(fill("", {"--top", "0"}), 2, "--top");
  EXPECT_NE(gloss({"info", "-m", folder / "run"}).output.find("mask_token"), std::string::npos);
  for (const std::string wrong : {"7", "61", "-1"}) {
    const std::string config = folder.read("run/best/config.json"), member = "\"mask_token\": 60";
    ASSERT_NE(config.find(member), std::string::npos) << config;
    std::string other = config;
    folder.write("run/best/config.json",
                 other.replace(config.find(member), member.size(), "\"mask_token\": " + wrong));
    EXPECT_EQ(fill("<mask>\n").status, 3) << wrong;
    folder.write("run/best/config.json", config);
  }
}

}  // namespace
}  // namespace gloss
