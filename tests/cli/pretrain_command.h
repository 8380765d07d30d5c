// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/text.h"
#include "tests/cli/train_command.h"

namespace gloss {

/// Trains tiny networks on plain text.
struct PretrainCommand : TrainCommand {
  std::vector<std::string> pretrain_command(const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary, "pretrain", "--output", folder / output};
    const std::vector<std::pair<std::string, std::string>> usual{{"--input", folder / "train.en"},
                                                                 {"--vocab-size", "60"},
                                                                 {"--width", "16"},
                                                                 {"--heads", "2"},
                                                                 {"--layers", "2"},
                                                                 {"--feed-forward-width", "32"},
                                                                 {"--block-length", "24"},
                                                                 {"--batch-tokens", "200"},
                                                                 {"--learning-rate", "0.01"},
                                                                 {"--warmup-updates", "10"},
                                                                 {"--report-interval", "5"},
                                                                 {"--max-updates", "30"}};
    add_unless_given(words, usual, more);
    add_unless_given(words, classical_steps(), more);
    words.emplace_back("--no-hold-out");
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  ProgramResult pretrain(const std::string& output, const std::vector<std::string>& more = {}) {
    return run_program(pretrain_command(output, more));
  }
  /// Lines with distinct first letters, and these letters.
  std::pair<std::string, std::string> twenty_lines() {
    std::string lines, beginnings;
    const std::string german = folder.read("train.de");
    const std::vector<std::string> rest = split(german, '\n');
    for (int line = 0; line < 20; ++line) {
      const std::string first(1, static_cast<char>('a' + line));
      lines += first + " " + rest[index(line)] + "\n";
      beginnings += first + "\n";
    }
    return {lines, beginnings};
  }
};

}  // namespace gloss
