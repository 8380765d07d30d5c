// SPDX-License-Identifier: Apache-2.0
// gloss embed through the real binary.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "base/files.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class Embed : public UntrainedModels {
 protected:
  static ProgramResult embed(std::vector<std::string> options, const std::string& input) {
    return gloss("embed", std::move(options), input);
  }
  static std::vector<double> numbers(const std::string& line) {
    std::vector<double> all;
    for (const std::string& number : split(line, '\t')) all.push_back(std::stod(number));
    return all;
  }
};

TEST_F(Embed, GivesEachLineAVectorIndependentOfItsNeighbours) {
  std::vector<std::string> lines;
  for (int i = 0; i < 60; ++i) {
    std::string line = "the";
    for (int word = 0; word < i % 7; ++word) line += word % 2 == 0 ? " cat" : " mates";
    lines.push_back(line + (i % 3 == 0 ? "." : ""));
  }
  lines[10] = "";
  lines[20] = "  ";
  for (const std::string model : {"a", "lm"}) {
    const auto vectors_of = [&](const std::vector<std::string>& all, std::vector<std::string> options) {
      options.insert(options.begin(), {kGlossBinary, "embed", "-m", *folder / model});
      const ProgramResult made = run_program(options, join(all, "\n") + "\n");
      EXPECT_EQ(made.status, 0) << made.errors;
      return output_lines(made.output);
    };
    const std::vector<std::string> vectors = vectors_of(lines, {"-j", "1", "--batch-size", "3"});
    ASSERT_EQ(vectors.size(), lines.size());
    EXPECT_EQ(vectors[10], "");
    EXPECT_EQ(vectors[20], "");
    EXPECT_EQ(numbers(vectors[0]).size(), 32u);
    EXPECT_NE(vectors[0], vectors[1]);
    EXPECT_EQ(vectors[0], vectors[21]) << "the same line";
    std::vector<std::string> backwards(lines.rbegin(), lines.rend());
    std::vector<std::string> again = vectors_of(backwards, {"-j", "3"});
    std::ranges::reverse(again);
    EXPECT_EQ(again, vectors) << model;
    for (const std::string pooling : {"first", "last", "max"}) {
      EXPECT_NE(vectors_of(lines, {"--pooling", pooling})[1], vectors[1]) << model << pooling;
    }
  }
}

TEST_F(Embed, OfSeveralSentencesIsTheirMeanByTokens) {
  // A piece for each character and for the space before each word: 13 and 7 tokens.
  const std::string text = "the cat sat. A mat.\n\nthe cat sat.\n";
  for (const std::string model : {"a", "lm"}) {
    const auto embed_with = [&](std::vector<std::string> more, const std::string& input) {
      more.insert(more.begin(), {kGlossBinary, "embed", "-m", *folder / model, "-q"});
      const ProgramResult made = run_program(more, input);
      EXPECT_EQ(made.status, 0) << made.errors;
      return output_lines(made.output);
    };
    const std::vector<std::string> apart = embed_with({}, "the cat sat.\nA mat.\n");
    const std::vector<std::string> split = embed_with({"--split", "--batch-size", "1", "-j", "1"}, text);
    ASSERT_EQ(split.size(), 3u);
    EXPECT_EQ(split[1], "");
    EXPECT_EQ(split[2], apart[0]) << "one sentence";
    const std::vector<double> one = numbers(apart[0]), two = numbers(apart[1]), both = numbers(split[0]);
    for (std::size_t i = 0; i < both.size(); ++i) EXPECT_NEAR(both[i], (13 * one[i] + 7 * two[i]) / 20, 1e-5);
    EXPECT_EQ(embed_with({"--split", "-j", "3"}, text), split);
  }
  expect_failure(embed({"--split-language", "en"}, "the cat\n"), 2, "--split");
}

TEST_F(Embed, PoolsTheStatesOfTheNetwork) {
  const std::string line = "the cat";
  const TextModel model = read_text_model(*folder / "a", Weights::in_place);
  std::vector<TokenId> tokens = model.source->encode(line);
  tokens.push_back(model.source->end_id());
  TokenRows rows;
  rows.add(tokens);
  const Tensor states = model.model.network->states(rows);
  const auto expect = [&](const std::string& pooling, const std::function<double(std::int64_t)>& expected) {
    const std::vector<double> vector = numbers(
        output_lines(embed({"--pooling", pooling, "--precision", "f32"}, line + "\n").output).front());
    ASSERT_EQ(static_cast<std::int64_t>(vector.size()), states.columns());
    for (std::size_t i = 0; i < vector.size(); ++i) {
      EXPECT_NEAR(vector[i], expected(static_cast<std::int64_t>(i)), 1e-5) << pooling;
    }
  };
  const auto at = [&](std::int64_t row, std::int64_t column) {
    return static_cast<double>(states.data()[row * states.columns() + column]);
  };
  const auto count = std::ssize(tokens);
  expect("first", [&](std::int64_t column) { return at(0, column); });
  expect("last", [&](std::int64_t column) { return at(count - 1, column); });
  expect("max", [&](std::int64_t column) {
    double largest = at(0, column);
    for (std::int64_t row = 1; row < count; ++row) largest = std::max(largest, at(row, column));
    return largest;
  });
  expect("mean", [&](std::int64_t column) {
    double sum = 0;
    for (std::int64_t row = 0; row < count; ++row) sum += at(row, column);
    return sum / static_cast<double>(count);
  });
}

TEST_F(Embed, WritesNumpyFiles) {
  const TemporaryDirectory files;
  const std::string input = "the cat\n\non a mat\n", path = files / "vectors.npy";
  ASSERT_EQ(embed({"--format", "npy", "-o", path}, input).status, 0);
  const std::string bytes = read_file(path);
  ASSERT_TRUE(bytes.starts_with("\x93NUMPY"));
  const std::size_t header =
      10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ(header % 64, 0u);
  EXPECT_NE(bytes.substr(0, header).find("'descr': '<f4', 'fortran_order': False, 'shape': (3, 32)"),
            std::string::npos);
  ASSERT_EQ(bytes.size(), header + 3 * 32 * 4);
  const std::vector<std::string> lines = output_lines(embed({}, input).output);
  for (std::size_t line = 0; line < 3; ++line) {
    for (std::size_t i = 0; i < 32; ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + header + (line * 32 + i) * 4, 4);
      const float expected = line == 1 ? 0.0f : std::stof(split(lines[line], '\t')[i]);
      EXPECT_EQ(value, expected);
    }
  }
}

TEST_F(Embed, ReportsIgnoredTokensAndMistakes) {
  std::string long_line;
  for (int i = 0; i < 80; ++i) long_line += "t";
  const ProgramResult cut = embed({}, "the\n" + long_line + "\n\xFF\n");
  EXPECT_EQ(cut.status, 0);
  EXPECT_NE(cut.errors.find(":2: the last 22 of 81 tokens"), std::string::npos) << cut.errors;
  EXPECT_NE(cut.errors.find(":3: invalid UTF-8"), std::string::npos) << cut.errors;
  expect_failure(run_program({kGlossBinary, "embed"}), 2, "-m DIR");
  expect_failure(embed({"--pooling", "median"}, ""), 2, "'median'");
  EXPECT_EQ(embed({}, "").output, "");
  expect_failure(run_program({"/usr/bin/env", "TMPDIR=/no/such", kGlossBinary, "embed", "--format", "npy",
                              "-m", *folder / "a"},
                             "the cat\n"),
                 1, "set TMPDIR");
}

}  // namespace
}  // namespace gloss
