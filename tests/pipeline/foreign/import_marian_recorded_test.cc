// SPDX-License-Identifier: Apache-2.0
// Imported models of Marian against what Marian computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "tests/pipeline/foreign/import_marian.h"
#include "tests/support/shared_data.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

std::vector<std::string> lines_of_file(const std::string& path) { return output_lines(read_file(path)); }

/// A model of Marian with texts and what Marian computed from them.
struct Recorded {
  std::string text = "input.txt", references = "ref.txt", greedy = "greedy.txt";
  /// Texts with as many tokens as the lines have, by which Marian limited the lengths.
  std::string tokens = "input.ids.txt";
  /// Lines whose greedy translations may differ: ties, or outputs of untrained models.
  int may_differ = 0;
  std::string scores = "scores.txt";  ///< empty: not compared
};

struct MarianRecorded : ImportMarian {
  /// Lines of greedy translations; spaces at the end do not count.
  std::vector<std::string> translate(const std::string& text, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"translate", "-m", own, "--beam-size", "1", "--precision", "f32"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words, text);
    EXPECT_EQ(result.status, 0) << result.errors;
    return without_last_spaces(output_lines(result.output));
  }
  static std::vector<std::string> without_last_spaces(std::vector<std::string> lines) {
    for (std::string& line : lines) line.resize(line.find_last_not_of(' ') + 1);
    return lines;
  }
  /// Marian's limit is three times the source tokens, with the end token.
  std::string limited(const std::string& line, const std::string& tokens,
                      std::vector<std::string> more) const {
    const std::vector<std::string> words = split(tokens, ' ');
    const auto count =
        1 + std::ranges::count_if(words, [](const std::string& word) { return !word.empty(); });
    more.insert(more.end(), {"--max-length", std::to_string(3 * count), "--max-length-factor", "100"});
    return translate(line + "\n", more).at(0);
  }

  void expect_recorded(const Recorded& recorded, const std::string& path, const std::string& model = "",
                       std::vector<std::string> more = {}) const {
    const std::string files = path + "/";
    const ProgramResult result = import_path(path + model);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(has(result.errors, "not used")) << result.errors;
    const std::vector<std::string> lines = lines_of_file(files + recorded.text),
                                   tokens = lines_of_file(files + recorded.tokens),
                                   expected = without_last_spaces(lines_of_file(files + recorded.greedy));
    std::vector<std::string> all = more;
    all.insert(all.end(), {"--max-length-factor", "3"});
    const std::vector<std::string> found = translate(read_file(files + recorded.text), all);
    ASSERT_EQ(found.size(), expected.size());
    int differ = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (found[i] == expected[i]) continue;
      const std::string again = limited(lines[i], tokens[i], more);
      if (again == expected[i] || ++differ <= recorded.may_differ) continue;
      EXPECT_EQ(again, expected[i]) << "line " << i + 1;
    }
    if (recorded.scores.empty()) return;
    expect_scores(files + recorded.text, files + recorded.references, files + recorded.scores);
  }
  /// The log-probabilities of reference translations, or of text if there is no source.
  void expect_scores(const std::string& source, const std::string& target,
                     const std::string& expected) const {
    std::vector<std::string> words{"score", "-m", own, "--precision", "f32", "--format", "json"};
    if (source.empty()) {
      words.insert(words.end(), {"--input", target});
    } else {
      words.insert(words.end(), {"--source", source, "--target", target});
    }
    const ProgramResult result = gloss(words);
    ASSERT_EQ(result.status, 0) << result.errors;
    const std::vector<nlohmann::json> scores = json_lines(result.output);
    const std::vector<std::string> recorded = lines_of_file(expected);
    ASSERT_EQ(scores.size(), recorded.size());
    double largest = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i]["tokens"] == 0) continue;  // a pair of blank lines
      const double difference = scores[i]["log_probability"].get<double>() - std::stod(recorded[i]);
      largest = std::max(largest, std::abs(difference));
      EXPECT_NEAR(difference, 0, 1e-3) << "line " << i + 1;
    }
    RecordProperty("largest_difference", std::to_string(largest));
  }
};

TEST_F(MarianRecorded, PostNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-post");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, PreNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-pre");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, Words) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-yml");
  // Marian does not translate a line that begins with the word </s>.
  expect_recorded({.tokens = "input.txt", .may_differ = 1}, *path);
}
TEST_F(MarianRecorded, PackageOfOpus) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/opus-spm-yml");
  expect_recorded(
      {.text = "input.raw.txt", .greedy = "greedy.detok.txt", .tokens = "input.txt", .scores = ""}, *path);
}
TEST_F(MarianRecorded, Ssru) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  expect_recorded({}, *path);
  expect_recorded({}, *path, "/model.float32.bin");
}
TEST_F(MarianRecorded, QuantisedToSixteenBits) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  expect_recorded({.greedy = "greedy.int16.txt", .scores = ""}, *path, "/model.intgemm16.bin");
}
TEST_F(MarianRecorded, EveryOrderOfEightBits) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  std::string first;
  for (const std::string name : {"intgemm8", "intgemm8ssse3", "intgemm8avx2", "intgemm8avx512"}) {
    ASSERT_EQ(import_path(concat(*path, "/model.", name, ".bin")).status, 0);
    const ProgramResult result = gloss({"translate", "-m", own, "--precision", "f32", "--beam-size", "1"},
                                       read_file(*path + "/input.txt"));
    ASSERT_EQ(result.status, 0) << result.errors;
    if (first.empty()) first = result.output;
    EXPECT_EQ(result.output, first) << name;
  }
}
TEST_F(MarianRecorded, AverageAttention) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/aan");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, SharedLayersWithoutProjection) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-tied-noproj");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, RmsNorm) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/transformer-rms");
  expect_recorded({}, *path);
}
TEST_F(MarianRecorded, RecurrentNetworks) {
  for (const std::string name : {"s2s-gru", "s2s-lstm", "amun", "nematus"}) {
    GLOSS_NEED_SHARED_DATA(path, "interchange/marian/" + name);
    SCOPED_TRACE(name);
    expect_recorded({}, *path);
  }
}
TEST_F(MarianRecorded, LanguageModel) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/lm-transformer");
  ASSERT_EQ(import_path(*path).status, 0);
  expect_scores("", *path + "/ref.txt", *path + "/scores.txt");
}
TEST_F(MarianRecorded, Shortlists) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/marian/student-ssru");
  const auto expect_equal = [&](const std::string& list, const std::string& greedy,
                                const std::vector<std::string>& options) {
    std::vector<std::string> more{"--shortlist", concat(*path, "/", list)};
    more.insert(more.end(), options.begin(), options.end());
    expect_recorded({.greedy = greedy, .scores = ""}, *path, "", more);
  };
  const std::vector<std::string> fifty{"--shortlist-first", "50", "--shortlist-best", "50"};
  expect_equal("lex.s2t.txt", "greedy.shortlist.txt", fifty);
  expect_equal("lex.50.50.bin", "greedy.shortlist-bin.txt", {});
  expect_equal("lex.s2t.txt", "greedy.shortlist-10-5.txt",
               {"--shortlist-first", "10", "--shortlist-best", "5", "--shortlist-threshold", "0.01"});
}

}  // namespace
}  // namespace gloss
