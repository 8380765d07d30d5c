// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/output.h"
#include "base/random.h"
#include "pipeline/runs/stream_report.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::vector<std::string> all_lines(TextFiles& files) {
  std::vector<std::string> lines;
  for (std::string line; files.next(line);) lines.push_back(line);
  return lines;
}

TEST(TextFiles, FilesFollowEachOtherWithoutJoiningLines) {
  const TemporaryDirectory folder;
  const std::string one = folder.write("one", "a\nb"), empty = folder.write("empty", "");
  const std::string two = folder.write("two", "\nc\n");
  TextFiles files({one, empty, two, empty});
  EXPECT_EQ(all_lines(files), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(files.place(1), one + ":1");
  EXPECT_EQ(files.place(2), one + ":2");
  EXPECT_EQ(files.place(3), two + ":1");
  EXPECT_EQ(files.place(4), two + ":2");
}

TEST(TextFiles, LongLinesAreCutAndCountedOverAllFiles) {
  const TemporaryDirectory folder;
  TextFiles files({folder.write("one", "a\nb\n"), folder.write("two", "c\n12345\n123456\n"),
                   folder.write("three", "1234567\n")},
                  4);
  EXPECT_EQ(all_lines(files), (std::vector<std::string>{"a", "b", "c", "1234", "1234", "1234"}));
  const CutLines cut = files.cut_lines();
  EXPECT_EQ(cut.count, 3);
  EXPECT_EQ(cut.limit, 4);
  EXPECT_EQ(files.place(cut.first), folder / "two:2");
}

TEST(TextFiles, AMissingFileIsAnErrorBeforeAnyIsRead) {
  const TemporaryDirectory folder;
  const std::string one = folder.write("one", "a\n");
  EXPECT_THROW(TextFiles({one, folder / "missing"}), InputError);
  EXPECT_THROW(TextFiles({one, folder.path()}), InputError);
  EXPECT_THROW(TextFiles({"-", one, "-"}), UsageError);
}

// From it follow percent and time left.
TEST(TextFiles, KnowTheShareOfTheirTextThatWasRead) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "nine byte\n";
  TextFiles files({folder.write("a", text), folder.write("b", text)});
  EXPECT_LT(files.share(0), 0) << "nothing was read";
  std::string line;
  for (int i = 0; i < 75; ++i) ASSERT_TRUE(files.next(line));
  EXPECT_NEAR(files.share(75), 0.75, 1e-9);
  EXPECT_NEAR(files.share(60), 0.60, 1e-9) << "lines that are read but not answered do not count";
  HeardListener listener;
  StreamReport report(files, listener);
  report.advance(60);
  EXPECT_NEAR(listener.latest.share, 0.6, 1e-9);
  EXPECT_GE(listener.latest.seconds_left, 0);
}

TEST(TextFiles, KnowTheShareOfPackedText) {
  const TemporaryDirectory folder;
  std::string text, line;
  Random random(3);
  for (int i = 0; i < 60'000; ++i) text += std::to_string(random.below(1'000'000'000)) + "\n";
  const std::string plain = folder.write("plain", text);
  for (const std::string name : {"a.gz", "a.zst", "a.xz", "a.bz2"}) {
    Output packed(folder / name);
    packed.write(text);
    packed.close();
    TextFiles files({folder / name, plain});
    for (int i = 0; i < 30'000; ++i) ASSERT_TRUE(files.next(line));
    const double share = files.share(30'000);
    EXPECT_GT(share, 0.02) << name;
    EXPECT_LT(share, 0.5) << name;
    for (int i = 0; i < 60'000; ++i) ASSERT_TRUE(files.next(line));
    EXPECT_GT(files.share(90'000), share) << name;
    EXPECT_LT(files.share(90'000), 0.9) << name;
    for (int i = 0; i < 30'000; ++i) ASSERT_TRUE(files.next(line));
    EXPECT_NEAR(files.share(120'000), 1, 0.01) << name;
  }
}

TEST(TextFiles, KnowTheShareOfRedirectedInput) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "nine byte\n";
  const int file = open(folder.write("text", text).c_str(), O_RDONLY), before = dup(STDIN_FILENO);
  ASSERT_EQ(lseek(file, 1000, SEEK_SET), 1000) << "of which another program has read half";
  ASSERT_EQ(dup2(file, STDIN_FILENO), STDIN_FILENO);
  {
    TextFiles files({"-"});
    std::string line;
    for (int i = 0; i < 25; ++i) ASSERT_TRUE(files.next(line));
    EXPECT_NEAR(files.share(25), 0.25, 1e-9);
  }
  dup2(before, STDIN_FILENO);
  close(before);
  close(file);
}

TEST(TextFiles, LinesBeforeAPipeDoNotWaitForIt) {
  const TemporaryDirectory folder;
  const std::string pipe = folder / "pipe", one = folder.write("one", "a\nb\n");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  TextFiles files({one, pipe, one});
  std::string line;
  for (const std::string expected : {"a", "b"}) {
    EXPECT_TRUE(files.available({}));
    ASSERT_TRUE(files.next(line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(files.available({})) << "nobody writes into the pipe yet";
  std::thread writer([&] { std::ofstream(pipe) << "c\nd"; });
  EXPECT_EQ(all_lines(files), (std::vector<std::string>{"c", "d", "a", "b"}));
  writer.join();
  EXPECT_TRUE(files.available({})) << "the end is known";
  EXPECT_EQ(files.place(4), pipe + ":2");
  EXPECT_EQ(files.place(5), one + ":1");
}

}  // namespace
}  // namespace gloss
