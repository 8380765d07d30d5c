// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/ranks.h"
#include "base/shown.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/help/help_command.h"
#include "cli/help/help_text.h"
#include "cli/options/version_text.h"
#include "cli/process/event_log.h"
#include "cli/process/memory_shortage.h"
#include "cli/process/signals.h"
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

int dispatch(std::span<const std::string> arguments) {
  const std::string first = arguments.empty() ? "help" : arguments[0];
  if (first == "--version" || first == "-V" || first == "version") return print(version_text());
  if (first == "help" || first == "--help" || first == "-h") {
    return run_help(arguments.empty() ? arguments : arguments.subspan(1));
  }
  return command_named(first).run(arguments.subspan(1));
}

/// Runs a command, or prints the help that was asked for instead.
int run_or_help(std::span<const std::string> arguments) {
  try {
    return dispatch(arguments);
  } catch (const HelpRequest& request) {
    return print(help_text(request.command, request.topic));
  }
}

/// Runs a command. If a file in use was changed, that is the error, also if it has led to another one about
/// what was read.
int run_on_unchanged_files(std::span<const std::string> arguments) {
  try {
    const int status = run_or_help(arguments);
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
