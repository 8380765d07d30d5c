// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_shard.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/output.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/reading/text_files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A line with its number and place, as the whole text has it.
struct ReadLine {
  std::int64_t number;
  std::string place, text;
  bool operator==(const ReadLine&) const = default;
};

std::ostream& operator<<(std::ostream& out, const ReadLine& line) {
  return out << line.number << " " << line.place << " '" << line.text << "'";
}

std::vector<ReadLine> read(const std::vector<std::string>& paths, const Shard& shard = {},
                           std::int64_t longest = kLongestLine) {
  TextFiles files(paths, longest, shard);
  std::vector<ReadLine> lines;
  std::int64_t count = 0;
  for (std::string line; files.next(line); ++count)
    lines.push_back({files.items_before() + count, files.place(count + 1), line});
  return lines;
}

std::vector<ReadLine> read_all_shards(const std::vector<std::string>& paths, int count,
                                      std::int64_t longest = kLongestLine) {
  std::vector<ReadLine> all;
  nlohmann::json end = 0;
  for (int number = 1; number <= count; ++number) {
    const std::vector<ReadLine> lines = read(paths, {number, count}, longest);
    all.insert(all.end(), lines.begin(), lines.end());
    const nlohmann::json range = TextShard(paths, {number, count}).range();
    EXPECT_EQ(range.at("begin"), end);
    end = range.at("end");
    if (number == count) {
      EXPECT_EQ(end, range.at("total"));
    }
  }
  return all;
}

/// Lines of random lengths, many of them empty, with or without an end of the last one.
std::string random_text(Random& random) {
  constexpr std::uint64_t kLines = 40, kLength = 9;
  std::string text;
  for (std::uint64_t line = random.below(kLines); line > 0; --line) {
    text += std::string(random.below(kLength), static_cast<char>('a' + random.below(26)));
    text += random.below(8) == 0 ? "\r\n" : "\n";
  }
  if (!text.empty() && random.below(2) == 0) text.pop_back();
  return text;
}

#ifdef GLOSS_SANITIZED
constexpr int kTrials = 8;
#else
constexpr int kTrials = 60;
#endif

TEST(TextShards, HaveTheLinesOfTheTextOnce) {
  const TemporaryDirectory folder;
  Random random(5);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::string> paths;
    for (std::uint64_t file = 0; file <= random.below(3); ++file)
      paths.push_back(folder.write(std::to_string(file), random_text(random)));
    if (trial % 4 == 0) paths.push_back(paths.front());
    for (const int count : {1, 2, 3, 7, 50}) {
      EXPECT_EQ(read_all_shards(paths, count), read(paths))
          << "trial " << trial << ", " << count << " shards";
    }
  }
}

TEST(TextShards, KeepMarksAndCutLinesAsTheyAre) {
  const TemporaryDirectory folder;
  const std::string mark = "\xEF\xBB\xBF";
  const std::string text = mark + "one\n" + mark + "two\n" + std::string(50, 'x') + "\n" + mark + "four";
  const std::vector<std::string> paths{folder.write("text", text)};
  for (const int count : {2, 3, 5, 9})
    EXPECT_EQ(read_all_shards(paths, count, 10), read(paths, {}, 10)) << count;
}

TEST(TextShards, DivideCompressedTextByLines) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 100; ++i) text += concat("line ", i, "\n");
  Output packed(folder / "text.gz");
  packed.write(text);
  packed.close();
  const std::vector<std::string> paths{folder.write("plain", "first\nsecond"), folder / "text.gz"};
  for (const int count : {2, 3, 102, 200}) EXPECT_EQ(read_all_shards(paths, count), read(paths)) << count;
  EXPECT_EQ(TextShard(paths, {1, 2}).range().at("unit"), "lines");
  EXPECT_EQ(read(paths, {2, 2}).size(), 51u);
}

TEST(TextShards, NeedFiles) { EXPECT_THROW(TextShard({"-"}, {1, 2}), UsageError); }

/// Rank 2 of 3; the others have counted 5 and 7 lines.
class ThirdRank : public SingleRank {
 public:
  int rank() const override { return 2; }
  int size() const override { return 3; }
  std::vector<std::string> gather(const std::string& own) override { return {"5", "7", own}; }
};

TEST(TextShards, RanksCountTheLinesOfTheirShardsOnly) {
  const TemporaryDirectory folder;
  const std::string text = folder.write("text", "a\nb\nc\nd\ne\nf\n");
  ThirdRank ranks;
  const TextShard shard({text}, {3, 3});
  shard.count_together(ranks);
  EXPECT_EQ(shard.lines_before(), 12);
  EXPECT_EQ(shard.lines_before_in_file(shard.parts().front()), 12);
  const TextShard by_lines({text}, {3, 3}, TextUnit::lines);
  by_lines.count_together(ranks);
  EXPECT_EQ(by_lines.lines_before(), 4) << "counted already";
}

}  // namespace
}  // namespace gloss
