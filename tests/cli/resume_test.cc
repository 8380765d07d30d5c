// SPDX-License-Identifier: Apache-2.0
// Runs that are stopped or killed, and continued.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/random.h"
#include "base/text.h"
#include "tests/support/another_build.h"
#include "tests/support/has.h"
#include "tests/support/interrupted_translation.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

using Resume = InterruptedTranslation;

TEST_F(Resume, AStoppedRunSaysHowToContinueAndGivesTheSameBytes) {
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  EXPECT_FALSE(exists("whole.partial") || exists("whole.partial.run"));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    interrupt(command({}, "part"), signal);
    const std::string errors = folder.read("errors");
    EXPECT_NE(errors.find("--resume"), std::string::npos) << errors;
    EXPECT_LT(errors.find("Ctrl-C again"), errors.find("stopped after")) << errors;
    EXPECT_FALSE(exists("part"));
    const std::string text = folder.read("part.partial");
    EXPECT_TRUE(text.ends_with('\n'));
    EXPECT_TRUE(folder.read("whole").starts_with(text));
    expect_failure(translate({}, "part"), 2, "part.partial");
    EXPECT_EQ(folder.read("part.partial"), text);
    const ProgramResult continued = translate({"--resume", "--batch-size", "7", "--threads", "1"}, "part");
    EXPECT_EQ(continued.status, 0) << continued.errors;
    EXPECT_NE(continued.errors.find("by an earlier run"), std::string::npos) << continued.errors;
    EXPECT_EQ(folder.read("part"), folder.read("whole"));
    EXPECT_FALSE(exists("part.partial") || exists("part.partial.run"));
    fs::remove(folder / "part");
  }
}

TEST_F(Resume, KilledRunsLoseNothingAndGiveTheSameBytes) {
  const std::vector<std::vector<std::string>> all{
      {"--n-best", "3"}, {"--format", "json"}, {"--sample", "--seed", "3"}, {"--format", "paragraphs"}};
  Random random(7);
  for (const std::vector<std::string>& options : all) {
    ASSERT_EQ(translate(options, "whole").status, 0);
    std::vector<std::string> again = options;
    again.emplace_back("--resume");
    std::uintmax_t kept = 0;
    for (int kill = 0; kill < 4; ++kill) {
      StartedProgram program(command(again, "part"), folder / "errors");
      wait_for(program, "part", kept);
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(150)));
      program.send(SIGKILL);
      program.wait();
      if (exists("part")) break;
      EXPECT_GE(size("part.partial"), kept);
      kept = size("part.partial");
    }
    EXPECT_EQ(translate(again, "part").status, 0);
    EXPECT_EQ(folder.read("part"), folder.read("whole")) << options.front();
    fs::remove(folder / "part");
  }
}

/// The number before `word` in a message; 0 if there is none.
std::int64_t number_before(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(" " + word);
  if (at == std::string::npos) return 0;
  std::int64_t number = 0;
  const std::size_t begin = text.find_last_not_of("0123456789", at - 1) + 1;
  EXPECT_TRUE(parse_number(text.substr(begin, at - begin), number)) << text;
  return number;
}

TEST_F(Resume, RepeatedLinesAreCountedFromWhereTheRunContinues) {
  constexpr int kLines = 6000, kDistinct = 1500;
  std::string text;
  for (int i = 0; i < kLines; ++i) text += concat("the small dog ", i % kDistinct, ".\n");
  folder.write("text", text);
  const std::vector<std::vector<std::string>> all{{"--n-best", "3", "--word-scores"},
                                                  {"--format", "json", "--alignment", "soft"},
                                                  {"--split", "--protect", "number"}};
  for (const std::vector<std::string>& options : all) {
    const ProgramResult whole = translate(options, "whole");
    EXPECT_EQ(number_before(whole.errors, "repeated"), kLines - kDistinct) << whole.errors;
    interrupt(command(options, "part"));
    std::vector<std::string> again = options;
    again.insert(again.end(), {"--resume", "--batch-size", "7", "--threads", "1"});
    const ProgramResult continued = translate(again, "part");
    const std::int64_t done = number_before(continued.errors, "of them by an earlier run");
    EXPECT_GT(done, 0) << continued.errors;
    EXPECT_EQ(number_before(continued.errors, "repeated"),
              std::max<std::int64_t>(kLines - done - kDistinct, 0))
        << continued.errors;
    EXPECT_EQ(folder.read("part"), folder.read("whole"));
    fs::remove(folder / "part");
  }
}

TEST_F(Resume, AReportIsContinuedToo) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += concat("the small dog ", i, i % 3 == 0 ? ". It sees." : "", "\n");
  folder.write("text", text);
  ASSERT_EQ(translate({"--report", folder / "whole.report"}, "whole").status, 0);
  const std::vector<std::string> options{"--report", folder / "report"};
  interrupt(command(options, "part"));
  std::ofstream(folder / "part.partial", std::ios::app) << "half a li";
  std::ofstream(folder / "report.partial", std::ios::app) << "17\tsevera";
  EXPECT_FALSE(exists("report"));
  expect_failure(translate({"--report", folder / "other", "--resume"}, "part"), 3, "report was");
  EXPECT_FALSE(exists("other") || exists("other.partial"));
  expect_failure(translate({"--resume"}, "part"), 3, "report was");
  expect_failure(translate(options, "part"), 2, "part.partial");
  expect_failure(translate(options, "new"), 2, "report.partial");
  const ProgramResult continued = translate({"--report", folder / "report", "--resume"}, "part");
  EXPECT_EQ(continued.status, 0) << continued.errors;
  EXPECT_NE(continued.errors.find("by an earlier run"), std::string::npos) << continued.errors;
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
  EXPECT_EQ(folder.read("report"), folder.read("whole.report"));
  EXPECT_NE(folder.read("report").find("5998\tseveral-sentences\t2\n"), std::string::npos);
  EXPECT_FALSE(exists("report.partial") || exists("part.partial"));
  expect_failure(translate({"--report", folder / "report.gz", "--resume"}, "part"), 2, "report.gz");
}

TEST_F(Resume, AReportIsAnotherFileThanTheOutput) {
  for (const std::string name : {"part", "./part", "./part.partial", "model/../part"}) {
    expect_failure(translate({"--report", folder / name}, "part"), 2, "--report");
    EXPECT_FALSE(exists("part") || exists("part.partial"));
  }
}

TEST_F(Resume, WhatIsNotWholeIsCutOff) {
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  interrupt(command({}, "part"));
  std::ofstream(folder / "part.partial", std::ios::app) << "half a li";
  std::ofstream(folder / "part.partial.run", std::ios::app) << "{\"items\":59";
  EXPECT_EQ(translate({"--resume", "-q"}, "part").status, 0);
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
}

TEST_F(Resume, RefusesAnotherModelInputOrSetting) {
  const Subwords vocabulary = small_vocabulary(330, true);
  interrupt(command({}, "part"));
  const std::string partial = folder.read("part.partial");
  expect_failure(translate({"--resume", "--beam-size", "2"}, "part"), 3, "--beam-size was 5 and is 2");
  const std::string text = folder.read("text");
  folder.write("text", "another " + text);
  expect_failure(translate({"--resume"}, "part"), 3, "first");
  folder.write("text", "short\n");
  expect_failure(translate({"--resume"}, "part"), 3, "only 1");
  folder.write("text", text);
  fs::rename(folder / "model", folder / "kept");
  fs::create_directory(folder / "model");
  write_untrained_model(folder / "model", vocabulary, vocabulary, 4);
  expect_failure(translate({"--resume"}, "part"), 3, "models");
  EXPECT_EQ(folder.read("part.partial"), partial);
  folder.write("part.partial.run", "{}\n");
  expect_failure(translate({"--resume"}, "part"), 3, "part.partial.run:1");
}

TEST_F(Resume, RefusesAnotherBuildOfTheProgram) {
  interrupt(command({}, "part"));
  const std::string partial = folder.read("part.partial"), copy = folder / "copy", other = folder / "other";
  write_another_build(other);
  std::vector<std::string> again = command({"--resume", "-q"}, "part");
  again.front() = other;
  expect_failure(run_program(again), 3, "build of the program was");
  EXPECT_EQ(folder.read("part.partial"), partial);
  // A copy, such as one installed on another machine, continues it.
  fs::copy_file(kGlossBinary, copy);
  again.front() = copy;
  const ProgramResult continued = run_program(again);
  EXPECT_EQ(continued.status, 0) << continued.errors;
  EXPECT_TRUE(folder.read("part").starts_with(partial));
}

TEST_F(Resume, RefusesAnOutputOrReportThatWasChanged) {
  const std::vector<std::string> options{"--report", folder / "report"};
  std::vector<std::string> again = options;
  again.insert(again.end(), {"--resume", "-q"});
  interrupt(command(options, "part"));
  for (const std::string name : {"part.partial", "report.partial"}) {
    const std::string text = folder.read(name), record = folder.read("part.partial.run");
    std::string changed = text;
    ASSERT_FALSE(changed.empty()) << name;
    changed.front() ^= 1;
    folder.write(name, changed);
    expect_failure(translate(again, "part"), 3, name + " was changed");
    EXPECT_EQ(folder.read(name), changed);
    EXPECT_EQ(folder.read("part.partial.run"), record);
    folder.write(name, text);
  }
  EXPECT_EQ(translate(again, "part").status, 0);
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
}

TEST_F(Resume, SaysThatACompleteOutputIsMadeAnew) {
  const ProgramResult first = translate({"--resume"}, "whole");
  EXPECT_FALSE(has(first.errors, "anew")) << first.errors;
  const std::string text = folder.read("whole");
  const ProgramResult again = translate({"--resume"}, "whole");
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(has(again.errors, "whole is replaced")) << again.errors;
  EXPECT_EQ(folder.read("whole"), text);
}

TEST_F(Resume, NeverRemovesAFileOfAnotherProgram) {
  folder.write("out.partial", "precious");
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--resume"}}) {
    expect_failure(translate(options, "out"), 2, "out.partial exists");
    EXPECT_EQ(folder.read("out.partial"), "precious");
    EXPECT_FALSE(exists("out") || exists("out.partial.run"));
  }
}

TEST_F(Resume, NamesAnOutputThatDoesNotFitItsRecord) {
  interrupt(command({}, "part"));
  const std::string lines = folder.read("part.partial"), record = folder.read("part.partial.run");
  folder.write("part.partial", lines.substr(0, 10));
  expect_failure(translate({"--resume"}, "part"), 3, "now has 10");
  EXPECT_EQ(folder.read("part.partial"), lines.substr(0, 10));
  EXPECT_EQ(folder.read("part.partial.run"), record);
  fs::remove(folder / "part.partial");
  expect_failure(translate({"--resume"}, "part"), 3, "now has 0");
  folder.write("part.partial", lines);
  folder.write("part.partial.run", "");
  expect_failure(translate({"--resume"}, "part"), 3, "part.partial.run");
  EXPECT_EQ(folder.read("part.partial"), lines);
  folder.write("part.partial.run", record);
  EXPECT_EQ(translate({"--resume", "-q"}, "part").status, 0);
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
}

TEST_F(Resume, StartsWhereNothingIsUnfinished) {
  folder.write("text", "the small dog\n");
  EXPECT_EQ(translate({"--resume", "-q"}, "out").status, 0);
  const std::string first = folder.read("out");
  EXPECT_EQ(translate({"--resume", "-q"}, "out").status, 0);
  EXPECT_EQ(folder.read("out"), first);
  folder.write("text", "");
  EXPECT_EQ(translate({"--resume", "-q"}, "empty").status, 0);
  EXPECT_EQ(folder.read("empty"), "");
}

TEST_F(Resume, AFailureBeforeTheFirstLinesLeavesNothingToContinue) {
  folder.write("text", "one\ttwo\tthree\n");
  for (int run = 0; run < 2; ++run) {
    expect_failure(
        run_program({kGlossBinary, "score", "-m", folder / "model", "--tsv", input, "-o", folder / "out"},
                    ""),
        3, "text:1");
    expect_failure(translate({"--max-line-bytes", "4", "--beam-size", "100000"}, "out"), 2, "beam");
    EXPECT_FALSE(exists("out") || exists("out.partial.run"));
  }
}

TEST_F(Resume, AfterASignalBeforeTheFirstLinesTheSameCommandStarts) {
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  fs::rename(folder / "text", folder / "kept");
  ASSERT_EQ(mkfifo((folder / "text").c_str(), 0600), 0);
  const int open_end = open((folder / "text").c_str(), O_RDWR | O_CLOEXEC);  // nobody writes
  StartedProgram program(command({}, "part"), folder / "errors");
  while (program.runs() && !exists("part.partial.run"))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait(), 128 + SIGTERM);
  EXPECT_EQ(folder.read("errors"), "");
  close(open_end);
  fs::rename(folder / "kept", folder / "text");
  const ProgramResult again = translate({"-q"}, "part");
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
  EXPECT_FALSE(exists("part.partial") || exists("part.partial.run"));
}

TEST_F(Resume, NeedsAFileWithoutCompression) {
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "model", "--resume"}, "a\n"), 2,
                 "standard output");
  expect_failure(translate({"--resume"}, "out.gz"), 2, "out.gz");
  expect_failure(run_program({kGlossBinary, "embed", "-m", folder / "model", "-i", input, "-o",
                              folder / "v.npy", "--format", "npy", "--resume"},
                             ""),
                 2, "--resume");
  EXPECT_FALSE(exists("v.npy.partial"));
}

TEST_F(Resume, HoldsForOtherCommands) {
  const std::vector<std::string> embed{kGlossBinary, "embed", "-m", folder / "model", "-i", input};
  const auto with = [&](const std::string& output) {
    std::vector<std::string> words = embed;
    words.insert(words.end(), {"-o", folder / output, "--resume"});
    return words;
  };
  ASSERT_EQ(run_program(with("whole"), "").status, 0);
  interrupt(with("part"));
  EXPECT_EQ(run_program(with("part"), "").status, 0);
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
}

TEST_F(Resume, SaysThatNothingIsLeft) {
  const std::string text = folder.read("text");
  std::filesystem::create_directory(folder / "lm");
  write_untrained_language_model(folder / "lm", small_vocabulary(330, true), 5);
  const std::vector<std::string> score{
      kGlossBinary, "score", "-m", folder / "lm", "--input", input, "-o", folder / "part", "--resume"};
  for (const std::vector<std::string>& words : {score, command({"--resume"}, "part")}) {
    folder.write("text", text);
    interrupt(words, SIGINT);
    // The interrupted run has answered all lines of a shorter text.
    const std::vector<std::string> lines = split(text, '\n'),
                                   answers = split(folder.read("part.partial"), '\n');
    folder.write("text", join({lines.begin(), lines.begin() + std::ssize(answers) - 1}, "\n") + "\n");
    const ProgramResult result = run_program(words, "");
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_NE(result.errors.find("nothing left"), std::string::npos) << result.errors;
    EXPECT_EQ(result.errors.find("perplexity"), std::string::npos) << result.errors;
    fs::remove(folder / "part");
  }
}

}  // namespace
}  // namespace gloss
