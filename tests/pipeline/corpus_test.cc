#include "pipeline/corpus.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr TokenId kEnd = 2;

/// One token per byte that is not a blank.
EncodedLine encode_bytes(std::string_view line) {
  EncodedLine encoded;
  for (const char byte : line) {
    if (byte != ' ') encoded.tokens.push_back(static_cast<unsigned char>(byte));
    if (byte == '\xff') ++encoded.replaced;
  }
  encoded.tokens.push_back(kEnd);
  return encoded;
}

struct CorpusTest : testing::Test {
  Corpus read(const ParallelFiles& files, int max_length = 256, int threads = 1) {
    return read_corpus(files, {max_length}, encode_bytes, encode_bytes, threads, heard);
  }
  ParallelFiles write(const std::string& source, const std::string& target) {
    return {folder.write("text.en", source), folder.write("text.de", target), ""};
  }
  std::string failure(const ParallelFiles& files) {
    try {
      read(files);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  TemporaryDirectory folder;
  HeardListener heard;
};

TEST_F(CorpusTest, EndsEveryRowWithTheEndToken) {
  const Corpus corpus = read(write("ab\nc\n", "d\nef"));
  ASSERT_EQ(corpus.size(), 2u);
  EXPECT_EQ(std::vector<TokenId>(corpus.source(0).begin(), corpus.source(0).end()),
            (std::vector<TokenId>{'a', 'b', kEnd}));
  EXPECT_EQ(std::vector<TokenId>(corpus.target(1).begin(), corpus.target(1).end()),
            (std::vector<TokenId>{'e', 'f', kEnd}));
  EXPECT_EQ(corpus.source_tokens(), 5);
  EXPECT_EQ(corpus.target_tokens(), 5);
}

TEST_F(CorpusTest, TellsWhatItSkippedAndWhereFirst) {
  const Corpus corpus = read(write("a\n  \nb\ntoo long\nc\n\xff\n", "a\nb\n\nd\ntoolong\ne\n"), 5);
  EXPECT_EQ(corpus.size(), 2u);
  EXPECT_NE(heard.warnings.find("skipped 2 pairs with an empty or blank side (the first in line 2)"),
            std::string::npos)
      << heard.warnings;
  EXPECT_NE(heard.warnings.find(
                "skipped 2 pairs with a side of more than 5 tokens, see --max-length (the first in line 4)"),
            std::string::npos);
  EXPECT_NE(heard.warnings.find("replaced 1 invalid UTF-8 sequences by U+FFFD (the first in line 6)"),
            std::string::npos);
}

TEST_F(CorpusTest, RefusesFilesOfDifferentLength) {
  const std::string shorter = failure(write("a\nb\nc\n", "a\nb\n"));
  EXPECT_NE(shorter.find("text.en has 3 lines but "), std::string::npos) << shorter;
  EXPECT_NE(shorter.find("text.de has 2"), std::string::npos);
  EXPECT_NE(failure(write("a\n", "a\nb\n\n")).find("text.en has 1 line but "), std::string::npos);
}

TEST_F(CorpusTest, RefusesTextWithoutAUsablePair) {
  EXPECT_NE(failure(write("", "")).find("the text is empty"), std::string::npos);
  EXPECT_NE(failure(write("\n \n", "a\nb\n")).find("no usable pair is left of 2 pairs"), std::string::npos);
  EXPECT_NE(failure({folder / "missing", folder / "missing", ""}).find("cannot open"), std::string::npos);
}

TEST_F(CorpusTest, ReadsTabSeparatedText) {
  const Corpus corpus = read({"", "", folder.write("text.tsv", "a\tb\r\ncc\td\n")});
  ASSERT_EQ(corpus.size(), 2u);
  EXPECT_EQ(corpus.source(1)[0], 'c');
  EXPECT_EQ(corpus.target(0)[1], '\r');
  EXPECT_NE(failure({"", "", folder.write("bad.tsv", "a\tb\nno tab\n")})
                .find("bad.tsv:2: found 1 column, expected 2"),
            std::string::npos);
  EXPECT_NE(failure({"", "", folder.write("bad.tsv", "a\tb\tc\n")}).find("bad.tsv:1: found 3 columns"),
            std::string::npos);
}

TEST_F(CorpusTest, IsTheSameForAnyNumberOfThreads) {
  std::string source, target;
  for (int i = 0; i < 3000; ++i) {
    source += std::to_string(i * 7919) + "\n";
    target += std::to_string(i * 104729) + "\n";
  }
  const ParallelFiles files = write(source, target);
  const std::string fingerprint = read(files).fingerprint();
  EXPECT_EQ(read(files, 256, 3).fingerprint(), fingerprint);
  target[5] = 'x';
  EXPECT_NE(read(write(source, target)).fingerprint(), fingerprint);
}

TEST_F(CorpusTest, FingerprintSeesWhereRowsEnd) {
  EXPECT_NE(read(write("ab\nc\n", "d\ne\n")).fingerprint(), read(write("a\nbc\n", "d\ne\n")).fingerprint());
}

TEST(ParallelFiles, MustBeTwoOrOne) {
  EXPECT_NO_THROW(check({"a", "b", ""}, ""));
  EXPECT_NO_THROW(check({"", "", "a"}, ""));
  EXPECT_THROW(check({"a", "", ""}, ""), UsageError);
  EXPECT_THROW(check({"a", "b", "c"}, ""), UsageError);
  EXPECT_THROW(check({"", "", ""}, "valid_"), UsageError);
  EXPECT_THROW(check({"-", "b", ""}, ""), UsageError);
}

}  // namespace
}  // namespace gloss
