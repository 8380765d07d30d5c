// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/plain_encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "pipeline/examples/text_windows.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Row = std::vector<TokenId>;

constexpr TokenId kEnd = 2;

/// Each byte is a token, followed by the end token.
EncodedLine encode_bytes(std::string_view line, Random*) {
  EncodedLine encoded;
  for (const char byte : line) encoded.tokens.push_back(byte);
  encoded.tokens.push_back(kEnd);
  encoded.characters = std::ssize(line) + 1;
  return encoded;
}

/// The tokens of letters, with a '.' for an end.
Row row(std::string_view letters) {
  Row tokens;
  for (const char letter : letters) tokens.push_back(letter == '.' ? kEnd : letter);
  return tokens;
}

Row row(std::span<const TokenId> tokens) { return {tokens.begin(), tokens.end()}; }

/// Records the opening tokens of each block.
class OpenedBlocks : public BlockExamples {
 public:
  void add(const TextBlock& block, Random, Corpus& to) const override { to.add(block.opening, block.tokens); }
};

struct PlainEncoding : testing::Test {
  std::shared_ptr<const IndexedPairs> text(const std::string& lines) {
    const ParallelFiles files{.plain = folder.write("text", lines)};
    return std::make_shared<IndexedPairs>(files, folder.path(), heard);
  }
  EncodedText read(const std::string& lines) {
    return read_text(*text(lines),
                     PlainEncoder(encode_bytes, kEnd, std::make_shared<ContinuedBlocks>(), settings), 2,
                     heard);
  }
  /// Each block with the token before it.
  void expect_blocks(const std::string& lines, const std::vector<std::pair<std::string, std::string>>& all) {
    const Corpus blocks = read(lines).examples;
    ASSERT_EQ(blocks.size(), all.size());
    for (PairIndex i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(row(blocks.source(i)), row(all[i].first)) << i;
      EXPECT_EQ(row(blocks.target(i)), row(all[i].second)) << i;
    }
  }

  TemporaryDirectory folder;
  HeardListener heard;
  PlainTextSettings settings{.block_length = 4};
};

TEST_F(PlainEncoding, StartsEveryBlockWithTheSymbolOfItsLanguage) {
  settings.block_length = 4;
  const Openings openings{{"de", {7, 8}}, {"en", {9}}};
  const PlainEncoder encoder(encode_bytes, kEnd, std::make_shared<OpenedBlocks>(), settings, openings);
  for (const auto& [language, expected] :
       std::vector<std::pair<std::string, Row>>{{"de", {7, 8}}, {"en", {9}}, {"fr", {}}, {"", {}}}) {
    ParallelFiles files{.plain = folder.write("text", "abcdefg\nh\n\n\nij\n")};
    files.language = language;
    const Corpus blocks = read_text(IndexedPairs(files, folder.path(), heard), encoder, 2, heard).examples;
    ASSERT_EQ(blocks.size(), 4u);
    for (PairIndex i = 0; i < blocks.size(); ++i) EXPECT_EQ(row(blocks.source(i)), expected) << language << i;
  }
}

/// Blocks with an opening of two tokens and an end.
class LongerBlocks : public OpenedBlocks {
 public:
  int further_tokens() const override { return 3; }
};

TEST_F(PlainEncoding, BlocksNeedRoomForText) {
  const auto encoder = [&](int block_length) {
    settings.block_length = block_length;
    return PlainEncoder(encode_bytes, kEnd, std::make_shared<LongerBlocks>(), settings);
  };
  EXPECT_THROW(encoder(2), UsageError);
  EXPECT_THROW(encoder(3), UsageError);
  const Corpus blocks = read_text(*text("abc\n"), encoder(4), 2, heard).examples;
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(row(blocks.target(1)), row("b"));
}

TEST_F(PlainEncoding, BlocksFollowOneAnotherWithinADocument) {
  expect_blocks("abcdef\ngh\n\nijkl\n\nm\n",
                {{".", "abcd"}, {"d", "ef.g"}, {"g", "h."}, {".", "ijkl"}, {"l", "."}, {".", "m."}});
}

TEST_F(PlainEncoding, DocumentsAreLinesParagraphsOrFiles) {
  settings.document = Document::line;
  expect_blocks("abcdef\n\ngh\n", {{".", "abcd"}, {"d", "ef."}, {".", "gh."}});
  settings.document = Document::file;
  expect_blocks("ab\n\ncd\n", {{".", "ab.."}, {".", "cd."}});
}

TEST_F(PlainEncoding, ATextShorterThanABlockIsAShortBlock) {
  settings.block_length = 1000;
  expect_blocks("ab", {{".", "ab."}});
}

TEST_F(PlainEncoding, CountsLinesTokensAndCharacters) {
  const Findings found = read("ab\n\n \xC3\xA4\n").found;
  EXPECT_EQ(found.lines, 3);
  EXPECT_EQ(found.pairs, 2);
  EXPECT_EQ(found.blank.count, 1);
  EXPECT_EQ(found.blank.first_line, 2);
  EXPECT_EQ(found.target_tokens, 3 + 4);
  EXPECT_EQ(found.target_characters, 3 + 4);
  EXPECT_NE(heard.notes.find("text: 2 lines, 7 tokens, 7 characters"), std::string::npos) << heard.notes;
}

TEST_F(PlainEncoding, EmptyTextIsAnError) {
  EXPECT_THROW(read(""), InputError);
  EXPECT_THROW(read("\n\n\n"), InputError);
}

TEST_F(PlainEncoding, FirstBlocksHaveARandomLengthInEachEpochAndNothingIsLost) {
  settings.document = Document::file;
  settings.block_length = 50;
  std::string lines;
  Row all;
  for (int line = 0; line < 700; ++line) {  // more than one block of lines
    const std::string letters = concat("line number ", line * line);
    lines += letters + "\n";
    for (const TokenId token : row(letters)) all.push_back(token);
    all.push_back(kEnd);
  }
  const auto encoder =
      std::make_shared<PlainEncoder>(encode_bytes, kEnd, std::make_shared<ContinuedBlocks>(), settings);
  TextWindows windows({{text(lines)}}, encoder, {.lines = 1000, .threads = 2}),
      same({{text(lines)}}, encoder, {.lines = 1000});
  std::vector<std::size_t> first_lengths;
  for (std::int64_t epoch = 0; epoch < 6; ++epoch) {
    const auto blocks = windows.window(epoch, 0, {}), again = same.window(epoch, 0, {});
    ASSERT_EQ(blocks->size(), again->size());
    Row together;
    for (PairIndex i = 0; i < blocks->size(); ++i) {
      EXPECT_EQ(row(blocks->target(i)), row(again->target(i)));
      EXPECT_EQ(row(blocks->source(i)), Row{together.empty() ? kEnd : together.back()});
      const std::span<const TokenId> target = blocks->target(i);
      EXPECT_LE(target.size(), 50u);
      EXPECT_TRUE(target.size() == 50 || i == 0 || i + 1 == blocks->size()) << i;
      together.insert(together.end(), target.begin(), target.end());
    }
    EXPECT_EQ(together, all);
    first_lengths.push_back(blocks->target(0).size());
  }
  std::sort(first_lengths.begin(), first_lengths.end());
  EXPECT_LT(first_lengths.front(), first_lengths.back()) << "the same in every epoch";
}

TEST_F(PlainEncoding, WindowsHoldEveryLineOnce) {
  std::string lines;
  for (int line = 0; line < 3000; ++line) lines += std::to_string(line) + "\n";
  settings = {.block_length = 64, .document = Document::file};
  TextWindows windows(
      {{text(lines)}},
      std::make_shared<PlainEncoder>(encode_bytes, kEnd, std::make_shared<ContinuedBlocks>(), settings),
      {.lines = 600});
  ASSERT_EQ(windows.windows(), 5);
  std::vector<std::string> seen;
  for (std::int64_t number = 0; number < 5; ++number) {
    const auto blocks = windows.window(0, number, {});
    std::string line;
    for (PairIndex i = 0; i < blocks->size(); ++i) {
      for (const TokenId token : blocks->target(i)) {
        if (token != kEnd) line += static_cast<char>(token);
        if (token == kEnd) seen.push_back(std::exchange(line, ""));
      }
    }
  }
  EXPECT_EQ(seen.size(), 3000u);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace gloss
