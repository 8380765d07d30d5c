// SPDX-License-Identifier: Apache-2.0
// Repeated, nearly repeated and held-out lines are removed; every line is kept or rejected.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/preparation/near_duplicates.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

struct Dedupe : testing::Test {
  ProgramResult run(Words words, const std::string& input = "") const {
    words.insert(words.begin(), {kGlossBinary, "dedupe"});
    return run_program(words, input);
  }
  /// The rows that stay of these rows, which come from a pipe.
  std::string kept(const std::string& rows, Words words = {}) const {
    words.insert(words.begin(), {"--tsv", "-"});
    const ProgramResult result = run(words, rows);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }
  /// Runs on a corpus; returns the rows of the rejected lines, split, and checks that all lines are there.
  std::vector<Words> rejected(Words words, std::size_t lines) const {
    words.insert(words.end(), {"-o", folder / "out", "--rejected", folder / "rejected"});
    const ProgramResult result = run(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<Words> rows;
    for (const std::string& line : lines_in(folder.read("rejected"))) rows.push_back(split(line, '\t'));
    EXPECT_EQ(lines_in(folder.read("out")).size() + rows.size(), lines);
    EXPECT_TRUE(has(result.errors, concat(lines)) && has(result.errors, concat(lines - rows.size(), " kept")))
        << result.errors;
    return rows;
  }
  TemporaryDirectory folder;
};

/// Rows of random words, of which some repeat or nearly repeat earlier ones.
std::string random_rows(int count) {
  Random random(7);
  const auto word = [&] {
    std::string letters;
    for (std::uint64_t i = 0; i < 3 + random.below(6); ++i)
      letters += static_cast<char>('a' + random.below(26));
    return letters;
  };
  std::vector<std::string> rows;
  std::string text;
  for (int row = 0; row < count; ++row) {
    std::string line;
    const std::uint64_t kind = rows.empty() ? 9 : random.below(10);
    if (kind < 4) line = rows[random.below(rows.size())];
    if (kind == 1) line = word() + line.substr(line.find(' '));
    if (kind == 2) line = word() + " " + line + " " + word();
    if (kind >= 4) {
      for (std::uint64_t i = 0; i < 4 + random.below(8); ++i) line += word() + " ";
      line += "\t" + word() + " " + word() + " " + word();
    }
    rows.push_back(line);
    text += line + "\n";
  }
  return text;
}

TEST_F(Dedupe, RemovesWhatHasTheSameKey) {
  const std::string rows = "a\tx\nb\ty\na\tx\na\tz\nc\ty\nA!\tX\n";
  EXPECT_EQ(kept(rows), "a\tx\nb\ty\na\tz\nc\ty\nA!\tX\n");
  EXPECT_EQ(kept(rows, {"--key", "source"}), "a\tx\nb\ty\nc\ty\nA!\tX\n");
  EXPECT_EQ(kept(rows, {"--key", "target"}), "a\tx\nb\ty\na\tz\nA!\tX\n");
  EXPECT_EQ(kept(rows, {"--key", "letters"}), "a\tx\nb\ty\na\tz\nc\ty\n");
  EXPECT_EQ(kept("1.\t1.\n2.\t2.\nPage 1\tSeite 1\nPage 2\tSeite 2\n", {"--key", "letters"}),
            "1.\t1.\n2.\t2.\nPage 1\tSeite 1\n");
}

TEST_F(Dedupe, KeepsTheLineThatTheRulePrefers) {
  const std::string rows = "one two\tx\t0.5\t4\nOne two!\tx\t0.9\t3\none two\tx\t0.1\t5\n";
  EXPECT_EQ(kept(rows, {"--key", "letters"}), "one two\tx\t0.5\t4\n");
  EXPECT_EQ(kept(rows, {"--key", "letters", "--keep", "longest"}), "One two!\tx\t0.9\t3\n");
  EXPECT_EQ(kept(rows, {"--key", "letters", "--keep", "best:4"}), "one two\tx\t0.1\t5\n");
  EXPECT_EQ(kept("source\ttarget\tscore\n" + rows.substr(0, rows.find("\t4")) + "\n" + "one two\tx\t1.5\n",
                 {"--header", "--key", "letters", "--keep", "best:score"}),
            "source\ttarget\tscore\none two\tx\t1.5\n");
  for (const Words& words : {Words{"--keep", "best"}, {"--keep", "best:1"}, {"--keep", "best:score"}}) {
    Words all{"--tsv", "-"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(run(all, rows).status, 2) << words.back();
  }
  const ProgramResult result = run({"--tsv", "-", "--keep", "best:3"}, "a\tb\t1\na\tb\tmuch\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, "standard input:2") && has(result.errors, "'3'")) << result.errors;
}

TEST_F(Dedupe, RemovesNearDuplicatesAlsoOfShortLines) {
  const std::string rows =
      "The old ship sailed.\tDas alte Schiff segelte.\n"
      "the OLD ship sailed\tDas alte Schiff segelte!\n"
      "The old ship sailed.\tDas neue Schiff segelte.\n"
      "See page 7 of the book.\tSiehe Seite 7 im Buch.\n"
      "See page 9 of the book.\tSiehe Seite 9 im Buch.\n"
      "Write to info@example.com today.\tSchreiben Sie heute an info@example.com.\n"
      "Write to sales@example.com today.\tSchreiben Sie heute an sales@example.com.\n"
      "Quite another line.\tEine ganz andere Zeile.\n";
  const std::vector<std::string> all = lines_in(rows);
  EXPECT_EQ(lines_in(kept(rows, {"--near"})), (Words{all[0], all[3], all[4], all[5], all[6], all[7]}));
  Words but_for_case = all;
  but_for_case.erase(but_for_case.begin() + 1);
  EXPECT_EQ(lines_in(kept(rows, {"--near", "--similarity", "1"})), but_for_case);
  EXPECT_EQ(run({"--tsv", "-", "--similarity", "0.8"}, rows).status, 2);
  EXPECT_EQ(
      kept("船がゆっくりと港に入った\t.\n船がゆっくりと港に入りました\t.\n猫が寝ている\t.\n", {"--near"}),
      "船がゆっくりと港に入った\t.\n猫が寝ている\t.\n");
}

TEST_F(Dedupe, NoLineGoesForALessSimilarOne) {
  const std::string rows = random_rows(3000);
  const std::vector<std::string> lines = lines_in(rows);
  for (const std::string keep : {"first", "longest"}) {
    const std::vector<Words> gone =
        rejected({"--tsv", folder.write("in.tsv", rows), "--near", "--keep", keep}, lines.size());
    EXPECT_GT(gone.size(), lines.size() / 4);
    std::set<std::string> numbers;
    for (const Words& row : gone) numbers.insert(row[0]);
    const auto text_of = [&](const std::string& number) {
      std::size_t line = 0;
      parse_number(std::string_view(number), line);
      const Words sides = split(lines[line - 1], '\t');
      return compared_text(sides[0], sides[1]);
    };
    for (const Words& row : gone) {
      if (row[1] == "exact") continue;
      EXPECT_EQ(row[1], "near");
      EXPECT_FALSE(numbers.contains(row[2])) << row[2] << " repeats another line";
      EXPECT_GE(similarity(text_of(row[0]), text_of(row[2])), kNearlySamePairs) << row[0] << " " << row[2];
    }
  }
}

TEST_F(Dedupe, NeitherThreadsNorMemoryNorPipesChangeTheResult) {
  const std::string rows = random_rows(20'000);
  const std::string path = folder.write("in.tsv", rows);
  std::map<std::string, std::string> sides;
  for (const std::string& row : lines_in(rows)) {
    sides["source"] += row.substr(0, row.find('\t')) + "\n";
    sides["target"] += row.substr(row.find('\t') + 1) + "\n";
  }
  for (const Words& how : {Words{"--near"}, {"--near", "--keep", "longest"}, {"--key", "source"}}) {
    const auto results = [&](Words words, const std::string& input) {
      words.insert(words.end(), how.begin(), how.end());
      words.insert(words.end(), {"--rejected", folder / "rejected", "-q"});
      const ProgramResult result = run(words, input);
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(result.errors, "");
      return result.output + folder.read("rejected");
    };
    const std::string one = results({"--tsv", path, "--threads", "1"}, "");
    EXPECT_EQ(one, results({"--tsv", path, "--threads", "3"}, ""));
    EXPECT_EQ(one, results({"--tsv", path, "--threads", "2", "--memory", "1"}, ""));
    EXPECT_EQ(one, results({"--tsv", "-"}, rows));
    EXPECT_EQ(one, results({"--source", folder.write("s", sides["source"]), "--target",
                            folder.write("t", sides["target"])},
                           ""));
  }
  run({"--source", folder / "s", "--target", folder / "t", "-o", folder / "s.out", "--output-target",
       folder / "t.out"});
  EXPECT_EQ(lines_in(folder.read("s.out")).size(), lines_in(folder.read("t.out")).size());
}

TEST_F(Dedupe, RemovesWhatHeldOutTextsHave) {
  const std::string test = folder.write(
      "test.en",
      "The harbour opens again next Monday.\nA second line that nobody has translated so far at all.\n");
  const std::string rows =
      "The harbour opens again next Monday.\tanders\n"
      "Once more\tthe harbour opens again next monday\n"
      "They said that a second line that nobody has translated so far at all was found in the old "
      "archive.\tlang\n"
      "The harbour is open.\tDer Hafen ist offen.\n";
  const std::vector<Words> gone = rejected({"--tsv", folder.write("in.tsv", rows), "--against", test}, 4);
  ASSERT_EQ(gone.size(), 3U);
  EXPECT_EQ(gone[0],
            (Words{"1", "held-out exact", test + ":1", "The harbour opens again next Monday.", "anders"}));
  EXPECT_EQ(gone[1][1], "held-out near");
  EXPECT_EQ(gone[2][1], "held-out words");
  EXPECT_EQ(gone[2][2], test + ":2");
}

TEST_F(Dedupe, UnusualInputIsHandledOrRefused) {
  EXPECT_EQ(kept(""), "");
  EXPECT_EQ(kept("", {"--near"}), "");
  EXPECT_EQ(kept("a\tb", {"--near"}), "a\tb\n");
  EXPECT_EQ(kept("\t\n\t\n", {"--near"}), "\t\n");
  EXPECT_EQ(kept("...\t!\n???\t!\n", {"--near"}), "...\t!\n???\t!\n");
  EXPECT_EQ(run({"--tsv", "-"}, "a\tb\nc\n").status, 3);
  EXPECT_EQ(run({"--tsv", "-", "--threads", "1", "--memory", "0"}, "").status, 2);
  const std::string in = folder.write("in.tsv", "a\tb\na\tb\nc\n" + std::string(5000, 'x') + "\ty\n");
  const std::vector<Words> gone =
      rejected({"--tsv", in, "--skip-broken", "--near", "--max-line-bytes", "1000"}, 4);
  ASSERT_EQ(gone.size(), 3U);
  EXPECT_EQ(gone[0], (Words{"2", "exact", "1", "a", "b"}));
  EXPECT_EQ(gone[1][1], "broken");
  EXPECT_EQ(gone[2][1], "too long");
  const ProgramResult same = run({"--tsv", in, "-o", in});
  EXPECT_EQ(same.status, 2);
  EXPECT_TRUE(has(same.errors, in)) << same.errors;
  EXPECT_EQ(run({"--tsv", in, "--skip-broken", "--against", folder / "missing", "-o", folder / "new"}).status,
            3);
  EXPECT_FALSE(fs::exists(folder / "new"));
}

TEST_F(Dedupe, AKilledRunLeavesNoOutput) {
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  StartedProgram program(
      {kGlossBinary, "dedupe", "--tsv", pipe, "-o", folder / "out", "--rejected", folder / "rejected"},
      folder / "errors");
  {
    std::ofstream rows(pipe);
    rows << random_rows(5000) << std::flush;
    program.send(SIGKILL);
    program.wait();
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
  EXPECT_FALSE(fs::exists(folder / "rejected"));
}

TEST_F(Dedupe, AgreesWithOtherProgramsOnExactDuplicates) {
  GLOSS_NEED_SHARED_DATA(data, "corpus_cleaning");
  // Lines with bytes that are not UTF-8 were replaced before OpusFilter read them.
  const auto decisions = [&](const std::string& file) {
    std::vector<Words> rows;
    for (const std::string& line : lines_in(read_file(*data + "/decisions/" + file)))
      rows.push_back(split(line, '\t'));
    return rows;
  };
  const std::vector<Words> opus = decisions("opusfilter.duplicates.tsv"),
                           kpu = decisions("preprocess_dedupe.tsv");
  const std::map<std::string, std::pair<std::size_t, std::size_t>> columns{
      {"pair", {1, 1}}, {"source", {4, 2}}, {"target", {5, 3}}};
  for (const auto& [key, places] : columns) {
    const std::vector<Words> gone =
        rejected({"--source", *data + "/messy.en", "--target", *data + "/messy.de", "--key", key}, 6001);
    std::map<std::string, std::string> repeated;
    for (const Words& row : gone) repeated[row[0]] = row[2];
    std::map<std::string, std::string> by_opus;
    std::set<std::string> by_kpu, ours;
    for (const Words& row : opus) {
      if (row[0] != "line" && row.size() > places.first && !row[places.first].empty())
        by_opus[row[0]] = row[places.first];
    }
    for (const Words& row : kpu) {
      if (row[places.second] == "0") by_kpu.insert(row[0]);
    }
    for (const auto& [line, of] : repeated) ours.insert(line);
    EXPECT_EQ(repeated, by_opus) << key;
    EXPECT_EQ(ours, by_kpu) << key;
  }
}

TEST_F(Dedupe, FindsTheNearDuplicatesOfACorpus) {
  GLOSS_NEED_SHARED_DATA(data, "corpus_cleaning");
  const std::vector<Words> gone =
      rejected({"--source", *data + "/messy.en", "--target", *data + "/messy.de", "--near"}, 6001);
  std::map<std::string, std::string> of;
  for (const Words& row : gone) of[row[0]] = row[2];
  const auto last = [&](std::string line) {
    while (of.contains(line)) line = of.at(line);
    return line;
  };
  std::map<std::string, std::string> first;  // the first line of each labelled group
  const auto first_of = [&](std::string line) {
    while (first.contains(line)) line = first.at(line);
    return line;
  };
  double near = 0, found = 0, wrong = 0;
  for (const std::string& row : lines_in(read_file(*data + "/messy.labels.tsv"))) {
    const Words label = split(row, '\t');
    if (label.size() < 6 || label[5].empty() || label[0] == "line") continue;
    const std::string a = first_of(label[0]), b = first_of(label[5]);
    if (a != b) first[a] = b;
    if (label[1] != "near_duplicate") continue;
    ++near;
    found += last(label[0]) == last(label[5]) ? 1 : 0;
  }
  for (const Words& row : gone) wrong += first_of(row[0]) == first_of(row[2]) ? 0 : 1;
  EXPECT_GE(found / near, 0.97);
  EXPECT_GE(1 - wrong / static_cast<double>(gone.size()), 0.97);
  RecordProperty("recall", std::to_string(found / near));
  RecordProperty("precision", std::to_string(1 - wrong / static_cast<double>(gone.size())));
}

TEST_F(Dedupe, FindsAllLeaksAndNoOthers) {
  GLOSS_NEED_SHARED_DATA(data, "corpus_cleaning/leaks");
  const std::vector<Words> gone = rejected({"--source", *data + "/train.en", "--target", *data + "/train.de",
                                            "--against", *data + "/test.en", *data + "/test.de"},
                                           3000);
  std::set<std::string> lines, quoted;  // of the training text; of the test text
  for (const Words& row : gone) {
    lines.insert(row[0]);
    if (row[1].starts_with("held-out")) quoted.insert(row[2].substr(row[2].rfind(':') + 1));
  }
  for (const std::string& line : lines_in(read_file(*data + "/labels.tsv"))) {
    const Words label = split(line, '\t');
    const std::string& leak = label.back();
    if (leak == "exact" || leak == "near") {
      EXPECT_TRUE(lines.contains(label[2])) << line;
    }
    if (leak == "no") {
      EXPECT_FALSE(quoted.contains(label[0])) << line;
    }
  }
}

}  // namespace
}  // namespace gloss
