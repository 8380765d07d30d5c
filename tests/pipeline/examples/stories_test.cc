// SPDX-License-Identifier: Apache-2.0
// Files with stories in both formats, and their rows.
#include "pipeline/reading/stories.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/examples/label_set.h"
#include "pipeline/examples/story_encoding.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/reading/story_reader.h"
#include "pipeline/reading/text_files.h"
#include "tests/support/has.h"
#include "tests/support/heard_listener.h"
#include "tests/support/learned_vocabulary.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

struct Stories : testing::Test {
  IndexedPairs indexed(const std::string& content) {
    return IndexedPairs({.stories = folder.write("stories", content)}, folder.path(), heard);
  }
  /// Text and answer of all questions; the numbers of their lines go to `lines`.
  Texts read(const std::string& content, std::vector<std::int64_t>* lines = nullptr) {
    Texts texts;
    const IndexedPairs text = indexed(content);
    for (std::int64_t number = 0; number < text.blocks(); ++number) {
      const PairBlock block = text.read(number);
      for (std::size_t i = 0; i < block.pairs.size(); ++i) {
        if (block.pairs[i].source.empty()) continue;
        texts.emplace_back(block.pairs[i].source, block.pairs[i].target);
        if (lines != nullptr) lines->push_back(block.first_line + static_cast<std::int64_t>(i));
      }
    }
    return texts;
  }
  std::string failure_of(const std::string& content) {
    try {
      read(content);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  /// What a stream of the same lines gives.
  std::vector<std::string> stream(const std::string& content, StoryReader::Part part,
                                  std::vector<std::string>* places = nullptr) {
    TextFiles lines({folder.write("stream", content)});
    StoryReader reader(lines, part);
    std::vector<std::string> items;
    for (std::string item; reader.next(item);) {
      items.push_back(item);
      if (places != nullptr) places->push_back(reader.place(std::ssize(items)));
    }
    return items;
  }

  TemporaryDirectory folder;
  HeardListener heard;
};

const std::string kBabi =
    "1 Wim went to the mill.\n2 Perla took the ring.\n3 Where is Wim? \tmill\t1\n4 Wim slept.\n"
    "5 Who has the ring?\tPerla\t2\n1 It rained.\n2 Is it dry?\tno\t1\n";
const std::string kLines =
    "Wim went to the mill. | Perla took the ring.\tWhere is Wim?\tmill\n\n"
    "It rained.|\tIs it dry?\tno\n";

TEST_F(Stories, ReadsBothFormats) {
  std::vector<std::int64_t> lines;
  EXPECT_EQ(read(kBabi, &lines),
            (Texts{{"Wim went to the mill. | Perla took the ring.\tWhere is Wim?", "mill"},
                   {"Wim went to the mill. | Perla took the ring. | Wim slept.\tWho has the ring?", "Perla"},
                   {"It rained.\tIs it dry?", "no"}}));
  EXPECT_EQ(lines, (std::vector<std::int64_t>{3, 5, 7}));
  EXPECT_EQ(read(kLines), (Texts{{"Wim went to the mill. | Perla took the ring.\tWhere is Wim?", "mill"},
                                 {"It rained.|\tIs it dry?", "no"}}));
}

TEST_F(Stories, TheFirstLineWithTextDecidesTheFormat) {
  EXPECT_EQ(read("\n" + kLines).size(), 2u);
  EXPECT_EQ(read("\n" + kBabi).size(), 3u);
}

TEST_F(Stories, SupportingSentencesComeBeforeTheQuestion) {
  const auto with = [](const std::string& numbers) {
    return "1 Wim slept.\n2 Wim sang.\n3 Who sang?\tWim\t" + numbers + "\n";
  };
  EXPECT_EQ(read(with("2")).size(), 1u);
  EXPECT_EQ(read(with("1 2")).size(), 1u);
  EXPECT_EQ(read(with("")).size(), 1u);
  for (const std::string numbers : {"3", "0", "-1", "1 7", "x", "1,2", "99999999999999999999"}) {
    EXPECT_THROW(read(with(numbers)), InputError) << numbers;
  }
}

TEST_F(Stories, AStoryMayExtendOverBlocks) {
  std::string content;
  Texts expected;
  std::string story;
  for (int line = 1; line <= 700; ++line) {
    const bool question = line % 50 == 0, starts = line == 1 || line == 600;
    static int number;
    number = starts ? 1 : number + 1;
    if (starts) story.clear();
    if (question && !starts) {
      content += concat(number, " Q", line, "?\ta", line % 3, "\t1\n");
      expected.emplace_back(concat(story, "\tQ", line, "?"), concat("a", line % 3));
    } else {
      content += concat(number, " s", line, ".\n");
      story += concat(story.empty() ? "" : " | ", "s", line, ".");
    }
  }
  EXPECT_EQ(read(content), expected);
  const IndexedPairs text = indexed(content);
  EXPECT_EQ(text.blocks(), 3);
  EXPECT_EQ(text.read(2).pairs[699 - 512].source, expected.back().first) << "the last block alone";
}

TEST_F(Stories, TellsTheSentencesAndTheQuestionApart) {
  const StoryTexts texts = story_texts(" Wim slept. || It rained |\t Is it dry? ");
  EXPECT_EQ(texts.sentences, (std::vector<std::string_view>{"Wim slept.", "It rained"}));
  EXPECT_EQ(texts.question, "Is it dry?");
  const IndexedPairs text = indexed(kLines);
  const PairBlock block = text.read(0);
  EXPECT_EQ(
      text.texts_of(block.pairs[0]),
      (std::vector<std::string_view>{"Wim went to the mill.", "Perla took the ring.", "Where is Wim?"}));
  EXPECT_TRUE(text.texts_of(block.pairs[1]).empty());
}

TEST_F(Stories, AreReadAsAStream) {
  std::vector<std::string> places;
  EXPECT_EQ(stream(kBabi, StoryReader::Part::question, &places).size(), 3u);
  EXPECT_EQ(places,
            (std::vector<std::string>{folder / "stream:3", folder / "stream:5", folder / "stream:7"}));
  EXPECT_EQ(stream(kBabi, StoryReader::Part::answer), (std::vector<std::string>{"mill", "Perla", "no"}));
  EXPECT_EQ(stream(kLines, StoryReader::Part::answer), (std::vector<std::string>{"mill", "no"}));
  EXPECT_EQ(stream(kLines, StoryReader::Part::question),
            (std::vector<std::string>{"Wim went to the mill. | Perla took the ring.\tWhere is Wim?", "",
                                      "It rained.|\tIs it dry?"}));
  EXPECT_EQ(stream("It rained.\tIs it dry?\n", StoryReader::Part::question).size(), 1u);
  EXPECT_EQ(stream("1 It rained.\n2 Is it dry?\n", StoryReader::Part::question),
            (std::vector<std::string>{"It rained.\tIs it dry?"}));
}

TEST_F(Stories, NameMistakesWithTheirLines) {
  const auto expect = [&](const std::string& content, const std::string& message) {
    EXPECT_TRUE(has(failure_of(content), message)) << content.substr(0, 99) << failure_of(content);
  };
  expect("1 It rained.\n3 Wim slept.\n", "stories:2: found the line number 3, expected 2 (the next");
  expect("2 It rained.\n", "stories:1: found the line number 2, expected 1 (the first line of a story)");
  expect("1 Is it dry?\tno\t1\n", "stories:1: the question has no story");
  expect("1 It rained.\n2 Is it dry?\t\t1\n", "stories:2: the question has no answer");
  expect("1 It rained.\n2 Is it dry?\n", "stories:2: the question has no answer");
  expect("1 It rained.\nWim slept.\n", "stories:2: expected a line in bAbI's format");
  expect("1 It rained.\n2 \tno\t1\n", "stories:2: there is no text after the number");
  expect("1 It | rained.\n", "stories:1: found '|'");
  expect("It rained.\tIs it dry?\n", "stories:1: found 2 columns; expected 'story TAB question TAB answer'");
  expect(kLines + "\tIs it dry?\tno\n", "stories:4: the story has no sentences");
  expect("| |\tIs it dry?\tno\n", "stories:1: the story has no sentences");
  expect("It rained.\t \tno\n", "stories:1: the question is missing");
  expect("It rained.\tIs it dry?\t\n", "stories:1: the answer is missing");
  std::string endless;
  for (int line = 1; line <= 2001; ++line) endless += concat(line, " It rained.\n");
  expect(endless, "stories:2001: the story has more than 2000 lines");
}

struct StoryRowsTest : Stories {
  Subwords subwords = learn(VocabularyType::word, 100, {"wim slept perla sang is it dry ? . , !"});
  StoryRows rows(int most) {
    return {line_encoder(subwords, Normalization::nfc, 0), subwords, subwords.begin_id(), most};
  }
  std::string words(const StoryRow& row) {
    std::string text;
    for (const TokenId token : row.tokens) text += subwords.piece(token);
    return text;
  }
};

TEST_F(StoryRowsTest, HaveAnEndAfterEachSentenceAndNoPunctuation) {
  const StoryRow row = rows(50).row("Wim, SLEPT!|...|Perla sang.\tIs it dry?", nullptr);
  EXPECT_EQ(words(row), "<s>▁wim▁slept</s>▁perla▁sang</s>▁is▁it▁dry</s>");
  EXPECT_EQ(row.sentences, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(row.left_out, 0);
  EXPECT_TRUE(rows(50).row("... | !\tIs it dry?", nullptr).empty);
  EXPECT_TRUE(rows(50).row("Wim slept.\t?", nullptr).empty);
}

TEST_F(StoryRowsTest, LeaveOutTheFirstSentencesWithoutRoom) {
  const std::string story = "Wim slept. | Perla sang. | Wim sang.\tIs it dry?";
  EXPECT_EQ(words(rows(11).row(story, nullptr)), "<s>▁perla▁sang</s>▁wim▁sang</s>▁is▁it▁dry</s>");
  const StoryRow row = rows(10).row(story, nullptr);
  EXPECT_EQ(words(row), "<s>▁wim▁sang</s>▁is▁it▁dry</s>");
  EXPECT_EQ(row.sentences, (std::vector<std::size_t>{2}));
  EXPECT_EQ(row.left_out, 6);
  EXPECT_EQ(words(rows(7).row(story, nullptr)), "<s>▁wim▁sang</s>▁is▁it</s>");
}

TEST_F(StoryRowsTest, ReportAnswersThatTheTrainingTextLacks) {
  const StoryEncoder encoder(rows(50), {"mill", "no"}, false);
  const EncodedText text = read_text(indexed(kBabi), encoder, 1, heard);
  ASSERT_EQ(text.examples.size(), 3u);
  EXPECT_EQ(text.examples.target(0)[0], 0);
  EXPECT_EQ(text.examples.target(1)[0], -1);
  EXPECT_EQ(text.examples.target(2)[0], 1);
  EXPECT_TRUE(has(heard.warnings,
                  "1 question has an answer that the training text lacks, which counts as wrong "
                  "(the first in line 5)"))
      << heard.warnings;
  EXPECT_TRUE(has(heard.notes, "3 questions, 2 answers")) << heard.notes;
}

}  // namespace
}  // namespace gloss
