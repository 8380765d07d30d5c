// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

inline const std::vector<std::string> kNone;

/// Lines of both sides.
struct Text {
  std::string english, german;
};

/// Lines of one to six of ten words.
inline Text number_words(int lines, std::uint64_t seed) {
  const std::vector<std::string> english{"zero", "one", "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};
  const std::vector<std::string> german{"null", "eins",  "zwei",   "drei", "vier",
                                        "fünf", "sechs", "sieben", "acht", "neun"};
  Random random(seed);
  Text text;
  for (int line = 0; line < lines; ++line) {
    const std::uint64_t words = 1 + random.below(6);
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::size_t digit = random.below(10);
      text.english += (word == 0 ? "" : " ") + english[digit];
      text.german += (word == 0 ? "" : " ") + german[digit];
    }
    text.english += "\n";
    text.german += "\n";
  }
  return text;
}

/// Expects the lines of two texts to be the same but for three of twenty: how much a tiny network learns by
/// heart in a few hundred steps depends on the rounding of the processor's products.
inline void expect_nearly(const std::string& lines, const std::string& expected) {
  const std::vector<std::string> found = split(lines, '\n'), wanted = split(expected, '\n');
  ASSERT_EQ(found.size(), wanted.size()) << lines;
  int different = 0;
  for (std::size_t line = 0; line < found.size(); ++line) different += found[line] != wanted[line] ? 1 : 0;
  EXPECT_LE(different, static_cast<int>(wanted.size()) * 3 / 20) << lines;
}

/// Trains tiny networks on a language of ten words, in a temporary folder.
struct TrainCommand : testing::Test {
  TrainCommand() {
    const Text train = number_words(300, 1), valid = number_words(20, 2);
    folder.write("train.en", train.english);
    folder.write("train.de", train.german);
    folder.write("valid.en", valid.english);
    folder.write("valid.de", valid.german);
  }

  /// Trains a transformer with the settings of Vaswani et al. 2017, so that nothing is left to the plan.
  std::vector<std::string> command(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"--feed-forward-width", "32", "--heads", "2"};
    add_unless_given(words,
                     {{"--norm", "post"},
                      {"--norm-type", "layer"},
                      {"--encoder-mixers", "attention"},
                      {"--dropout", "0.1"},
                      {"--embedding-dropout", "0.1"}},
                     more);
    words.insert(words.end(), more.begin(), more.end());
    return any_command(output, words);
  }
  /// Steps that go on, so that a training can be longer than the one that it continues.
  static std::vector<std::pair<std::string, std::string>> classical_steps() {
    return {{"--optimizer", "adam"},
            {"--schedule", "inverse_sqrt"},
            {"--valid-interval", "0"},
            {"--early-stopping", "0"}};
  }
  static void add_unless_given(std::vector<std::string>& words,
                               const std::vector<std::pair<std::string, std::string>>& options,
                               const std::vector<std::string>& given) {
    for (const auto& [name, value] : options) {
      if (std::ranges::find(given, name) == given.end()) words.insert(words.end(), {name, value});
    }
  }
  std::vector<std::string> any_command(const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary,        "train",        "--source",
                                   folder / "train.en", "--target",     folder / "train.de",
                                   "--output",          folder / output};
    const std::vector<std::string> sizes{"--vocab-size",     "60",   "--width",           "16",
                                         "--encoder-layers", "1",    "--decoder-layers",  "1",
                                         "--batch-tokens",   "200",  "--warmup-updates",  "10",
                                         "--learning-rate",  "0.01", "--report-interval", "5"};
    words.insert(words.end(), sizes.begin(), sizes.end());
    add_unless_given(words, {{"--max-updates", "30"}}, more);
    add_unless_given(words, classical_steps(), more);
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.begin() + 8, "--no-hold-out");
    return words;
  }
  std::vector<std::string> with_validation(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--valid-source", folder / "valid.en", "--valid-target", folder / "valid.de"});
    return more;
  }
  ProgramResult train(const std::string& output, const std::vector<std::string>& more = {}) {
    return run_program(command(output, more));
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  /// Names and bytes of all files of a checkpoint, except the one that depends on the clock.
  std::map<std::string, std::string> content(const std::string& name) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name)) {
      const std::string file = entry.path().filename().string();
      if (file != "time.json") files[file] = read_file(entry.path().string());
    }
    return files;
  }
  /// The names of the files that differ or are missing in one of two checkpoints.
  std::vector<std::string> differences(const std::string& name, const std::string& other) {
    return differences(content(name), content(other));
  }
  /// The same for the best checkpoints of two trainings, where one was made longer later: each records the
  /// updates that were planned when it was written.
  std::vector<std::string> differences_of_best(const std::string& run, const std::string& other) {
    const auto best_of = [&](const std::string& name) {
      std::map<std::string, std::string> files = content(name + "/best");
      nlohmann::json config = nlohmann::json::parse(files["config.json"]);
      EXPECT_EQ(config["training"].erase("max_updates"), 1u);
      files["config.json"] = config.dump();
      return files;
    };
    return differences(best_of(run), best_of(other));
  }
  /// Expects that a training stopped after each of `updates` and continued on three threads gives the same
  /// bytes as an uninterrupted one on a single thread: in the last checkpoint and, with validation, in the
  /// best one. `learn` trains to a directory.
  template <class Learn>
  void expect_parts_as_whole(const Learn& learn, const std::vector<std::string>& options,
                             const std::vector<std::string>& updates) {
    const auto until = [&](const std::string& output, const std::string& last, const std::string& threads) {
      std::vector<std::string> all = options;
      all.insert(all.end(), {"--max-updates", last, "-j", threads});
      const ProgramResult result = learn(output, all);
      ASSERT_EQ(result.status, 0) << result.errors;
    };
    until("whole", updates.back(), "1");
    for (const std::string& part : updates) until("parts", part, "3");
    EXPECT_EQ(differences("parts/last", "whole/last"), std::vector<std::string>());
    if (std::filesystem::exists(folder / "whole/best")) {
      EXPECT_EQ(differences_of_best("parts", "whole"), std::vector<std::string>());
    }
  }
  std::vector<std::string> list(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_failure(const ProgramResult& result, int status, const std::string& message) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
  }

  TemporaryDirectory folder;

 private:
  static std::vector<std::string> differences(std::map<std::string, std::string> files,
                                              std::map<std::string, std::string> others) {
    std::vector<std::string> names;
    for (const auto& [file, bytes] : files) {
      if (others[file] != bytes) names.push_back(file);
    }
    for (const auto& [file, bytes] : others) {
      if (!files.contains(file)) names.push_back(file);
    }
    return names;
  }
};

}  // namespace gloss
