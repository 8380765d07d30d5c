// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/ranks.h"
#include "base/shown.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/help/completion.h"
#include "cli/help/help_text.h"
#include "cli/help/man_page.h"
#include "cli/options/command_with_tasks.h"
#include "cli/options/options.h"
#include "cli/options/version_text.h"
#include "cli/process/event_log.h"
#include "cli/process/memory_shortage.h"
#include "cli/process/signals.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "model/kernels/instruction_set.h"
#include "pipeline/runs/answer_run.h"

namespace gloss {
namespace {

int print(const std::string& text) {
  Output output;
  output.write(text);
  output.close();
  return 0;
}

/// The command with its options parsed, or the help that is asked for instead. Ranks make the same mistakes
/// on their command lines: the first one reports them.
std::optional<HelpRequest> parsed(std::optional<Options>& options, const Command& command,
                                  std::span<const std::string> words) {
  try {
    options.emplace(command, words);
    return options->parse();
  } catch (...) {
    if (launched_rank() > 0) wait_for_first_rank();
    throw;
  }
}

int run_command(const Command& command, std::span<const std::string> words) {
  std::optional<Options> options;
  if (const auto help = parsed(options, command, words)) return print(help_text(help->command, help->topic));
  return options->run();
}

/// Writes man pages to DIR/man and completion scripts to DIR/completions.
int generate(const std::string& directory) {
  std::vector<CommandDescription> all;
  for (const Command& command : commands()) all.push_back(describe(command));
  make_writable_directory(directory + "/man");
  make_writable_directory(directory + "/completions");
  write_file(directory + "/man/gloss.1", main_man_page());
  for (const CommandDescription& command : all) {
    write_file(concat(directory, "/man/gloss-", command.name, ".1"), man_page(command));
  }
  write_file(directory + "/completions/gloss", bash_completion(all));
  write_file(directory + "/completions/_gloss", zsh_completion(all));
  write_file(directory + "/completions/gloss.fish", fish_completion(all));
  return 0;
}

/// `gloss help [COMMAND [all|GROUP]]`, and `gloss help --generate DIR`.
int run_help(std::span<const std::string> arguments) {
  if (arguments.size() == 2 && arguments[0] == "--generate") return generate(arguments[1]);
  if (!arguments.empty() && arguments[0] == "--generate") {
    throw UsageError(
        "expected one directory: 'gloss help --generate DIR' writes man pages and completion scripts");
  }
  const std::string first = arguments.empty() ? "" : arguments[0];
  if (first.empty() || first == "all" || first == "help" || first == "--help" || first == "-h") {
    return print(overview_text());
  }
  std::vector<std::string> words{"--help"};
  words.insert(words.end(), arguments.begin() + 1, arguments.end());
  return run_command(command_named(arguments[0]), words);
}

int dispatch(std::span<const std::string> arguments) {
  const std::string first = arguments.empty() ? "help" : arguments[0];
  if (first == "--version" || first == "-V" || first == "version") return print(version_text());
  if (first == "help" || first == "--help" || first == "-h") {
    return run_help(arguments.empty() ? arguments : arguments.subspan(1));
  }
  return run_command(command_named(first), arguments.subspan(1));
}

/// Runs a command. If a file in use was changed, that is the error, also if it has led to another one about
/// what was read.
int run_on_unchanged_files(std::span<const std::string> arguments) {
  try {
    const int status = dispatch(arguments);
    expect_unchanged_files();
    return status;
  } catch (const InputError&) {
    expect_unchanged_files();
    throw;
  }
}

/// Who reports an error: "gloss", or "gloss COMMAND".
std::string reporter_name(std::span<const std::string> arguments) {
  const bool command =
      !arguments.empty() && std::ranges::find(commands(), arguments[0], &Command::name) != commands().end();
  return command ? "gloss " + arguments[0] : "gloss";
}

/// Prints the error that ends the run, notes it in the log, and returns the exit status.
int fail(const std::string& who, const std::string& message, int status) {
  const std::string shown = without_middle(message);
  std::cerr << who << ": " << terminal_text(shown) << "\n";
  event_log().end(status, shown);
  return status;
}

int fail_for_memory() {
  print_memory_shortage();
  event_log().end(1, "not enough memory");
  return 1;
}

int fail_for_threads() {
  print_thread_shortage();
  event_log().end(1, "cannot start another thread");
  return 1;
}

}  // namespace

int run_gloss(std::span<const std::string> arguments) {
  const std::string who = reporter_name(arguments);
  watch_memory(who);
  try {
    handle_signals();
    instruction_set_limit();  // a mistake in the variable is an error of every command
    const int status = run_on_unchanged_files(arguments);
    event_log().end(status);
    return status;
  } catch (const ClosedPipe&) {
    event_log().end(0);
    return 0;
  } catch (const OtherRankFailed&) {
    return 0;  // that rank reports the error, and its status is that of all
  } catch (const FinishedRun& run) {
    std::cerr << who << ": " << terminal_text(run.what()) << "\n";
    event_log().end(0);
    return 0;
  } catch (const StoppedRun& stop) {
    const int signal = StopSignals::first_received();
    fail(who, stop.what(), 128 + signal);
    end_by_signal(signal);
  } catch (const Error& error) {
    return fail(who, error.what(), error.status());
  } catch (const std::bad_alloc&) {
    return fail_for_memory();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) return fail_for_threads();
    return fail(who, concat("the system refused an operation: ", error.what()), 1);
  } catch (const std::exception& error) {
    return fail(who, concat("this should not have happened: ", error.what()), 1);
  }
}

}  // namespace gloss
