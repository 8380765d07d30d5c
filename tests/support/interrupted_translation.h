// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// Expects the exit status and a message that contains `part`.
inline void expect_failure(const ProgramResult& result, int status, const std::string& part) {
  EXPECT_EQ(result.status, status) << result.errors;
  EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
}

/// `gloss translate` with an untrained model, of a text that takes a second or two.
struct InterruptedTranslation : testing::Test {
  InterruptedTranslation() {
    const Subwords vocabulary = small_vocabulary(330, true);
    std::filesystem::create_directory(folder / "model");
    write_untrained_model(folder / "model", vocabulary, vocabulary);
    std::string text;
    for (int i = 0; i < 6000; ++i) text += concat(i % 9 == 0 ? "" : concat("the small dog ", i), "\n");
    input = folder.write("text", text);
  }
  std::vector<std::string> command(const std::vector<std::string>& options, const std::string& output) const {
    std::vector<std::string> words{kGlossBinary, "translate", "-m", folder / "model", "--max-length", "12",
                                   "-i",         input,       "-o", folder / output};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  ProgramResult translate(const std::vector<std::string>& options, const std::string& output) const {
    return run_program(command(options, output), "");
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }
  std::uintmax_t size(const std::string& name) const {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(folder / name, error);
    return error ? 0 : bytes;
  }
  /// Waits until the output has more than `bytes` bytes or the program has ended.
  void wait_for(StartedProgram& program, const std::string& output, std::uintmax_t bytes) const {
    while (program.runs() && size(output + ".partial") <= bytes) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  std::ptrdiff_t lines_in(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  }
  /// Runs until the output has finished lines, and ends it by a signal. Again if it was complete before.
  void interrupt(const std::vector<std::string>& words, int signal = SIGKILL) const {
    for (int attempt = 0; attempt < 20; ++attempt) {
      StartedProgram program(words, folder / "errors");
      // The journal comes after the lines: its second line says that some are finished.
      while (program.runs() && lines_in("part.partial.run") < 2) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      program.send(signal);
      if (program.wait() == 128 + signal) return;
      std::filesystem::remove(folder / "part");
    }
    FAIL() << "all runs were complete before they could be interrupted";
  }

  TemporaryDirectory folder;
  std::string input;
};

}  // namespace gloss
