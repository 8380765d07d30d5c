// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

class Options;

/// Does what a command is for, once its options are parsed; returns the exit status.
using Work = std::function<int()>;

/// Declares options that set a `Settings`, and returns the work, which reads it.
template <class Settings>
Work work_on(Options& options, void (*declare)(Options&, Settings&), int (*run)(const Options&, Settings&)) {
  const auto settings = std::make_shared<Settings>();
  declare(options, *settings);
  return [&options, settings, run] { return run(options, *settings); };
}

/// One subcommand: `gloss NAME ...`.
struct Command {
  std::string_view name;
  std::string_view group;    ///< heading in the list of commands
  std::string_view summary;  ///< one line for the list of commands
  /// Declares the options, which must outlive the work. Throws UsageError if those that decide which options
  /// there are have impossible values.
  Work (*declare)(Options&);
};

/// All commands in the order of the list.
std::span<const Command> commands();
/// The command of this name; throws UsageError, which suggests a similar one.
const Command& command_named(const std::string& name);

/// Runs `gloss` with the words after the program's name; prints errors and returns the exit status.
int run_gloss(std::span<const std::string> arguments);

// One function per subcommand, each in the file of its name.
Work declare_clean(Options&);
Work declare_split(Options&);
Work declare_merge(Options&);
Work declare_langid(Options&);
Work declare_dedupe(Options&);
Work declare_partition(Options&);
Work declare_vocab(Options&);
Work declare_encode(Options&);
Work declare_decode(Options&);
Work declare_train(Options&);
Work declare_pretrain(Options&);
Work declare_finetune(Options&);
Work declare_embed(Options&);
Work declare_import(Options&);
Work declare_export(Options&);
Work declare_average(Options&);
Work declare_plot(Options&);
Work declare_quantize(Options&);
Work declare_shortlist(Options&);
Work declare_info(Options&);
Work declare_translate(Options&);
Work declare_answer(Options&);
Work declare_classify(Options&);
Work declare_fill(Options&);
Work declare_generate(Options&);
Work declare_align(Options&);
Work declare_score(Options&);
Work declare_compare(Options&);
Work declare_rerank(Options&);
Work declare_tune(Options&);
Work declare_evaluate(Options&);

}  // namespace gloss
