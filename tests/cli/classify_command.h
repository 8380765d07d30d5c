// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "tests/cli/pretrain_command.h"

namespace gloss {

/// gloss finetune --task classify and gloss classify on lines whose label depends on one word.
struct ClassifyCommand : PretrainCommand {
  ClassifyCommand() {
    folder.write("train.tsv", labelled("train.en"));
    folder.write("valid.tsv", labelled("valid.en"));
  }
  /// Lines of words with the label 'with' if one of them is "seven", else 'without'.
  std::string labelled(const std::string& file) {
    std::string lines;
    for (const std::string& line : read_lines(folder / file)) {
      lines += concat(line.find("seven") == std::string::npos ? "without" : "with", "\t", line, "\n");
    }
    return lines;
  }
  ProgramResult finetune(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kGlossBinary, "finetune", "--task",
                                   "classify",   "--output", folder / output};
    const auto given = [&](const std::string& option) {
      return std::ranges::find(more, option) != more.end();
    };
    std::vector<std::pair<std::string, std::string>> usual{
        {"--input", folder / "train.tsv"}, {"--batch-tokens", "400"},  {"--learning-rate", "0.01"},
        {"--warmup-updates", "10"},        {"--report-interval", "5"}, {"--max-updates", "30"}};
    if (!given("--model")) {
      usual.insert(usual.end(),
                   {{"--vocab-size", "60"}, {"--width", "16"}, {"--layers", "1"}, {"--max-positions", "24"}});
      if (!given("--architecture")) {
        usual.insert(usual.end(), {{"--heads", "2"}, {"--feed-forward-width", "32"}});
      }
    }
    add_unless_given(words, usual, more);
    add_unless_given(words, classical_steps(), more);
    words.emplace_back("--no-hold-out");
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  std::vector<std::string> judged(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--valid-input", folder / "valid.tsv"});
    return more;
  }
  ProgramResult classify(const std::string& input, const std::vector<std::string>& more = {},
                         const std::string& model = "run") {
    std::vector<std::string> words{"classify", "-m", folder / model};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words, input);
  }
  /// The accuracy, computed by gloss evaluate.
  double accuracy(const std::string& model) {
    std::string labels, texts;
    for (const std::string& line : read_lines(folder / "valid.tsv")) {
      labels += line.substr(0, line.find('\t')) + "\n";
      texts += line.substr(line.find('\t') + 1) + "\n";
    }
    const ProgramResult predicted = classify(texts, {"--scores", "--precision", "f32"}, model);
    EXPECT_EQ(predicted.status, 0) << predicted.errors;
    const ProgramResult scored = gloss({"evaluate", "--task", "classify", folder.write("labels", labels),
                                        "-i", folder.write("predicted", predicted.output), "-w", "4"});
    EXPECT_EQ(scored.status, 0) << scored.errors;
    return nlohmann::json::parse(scored.output)["scores"][0]["score"];
  }
};

}  // namespace gloss
