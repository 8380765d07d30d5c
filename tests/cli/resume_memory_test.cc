// SPDX-License-Identifier: Apache-2.0
// Continued translations that remember the lines of the run before.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "base/random.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/interrupted_translation.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

using Sentences = std::vector<std::string>;
constexpr const char* kMemory = "part.partial.memory";

/// The number before `word` in a message; 0 if there is none.
std::int64_t number_before(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(" " + word);
  if (at == std::string::npos) return 0;
  std::int64_t number = 0;
  const std::size_t begin = text.find_last_not_of("0123456789", at - 1) + 1;
  EXPECT_TRUE(parse_number(text.substr(begin, at - begin), number)) << text;
  return number;
}

struct ResumeMemory : InterruptedTranslation {
  /// Writes lines, each of some sentences.
  void write_lines(const std::vector<Sentences>& lines) {
    std::string text;
    for (const Sentences& line : lines) text += join(line, " ") + "\n";
    folder.write("text", text);
  }
  /// 6,000 lines, of which the first `distinct` occur again and again.
  std::vector<Sentences> repeated_lines(int distinct) {
    std::vector<Sentences> lines;
    for (int i = 0; i < 6000; ++i) lines.push_back({concat("the small dog ", i % distinct)});
    write_lines(lines);
    return lines;
  }
  /// Continues the interrupted run, and expects as many repeats as an undisturbed run counts in these lines.
  void expect_repeats(const std::vector<std::string>& options, const std::vector<Sentences>& lines,
                      const std::string& unit) {
    std::vector<std::string> again = options;
    again.emplace_back("--resume");
    const ProgramResult continued = translate(again, "part");
    EXPECT_EQ(continued.status, 0) << continued.errors;
    const auto done = static_cast<std::size_t>(number_before(continued.errors, "of them by an earlier run"));
    EXPECT_GT(done, 0U) << continued.errors;
    std::set<std::string> before;
    std::int64_t repeats = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      for (const std::string& sentence : lines[line]) {
        const bool known = !before.insert(sentence).second;
        if (known && line >= done) ++repeats;
      }
    }
    EXPECT_EQ(number_before(continued.errors, unit), repeats) << continued.errors;
    EXPECT_EQ(folder.read("part"), folder.read("whole"));
    EXPECT_FALSE(exists(kMemory) || exists("part.partial.run") || exists("part.partial"));
    fs::remove(folder / "part");
  }
};

TEST_F(ResumeMemory, CountsTheRepeatsOfAnUndisturbedRun) {
  constexpr int kDistinct = 1500;
  const std::vector<Sentences> lines = repeated_lines(kDistinct);
  const std::vector<std::vector<std::string>> all{{},
                                                  {"--n-best", "3", "--word-scores"},
                                                  {"--format", "json", "--alignment", "soft"},
                                                  {"--protect", "number"}};
  for (const std::vector<std::string>& options : all) {
    const ProgramResult whole = translate(options, "whole");
    EXPECT_EQ(number_before(whole.errors, "repeated line"), std::ssize(lines) - kDistinct) << whole.errors;
    for (const int signal : {SIGINT, SIGKILL}) {
      interrupt(command(options, "part"), signal);
      EXPECT_TRUE(exists(kMemory));
      expect_repeats(options, lines, "repeated line");
    }
  }
}

TEST_F(ResumeMemory, HoldsForSentencesAndDocuments) {
  std::vector<Sentences> lines;
  for (int i = 0; i < 4000; ++i) {
    lines.push_back({concat("the small dog ", i % 900, "."), concat("It sees ", i % 700, ".")});
  }
  write_lines(lines);
  ASSERT_EQ(translate({"--split"}, "whole").status, 0);
  interrupt(command({"--split"}, "part"));
  expect_repeats({"--split"}, lines, "repeated sentence");

  std::string page = "<html><body>\n";
  for (int i = 0; i < 4000; ++i) page += concat("<p>the <b>small</b> dog ", i % 1500, "</p>\n");
  folder.write("text", page + "</body></html>\n");
  const std::vector<std::string> html{"--format", "html"};
  ASSERT_EQ(translate(html, "whole").status, 0);
  interrupt(command(html, "part"));
  std::vector<Sentences> paragraphs;
  for (int i = 0; i < 4000; ++i) paragraphs.push_back({concat(i % 1500)});
  // `done` counts parts, of which each paragraph is one.
  expect_repeats(html, paragraphs, "repeated sentence");
}

TEST_F(ResumeMemory, LinesThatWereTranslatedButNotWrittenAreNoRepeats) {
  const std::vector<Sentences> lines = repeated_lines(6000);
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  interrupt(command({}, "part"), SIGINT);
  // As if the run had been killed after its first window.
  const std::vector<std::string> journal = split(folder.read("part.partial.run"), '\n');
  folder.write("part.partial.run", journal[0] + "\n" + journal[1] + "\n");
  expect_repeats({}, lines, "repeated line");
}

TEST_F(ResumeMemory, DamageNeverChangesTheOutput) {
  repeated_lines(900);
  ASSERT_EQ(translate({"-q", "--beam-size", "1"}, "other").status, 0);
  ASSERT_EQ(translate({"-q"}, "whole").status, 0);
  interrupt(command({"--beam-size", "1"}, "part"));
  const std::string foreign = folder.read(kMemory);
  for (const char* name : {"part.partial", "part.partial.run", kMemory}) fs::remove(folder / name);
  interrupt(command({}, "part"));
  const std::string output = folder.read("part.partial"), journal = folder.read("part.partial.run");
  const std::string memory = folder.read(kMemory);
  ASSERT_GT(memory.size(), 1000U);
  std::vector<std::string> damaged{
      "", foreign, memory + memory, memory + foreign, foreign + memory, std::string(5000, '\0')};
  Random random(11);
  for (int i = 0; i < 6; ++i) {
    damaged.push_back(memory.substr(0, random.below(memory.size())));
    damaged.push_back(memory);
    damaged.back()[random.below(memory.size())] ^= static_cast<char>(1U << random.below(8));
  }
  for (const std::string& bytes : damaged) {
    folder.write("part.partial", output);
    folder.write("part.partial.run", journal);
    folder.write(kMemory, bytes);
    folder.write(std::string(kMemory) + ".old", damaged[random.below(damaged.size())]);
    const ProgramResult continued = translate({"--resume"}, "part");
    EXPECT_EQ(continued.status, 0) << continued.errors;
    EXPECT_EQ(folder.read("part"), folder.read("whole"));
    fs::remove(folder / "part");
    fs::remove(folder / kMemory);  // what does not begin like a memory is left
    fs::remove(folder / (std::string(kMemory) + ".old"));
  }
}

TEST_F(ResumeMemory, IsOfNoUseToAnotherRun) {
  repeated_lines(1500);
  interrupt(command({}, "part"));
  fs::remove(folder / "part.partial");
  fs::remove(folder / "part.partial.run");
  ASSERT_EQ(translate({"--beam-size", "1"}, "whole").status, 0);
  const ProgramResult anew = translate({"--beam-size", "1"}, "part");
  EXPECT_EQ(number_before(anew.errors, "repeated line"), 4500) << anew.errors;
  EXPECT_EQ(folder.read("part"), folder.read("whole"));
  EXPECT_FALSE(exists(kMemory));
}

TEST_F(ResumeMemory, LeavesFilesOfOthersAlone) {
  folder.write("text", "the small dog\nthe small dog\n");
  folder.write(kMemory, "precious");
  EXPECT_EQ(translate({"-q"}, "part").status, 0);
  EXPECT_EQ(folder.read(kMemory), "precious");
  fs::create_directory(folder / "part.partial.memory.old");
  EXPECT_EQ(translate({"-q"}, "part").status, 0);
  EXPECT_TRUE(exists("part.partial.memory.old"));
  for (const char* ending : {".partial.memory", ".partial.memory.old"}) {
    expect_failure(translate({"--report", folder / (std::string("new") + ending)}, "new"), 2, "--report");
  }
}

}  // namespace
}  // namespace gloss
