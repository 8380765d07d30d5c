// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/answer_stream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <thread>

#include "pipeline/reading/text_files.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct Echo : LineReport {
  std::string text{};
};

/// An answer that repeats its line.
std::vector<Echo> echo(std::span<const std::string> lines, std::int64_t,
                       const std::function<void(int)>& finished) {
  std::vector<Echo> answers;
  for (const std::string& line : lines) {
    answers.emplace_back().text = line;
    answers.back().read_tokens = static_cast<int>(line.size());
    answers.back().left_out = std::max(0, answers.back().read_tokens - 20);
    answers.back().replaced = std::ranges::count(line, '?');
    if (line == "impossible") answers.back().problem = "nothing can be done";
  }
  finished(static_cast<int>(lines.size()));
  return answers;
}

/// A stream of files that is copied line by line to the file "out".
struct AnswerStream : testing::Test {
  /// Returns the number of lines; calls `wrote` for each.
  std::int64_t run(
      const std::vector<std::string>& files, const std::function<void()>& wrote = [] {},
      AnswerSteps<std::string, Echo> steps = {.answer = echo, .write = nullptr}) {
    TextFiles input(files);
    Output output(folder / "out");
    StreamReport report(input, heard);
    steps.write = [&](std::int64_t number, const Echo& line) {
      EXPECT_EQ(number, report.items() - 1);
      output.line(line.text);
      wrote();
    };
    answer_stream(input, steps, output, report);
    output.close();
    return report.items();
  }
  std::string make_pipe() {
    EXPECT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    return folder / "pipe";
  }

  TemporaryDirectory folder;
  HeardListener heard;
};

std::string numbered_lines(int count) {
  std::string text;
  for (int line = 0; line < count; ++line) text += std::to_string(line % 977) + "\n";
  return text;
}

TEST_F(AnswerStream, ManyWindowsKeepTheOrder) {
  const std::string text = numbered_lines(20'000);
  std::vector<std::int64_t> windows;
  std::int64_t taken = 0;
  const auto counting = [&](auto lines, std::int64_t first, const auto& finished) {
    EXPECT_EQ(first, taken);
    windows.push_back(std::ssize(lines));
    taken += windows.back();
    return echo(lines, first, finished);
  };
  EXPECT_EQ(run({folder.write("in", text)}, [] {}, {.answer = counting, .write = nullptr}), 20'000);
  EXPECT_EQ(folder.read("out"), text);
  EXPECT_LE(windows.front(), 16) << "the first answers come soon";
  EXPECT_GE(std::ssize(windows), 3);
  EXPECT_LE(*std::ranges::max_element(windows), 8192);
}

TEST_F(AnswerStream, WindowsAnsweredAtTheSameTimeKeepTheOrder) {
  const std::string text = numbered_lines(5000);
  run({folder.write("in", text)}, [] {},
      {.answer = echo, .write = nullptr, .limits = {.items = 7}, .windows_at_once = 4});
  EXPECT_EQ(folder.read("out"), text);
}

TEST_F(AnswerStream, WindowsAreLimitedInBytes) {
  const std::string text = std::string(3 << 20, 'x') + "\n" + std::string(600'000, 'y') + "\n";
  std::size_t largest = 0;
  const auto counting = [&](auto lines, std::int64_t first, const auto& finished) {
    largest = std::max(largest, lines.size());
    return echo(lines, first, finished);
  };
  run({folder.write("in", text + text)}, [] {}, {.answer = counting, .write = nullptr});
  EXPECT_EQ(largest, 2u) << "the first line that exceeds a MiB ends the window";
}

TEST_F(AnswerStream, ASlowStreamIsAnsweredLineByLine) {
  const std::string pipe = make_pipe();
  std::mutex guard;
  std::condition_variable moved;
  int answered = 0;
  // Writes the next line only after the previous one is answered: waiting for more input would never end.
  std::thread writer([&] {
    std::ofstream out(pipe);
    for (int line = 0; line < 5; ++line) {
      out << "dog " << line << std::endl;
      std::unique_lock lock(guard);
      moved.wait(lock, [&] { return answered == line + 1; });
    }
  });
  EXPECT_EQ(run({pipe},
                [&] {
                  const std::lock_guard lock(guard);
                  ++answered;
                  moved.notify_all();
                }),
            5);
  writer.join();
}

TEST_F(AnswerStream, ASteadyStreamIsAnsweredBeforeAWindowIsFull) {
  constexpr int kWindows = 12;
  const std::string pipe = make_pipe();
  std::atomic<int> windows = 0;
  std::thread writer([&] {
    std::ofstream out(pipe);
    while (windows < kWindows) {
      out << "dog" << std::endl;
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  });
  std::size_t smallest = 64;
  const auto counting = [&](auto lines, std::int64_t number, const auto& finished) {
    if (windows++ < kWindows) smallest = std::min(smallest, lines.size());
    return echo(lines, number, finished);
  };
  run({pipe}, [] {}, {.answer = counting, .write = nullptr, .limits = {.items = 64}});
  writer.join();
  EXPECT_LT(smallest, 16u) << "lines kept arriving, each within a millisecond";
}

TEST_F(AnswerStream, AnAnswerWithAProblemEndsTheRunAfterTheLinesBeforeIt) {
  const std::string one = folder.write("one", "a\nb"), two = folder.write("two", "c\nimpossible\nd\n");
  try {
    run({one, two});
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), two + ":2: nothing can be done");
  }
  EXPECT_EQ(folder.read("out.partial"), "a\nb\nc\n");
}

TEST_F(AnswerStream, WarningsNameTheFileAndTheLineInIt) {
  const std::string one = folder.write("one", "a\n" + std::string(25, 'b'));
  const std::string two = folder.write("two", "c\n??\n?\n");
  run({one, two});
  EXPECT_NE(heard.warnings.find(one + ":2: the last 5 of 25 tokens"), std::string::npos) << heard.warnings;
  EXPECT_NE(heard.warnings.find(two + ":2: "), std::string::npos) << heard.warnings;
  EXPECT_NE(heard.warnings.find("3 times on 2 lines"), std::string::npos) << heard.warnings;
}

}  // namespace
}  // namespace gloss
