// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/ranks.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/help_command.h"
#include "cli/help_text.h"
#include "cli/memory_shortage.h"
#include "cli/stop_signals.h"
#include "cli/version_text.h"
#include "model/kernels/instruction_set.h"
#include "pipeline/data/answer_run.h"

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

/// Runs a command. If a file in use was changed, that is the error, also if it has led to another one.
int run_on_unchanged_files(std::span<const std::string> arguments) {
  try {
    const int status = run_or_help(arguments);
    expect_unchanged_files();
    return status;
  } catch (const Error&) {
    expect_unchanged_files();
    throw;
  }
}

/// Who reports an error: "gloss", or "gloss COMMAND".
std::string reporter(std::span<const std::string> arguments) {
  const bool command =
      !arguments.empty() && std::ranges::find(commands(), arguments[0], &Command::name) != commands().end();
  return command ? "gloss " + arguments[0] : "gloss";
}

/// The message without the middle of one that quotes a whole file.
std::string readable(const std::string& message) {
  constexpr std::size_t kLongest = 4000, kEnd = 1000;
  if (message.size() <= kLongest) return message;
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(message[at]) & 0xc0) == 0x80;
  };
  std::size_t cut = kLongest - kEnd, rest = message.size() - kEnd;
  while (cut > 0 && is_inside(cut)) --cut;
  while (rest < message.size() && is_inside(rest)) ++rest;
  return concat(message.substr(0, cut), " [... ", rest - cut, " bytes ...] ", message.substr(rest));
}

}  // namespace

int run_gloss(std::span<const std::string> arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen as a failed write, which ends the program quietly
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed likewise: writing fails with a message
  const std::string who = reporter(arguments);
  watch_memory(who);
  remove_unfinished_at_signals(who);
  try {
    instruction_set_limit();  // a mistake in the variable is an error of every command
    return run_on_unchanged_files(arguments);
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const OtherRankFailed&) {
    return 0;  // that rank reports the error, and its status is that of all
  } catch (const StoppedRun& stop) {
    std::cerr << who << ": " << terminal_text(stop.what()) << "\n";
    const int signal = StopSignals::first_received();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return 1;  // if the signal is blocked
  } catch (const Error& error) {
    std::cerr << who << ": " << terminal_text(readable(error.what())) << "\n";
    return error.status();
  } catch (const std::bad_alloc&) {
    print_memory_shortage();
    return 1;
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {  // no thread can be started
      print_memory_shortage();
    } else {
      std::cerr << who << ": " << error.what() << "\n";
    }
    return 1;
  } catch (const std::exception& error) {
    std::cerr << who << ": this should not have happened: " << terminal_text(readable(error.what())) << "\n";
    return 1;
  }
}

}  // namespace gloss
