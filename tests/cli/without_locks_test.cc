// SPDX-License-Identifier: Apache-2.0
// Commands on file systems without file locks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "tests/cli/train_command.h"
#include "tests/support/failure.h"
#include "tests/support/has.h"
#include "tests/support/line_models.h"
#include "tests/support/mpirun.h"
#include "tests/support/no_file_locks.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The same command without file locks.
Words without_locks(const Words& command) {
  Words words{"/usr/bin/env", concat("LD_PRELOAD=", kNoFileLocks), "ASAN_OPTIONS=verify_asan_link_order=0"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

/// The lock file of a process on another machine.
constexpr const char* kForeign = "node7 4711 123 other-boot/pid:[1]\n";

/// `gloss translate -o out` with an untrained model, of lines that may come through a pipe.
struct PipedTranslation : testing::Test {
  PipedTranslation() { write_line_models(folder); }
  Words command(const std::string& input, const Words& more = {}) const {
    Words words{kGlossBinary, "translate", "-m", folder / "model", "--max-length", "9",
                "-i",         input,       "-o", folder / "out"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Makes a pipe, whose reader waits until the descriptor is closed.
  int feed(const std::string& name) const {
    EXPECT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    return open((folder / name).c_str(), O_RDWR | O_CLOEXEC);
  }
  static void write_lines(int pipe, const std::string& lines = kLines) {
    EXPECT_EQ(write(pipe, lines.data(), lines.size()), std::ssize(lines));
  }
  /// Waits until a run has noted that lines are finished.
  void wait_for_answers(StartedProgram& program) const {
    const auto noted = [&] { return occurrences(folder.read("out.partial.run"), "\n") > 1; };
    while (program.runs() && !noted()) usleep(2000);
    ASSERT_TRUE(program.runs()) << folder.read("errors");
  }
  /// The output and what is beside it.
  Words beside_output() const {
    Words names = names_in(folder.path());
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("out"); });
    std::ranges::sort(names);
    return names;
  }

  static inline const std::string kLines = "the small dog\nsees a house\n\nthe dog walks home\n";
  TemporaryDirectory folder;
  const std::string text = folder.write("text", kLines);
};

struct TranslationWithoutLocks : PipedTranslation {
  ProgramResult translate(const Words& options = {}) const {
    return run_program(without_locks(command(text, options)));
  }
  /// The output of a run with locks.
  std::string whole() const {
    EXPECT_EQ(run_program(command(text)).status, 0);
    const std::string bytes = folder.read("out");
    fs::remove(folder / "out");
    return bytes;
  }
  const std::string lock = folder / "out.gloss-lock.partial";
};

TEST_F(TranslationWithoutLocks, ASecondRunIsRefusedAndTheFirstGivesTheSameBytes) {
  const std::string expected = whole();
  int input = feed("pipe");
  StartedProgram first(without_locks(command(folder / "pipe")), folder / "errors");
  write_lines(input);
  wait_for_answers(first);
  for (const Words& options : {Words{}, Words{"--resume"}}) {
    expect_failure(translate(options), 1, {concat("process ", first.process()), lock});
  }
  close(input);
  EXPECT_EQ(first.wait(), 0) << folder.read("errors");
  EXPECT_EQ(folder.read("out"), expected);
  EXPECT_EQ(beside_output(), Words{"out"});
}

TEST_F(TranslationWithoutLocks, AKilledRunIsContinuedAndAStoppedOneLeavesNoLock) {
  const std::string expected = whole();
  for (const int signal : {SIGKILL, SIGTERM}) {
    const std::string pipe = concat("pipe", signal);
    const int input = feed(pipe);
    StartedProgram program(without_locks(command(folder / pipe, {"--resume"})), folder / "errors");
    write_lines(input);
    wait_for_answers(program);
    while (program.runs() && !has(folder.read("out.gloss-lock.partial"), concat(" ", program.process(), " ")))
      usleep(2000);
    program.send(signal);
    EXPECT_EQ(program.wait(), 128 + signal) << folder.read("errors");
    close(input);
    EXPECT_EQ(fs::exists(lock), signal == SIGKILL);
  }
  const ProgramResult last = translate({"--resume"});
  EXPECT_EQ(last.status, 0) << last.errors;
  EXPECT_EQ(folder.read("out"), expected);
  EXPECT_EQ(beside_output(), Words{"out"});
}

TEST_F(TranslationWithoutLocks, TheRunOfAnotherMachineIsNotDisturbed) {
  folder.write("out.gloss-lock.partial", kForeign);
  expect_failure(translate(), 1, {"4711", "node7", lock});
  EXPECT_EQ(folder.read("out.gloss-lock.partial"), kForeign);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(TranslationWithoutLocks, DirectoriesAreForOneCommandToo) {
  const Words quantize =
      without_locks({kGlossBinary, "quantize", "-m", folder / "model", "-o", folder / "out"});
  fs::create_directory(folder / "out");
  const std::string inside = folder.write("out/.gloss-lock.partial", kForeign);
  expect_failure(run_program(quantize), 1, {"4711", "node7", inside});
  EXPECT_FALSE(fs::exists(folder / "out/config.json"));
  fs::remove(inside);
  const ProgramResult result = run_program(quantize);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(fs::exists(folder / "out/config.json"));
  EXPECT_FALSE(fs::exists(inside));
  EXPECT_EQ(beside_output(), Words{"out"});
}

TEST_F(TrainCommand, OneTrainingAtATimeWithoutFileLocks) {
  const std::string lock = folder / "run/.gloss-lock.partial";
  StartedProgram first(without_locks(command("run", {"--max-updates", "1000000"})), folder / "errors");
  while (first.runs() && !fs::exists(folder / "run/train.log.jsonl")) usleep(5000);
  ASSERT_TRUE(first.runs()) << folder.read("errors");
  const ProgramResult second = run_program(without_locks(command("run")));
  gloss::expect_failure(second, 1, Words{concat("process ", first.process()), lock});
  first.send(SIGKILL);
  EXPECT_EQ(first.wait(), 128 + SIGKILL);
  EXPECT_TRUE(fs::exists(lock));
  const ProgramResult next = run_program(without_locks(command("run", {"--fresh", "--max-updates", "2"})));
  EXPECT_EQ(next.status, 0) << next.errors;
  EXPECT_FALSE(fs::exists(lock));
}

TEST_F(TrainCommand, ASignalBeforeTheFirstUpdateLeavesNoLockFile) {
  fs::remove(folder / "train.en");
  ASSERT_EQ(mkfifo((folder / "train.en").c_str(), 0600), 0);
  StartedProgram waiting(without_locks(command("runs/new")), folder / "errors");
  while (waiting.runs() && !fs::exists(folder / "runs/new/.gloss-lock.partial")) usleep(5000);
  while (waiting.runs() && access((folder / "runs/new/.lock").c_str(), F_OK) != 0) usleep(5000);
  int text = -1;
  while (waiting.runs() && (text = open((folder / "train.en").c_str(), O_WRONLY | O_NONBLOCK)) < 0)
    usleep(5000);
  waiting.send(SIGTERM);
  EXPECT_EQ(waiting.wait(), 128 + SIGTERM) << folder.read("errors");
  close(text);
  EXPECT_EQ(names_in(folder / "runs/new"), Words{".lock"});
}

// The name of the unfinished file goes to a second run while the first lives.
TEST_F(PipedTranslation, AnOutputIsThatOfNoOtherRun) {
  ASSERT_EQ(run_program(command(text)).status, 0);
  const std::string expected = folder.read("out");
  fs::remove(folder / "out");
  const int input = feed("pipe"), other_input = feed("other");
  StartedProgram first(command(folder / "pipe"), folder / "errors");
  write_lines(input);
  wait_for_answers(first);
  for (const std::string& name : beside_output()) fs::remove(folder / name);
  StartedProgram second(command(folder / "other"), folder / "errors2");
  write_lines(other_input, "the dog\n");
  wait_for_answers(second);
  close(input);
  EXPECT_EQ(first.wait(), 1);
  EXPECT_TRUE(has(folder.read("errors"), folder / "out.partial")) << folder.read("errors");
  EXPECT_TRUE(has(folder.read("errors"), folder / "out.rescued")) << folder.read("errors");
  EXPECT_EQ(folder.read("out.rescued"), expected);
  EXPECT_FALSE(fs::exists(folder / "out"));
  EXPECT_TRUE(fs::exists(folder / "out.partial.run")) << "the record of the second run";
  close(other_input);
  EXPECT_EQ(second.wait(), 0) << folder.read("errors2");
  EXPECT_EQ(occurrences(folder.read("out"), "\n"), 1U);
}

}  // namespace
}  // namespace gloss
