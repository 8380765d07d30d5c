// SPDX-License-Identifier: Apache-2.0
// Where the bar of progress is shown on a terminal, and where it gives way to text.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/files.h"
#include "tests/support/has.h"
#include "tests/support/pseudo_terminal.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

/// `gloss translate` answers two lines, of which the second comes when it is time for a bar.
struct ProgressBar : UntrainedModels {
  /// Returns all that the terminal shows, which has standard error. `send` sends a line.
  std::string shown(const std::string& input, const std::string& output,
                    const std::function<void(const std::string&)>& send, const std::function<void()>& end) {
    StartedProgram program({kGlossBinary, "translate", "-m", *folder / "a", "--max-length", "14"},
                           terminal.path(), output, input);
    std::string all;
    for (const std::string line : {"a cat\n", "the dog\n"}) {
      const std::string answer = output_lines(translate(line).output).front();
      send(line);
      const auto answered = [&] {
        all += terminal.printed();
        return has(output == terminal.path() ? all : read_file(output), answer);
      };
      while (program.runs() && !answered()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    end();
    EXPECT_EQ(program.wait(), 0);
    all += terminal.printed();
    EXPECT_TRUE(has(all, "gloss translate: 2 lines")) << "the closing note remains: " << all;
    return all;
  }
  /// The same with lines from a pipe.
  std::string shown_for_pipe(const std::string& output) {
    const std::string pipe = files / "pipe";
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int own_end = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    const auto send = [&](const std::string& line) {
      EXPECT_EQ(write(own_end, line.data(), line.size()), std::ssize(line));
    };
    return shown(pipe, output, send, [&] { close(own_end); });
  }

  PseudoTerminal terminal;
  TemporaryDirectory files;
};

TEST_F(ProgressBar, IsShownIfAnswersGoToAFile) {
  EXPECT_TRUE(has(shown_for_pipe(files.write("out", "")), "2 lines, "));
}

TEST_F(ProgressBar, IsNotAmongAnswersOnATerminal) {
  const std::string all = shown_for_pipe(terminal.path());
  EXPECT_FALSE(has(all, "/s") || has(all, "\x1b[K")) << all;
}

TEST_F(ProgressBar, IsNotAmongTypedText) {
  const auto type = [&](const std::string& line) { terminal.type_line(line); };
  const std::string all = shown(terminal.path(), terminal.path(), type, [&] { terminal.type(""); });
  EXPECT_FALSE(has(all, "/s") || has(all, "\x1b[K")) << all;
}

// As under `gloss translate | head -n 2`.
TEST_F(ProgressBar, IsRemovedWhenNobodyReadsTheAnswers) {
  const std::string input = files / "input", output = files / "output";
  EXPECT_EQ(mkfifo(input.c_str(), 0600), 0);
  EXPECT_EQ(mkfifo(output.c_str(), 0600), 0);
  const int lines = open(input.c_str(), O_RDWR | O_CLOEXEC);
  const int answers = open(output.c_str(), O_RDWR | O_CLOEXEC);
  StartedProgram program({kGlossBinary, "translate", "-m", *folder / "a", "--max-length", "14"},
                         terminal.path(), output, input);
  std::string all;
  for (int i = 0; i < 200 && program.runs() && !has(all, "/s"); ++i) {
    EXPECT_EQ(write(lines, "a cat\n", 6), 6);
    std::string answer(1000, ' ');
    EXPECT_GT(read(answers, answer.data(), answer.size()), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    all += terminal.printed();
  }
  EXPECT_TRUE(has(all, "/s")) << all;
  close(answers);
  EXPECT_EQ(write(lines, "a cat\n", 6), 6);
  close(lines);
  EXPECT_EQ(program.wait(), 0);
  all += terminal.printed();
  EXPECT_TRUE(all.ends_with("\r\x1b[K")) << all;
}

}  // namespace
}  // namespace gloss
