// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// One subcommand: `gloss NAME ...`.
struct Command {
  std::string_view name;
  std::string_view group;    ///< heading in the list of commands
  std::string_view summary;  ///< one line for the list of commands
  /// Runs with the words after the name; returns the exit status. Throws errors, and HelpRequest.
  int (*run)(std::span<const std::string> arguments);
};

/// All commands in the order of the list.
std::span<const Command> commands();
/// The command of this name; throws UsageError, which suggests a similar one.
const Command& command_named(const std::string& name);

/// Runs `gloss` with the words after the program's name; prints errors and returns the exit status.
int run_gloss(std::span<const std::string> arguments);

// One function per subcommand, each in the file of its name.
int run_split(std::span<const std::string> arguments);
int run_merge(std::span<const std::string> arguments);
int run_vocab(std::span<const std::string> arguments);
int run_encode(std::span<const std::string> arguments);
int run_decode(std::span<const std::string> arguments);
int run_train(std::span<const std::string> arguments);
int run_pretrain(std::span<const std::string> arguments);
int run_finetune(std::span<const std::string> arguments);
int run_embed(std::span<const std::string> arguments);
int run_import(std::span<const std::string> arguments);
int run_export(std::span<const std::string> arguments);
int run_average(std::span<const std::string> arguments);
int run_plot(std::span<const std::string> arguments);
int run_quantize(std::span<const std::string> arguments);
int run_shortlist(std::span<const std::string> arguments);
int run_info(std::span<const std::string> arguments);
int run_translate(std::span<const std::string> arguments);
int run_answer(std::span<const std::string> arguments);
int run_classify(std::span<const std::string> arguments);
int run_fill(std::span<const std::string> arguments);
int run_generate(std::span<const std::string> arguments);
int run_align(std::span<const std::string> arguments);
int run_score(std::span<const std::string> arguments);
int run_compare(std::span<const std::string> arguments);
int run_rerank(std::span<const std::string> arguments);
int run_tune(std::span<const std::string> arguments);
int run_evaluate(std::span<const std::string> arguments);

}  // namespace gloss
