// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/answer_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// A run that was killed while it completed its output and its report.
class KilledAtTheEnd : public testing::Test {
 protected:
  RunSettings settings(bool resume) const {
    return {.output = folder / "out",
            .further = {{"report", folder / "report"}},
            .resume = resume,
            .identity = {{"x", 1}}};
  }
  /// Leaves the files of a run that is about to give them their names.
  void run_to_the_end() {
    {
      AnswerRun run(settings(false));
      run.output().write("one\ntwo\n");
      run.further(0)->write("2\n");
      run.written(2, "sum");
    }
    RunJournal journal(folder / "out");
    journal.begin({{"x", 1}});
    journal.add({2, {8, checksum("one\ntwo\n")}, "sum", {{2, checksum("2\n")}}, true});
    ASSERT_TRUE(fs::exists(folder / "out.partial") && fs::exists(folder / "report.partial"));
  }
  void expect_complete() const {
    EXPECT_EQ(folder.read("out"), "one\ntwo\n");
    EXPECT_EQ(folder.read("report"), "2\n");
    for (const char* const rest : {"out.partial", "report.partial", "out.partial.run"}) {
      EXPECT_FALSE(fs::exists(folder / rest)) << rest;
    }
  }
  TemporaryDirectory folder;
};

TEST_F(KilledAtTheEnd, BeforeTheFirstNameIsContinued) {
  run_to_the_end();
  AnswerRun run(settings(true));
  EXPECT_FALSE(run.ended_unsaid());
  EXPECT_EQ(run.done(), 2);
  run.close();
  expect_complete();
}

TEST_F(KilledAtTheEnd, BetweenBothNamesIsCompleted) {
  run_to_the_end();
  fs::rename(folder / "out.partial", folder / "out");
  const AnswerRun run(settings(true));
  EXPECT_TRUE(run.ended_unsaid() && run.finished());
  EXPECT_EQ(run.items(), 2);
  expect_complete();
}

TEST_F(KilledAtTheEnd, BeforeTheRecordIsRemovedIsComplete) {
  run_to_the_end();
  fs::rename(folder / "out.partial", folder / "out");
  fs::rename(folder / "report.partial", folder / "report");
  const AnswerRun run(settings(true));
  EXPECT_TRUE(run.ended_unsaid());
  expect_complete();
}

TEST_F(KilledAtTheEnd, OutputsThatChangedSinceAreNotTakenForComplete) {
  run_to_the_end();
  fs::remove(folder / "out.partial");
  folder.write("out", "another\n\n");
  EXPECT_THROW(AnswerRun{settings(true)}, InputError);
  RunSettings other = settings(true);
  other.identity = {{"x", 2}};
  fs::remove(folder / "out.partial");
  folder.write("out", "one\ntwo\n");
  EXPECT_THROW(AnswerRun{other}, InputError);
}

TEST_F(KilledAtTheEnd, TheEndIsNotedBeforeTheFirstName) {
  {
    AnswerRun run(settings(false));
    run.output().write("one\ntwo\n");
    run.further(0)->write("2\n");
    run.written(1, "sum of one");
    run.written(2, "sum");
    fs::create_directory(folder / "out");  // the output cannot get its name
    folder.write("out/file", "");
    EXPECT_THROW(run.close(), Error);
  }
  const RunJournal journal(folder / "out");
  const auto noted = journal.completed({{"x", 1}});
  ASSERT_TRUE(noted.has_value());
  EXPECT_EQ(noted->items, 2);
  EXPECT_EQ(noted->output.bytes, 8);
  EXPECT_EQ(noted->further.at(0).bytes, 2);
  EXPECT_EQ(noted->input_sum, "sum");
  EXPECT_FALSE(journal.completed({{"x", 2}}).has_value());
}

}  // namespace
}  // namespace gloss
