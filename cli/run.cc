#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

#include "base/error.h"
#include "base/ranks.h"
#include "base/text.h"
#include "cli/command.h"

namespace gloss {
namespace {

const Command* find_command(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string overview() {
  std::string text =
      "gloss: from raw text to scored translation on ordinary CPUs\n\n"
      "Usage: gloss COMMAND [OPTION...]\n";
  std::string_view group;
  for (const Command& command : commands()) {
    if (command.group != group) text += concat("\n", command.group, "\n");
    group = command.group;
    text += concat("  ", command.name, std::string(12 - std::min<std::size_t>(11, command.name.size()), ' '),
                   command.summary, "\n");
  }
  return text +
         "\n'gloss COMMAND --help' shows the options of a command, 'gloss --version' the\n"
         "version. Data goes to standard output, all else to standard error.\n";
}

UsageError unknown_command(const std::string& name) {
  std::vector<std::string> known;
  for (const Command& command : commands()) known.emplace_back(command.name);
  const std::string meant = nearest(name, known);
  return UsageError(concat("unknown command '", name, "'",
                           meant.empty() ? "" : concat("; did you mean '", meant, "'?"),
                           " ('gloss help' lists the commands)"));
}

int dispatch(std::span<const std::string> arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      (arguments[0] == "help" && arguments.size() == 1)) {
    std::cout << overview();
    return 0;
  }
  if (arguments[0] == "--version") {
    std::cout << "gloss " GLOSS_VERSION "\n";
    return 0;
  }
  const bool asks_help = arguments[0] == "help";
  const std::string& name = arguments[asks_help ? 1 : 0];
  const Command* command = find_command(name);
  if (command == nullptr) throw unknown_command(name);
  const std::vector<std::string> help{"--help"};
  return command->run(asks_help ? std::span<const std::string>(help) : arguments.subspan(1));
}

}  // namespace

int run_gloss(std::span<const std::string> arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen as a failed write, which ends the program quietly
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed likewise: writing fails with a message
  std::string who = "gloss";
  if (!arguments.empty() && find_command(arguments[0]) != nullptr) who += " " + arguments[0];
  try {
    const int status = dispatch(arguments);
    std::cout.flush();
    return status;
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const OtherRankFailed&) {
    return 0;  // that one tells, and its status is that of all
  } catch (const Error& error) {
    std::cerr << who << ": " << error.what() << "\n";
    return error.status();
  } catch (const std::bad_alloc&) {
    std::cerr << who << ": not enough memory\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << who << ": this should not have happened: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace gloss
