// SPDX-License-Identifier: Apache-2.0
// --profile: the table, and that it changes nothing else.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// The rows of the table on a command's standard error: figures by operation.
std::map<std::string, std::vector<std::string>> rows_of(const std::string& errors) {
  constexpr std::size_t kName = 34;
  std::map<std::string, std::vector<std::string>> rows;
  const std::size_t start = errors.find("operation  ");
  if (start == std::string::npos) return rows;
  for (const std::string& line : split(errors.substr(start), '\n')) {
    EXPECT_LE(line.size(), 100u) << line;
    if (line.size() < kName || line.starts_with("operations take")) continue;
    std::istringstream words(line.substr(kName));
    std::vector<std::string>& row = rows[line.substr(0, line.find("  "))];
    for (std::string word; words >> word;) row.push_back(word);
    EXPECT_EQ(row.size(), 5u) << line;
  }
  return rows;
}

void check_table(const std::string& errors, const std::vector<std::string>& operations) {
  const auto rows = rows_of(errors);
  ASSERT_TRUE(rows.contains("all operations")) << errors;
  for (const std::string& operation : operations)
    EXPECT_TRUE(rows.contains(operation)) << operation << errors;
  std::int64_t calls = 0;
  double share = 0;
  for (const auto& [name, figures] : rows) {
    if (name == "operation" || name == "all operations") continue;
    calls += std::stoll(figures.at(0));
    share += std::stod(figures.at(2));
  }
  EXPECT_EQ(rows.at("all operations")[0], std::to_string(calls));
  EXPECT_NEAR(share, 100, 0.05 * static_cast<double>(rows.size()));
  EXPECT_NE(errors.find("\noperations take "), std::string::npos) << errors;
}

TEST(Profile, ListsTheOperationsOfATrainingAndATranslation) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 40; ++i) text += concat("one two ", i % 10, "\n");
  const std::string lines = folder.write("text", text);
  const auto train = [&](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary,
                                   "train",
                                   "--source",
                                   lines,
                                   "--target",
                                   lines,
                                   "--output",
                                   folder / output,
                                   "--threads",
                                   "2",
                                   "--vocab-size",
                                   "40",
                                   "--width",
                                   "16",
                                   "--heads",
                                   "2",
                                   "--max-updates",
                                   "3",
                                   "--feed-forward-width",
                                   "32",
                                   "--quiet",
                                   "--optimizer",
                                   "adam",
                                   "--encoder-layers",
                                   "1",
                                   "--decoder-layers",
                                   "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const ProgramResult trained = train("profiled", {"--profile"}), plain = train("plain", {});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(trained.output, "");
  EXPECT_EQ(plain.errors, "");
  check_table(trained.errors, {"linear: products", "linear: gradient of weights", "attention: gradient",
                               "loss: logits", "optimizer", "gradients: norm"});
  EXPECT_EQ(folder.read("profiled/last/model.safetensors"), folder.read("plain/last/model.safetensors"));

  const auto translate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary, "translate", "-m", folder / "plain", "--quiet", "-j", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, text);
  };
  const ProgramResult translated = translate({"--profile"});
  ASSERT_EQ(translated.status, 0) << translated.errors;
  EXPECT_EQ(translated.output, translate({}).output);
  EXPECT_EQ(translate({}).errors.find("operations take"), std::string::npos);
  check_table(translated.errors, {"linear: products", "attention while decoding"});
}

}  // namespace
}  // namespace gloss
