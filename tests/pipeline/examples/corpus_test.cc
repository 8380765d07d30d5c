// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/corpus.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <fstream>
#include <thread>

#include "base/error.h"
#include "pipeline/examples/pair_encoding.h"
#include "pipeline/reading/corpus_mix.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr TokenId kCorpusEnd = 2;

/// One token per byte that is not a blank.
EncodedLine encode_marks(std::string_view line, Random*) {
  EncodedLine encoded;
  for (const char byte : line) {
    if (byte != ' ') encoded.tokens.push_back(static_cast<unsigned char>(byte));
    if (byte == '\xff') ++encoded.replaced;
  }
  encoded.tokens.push_back(kCorpusEnd);
  return encoded;
}

struct CorpusTest : testing::Test {
  IndexedPairs index(const ParallelFiles& files) { return IndexedPairs(files, folder.path(), heard); }
  Corpus read(const ParallelFiles& files, int max_length = 256, int threads = 1) {
    const PairEncoder encoder(encode_marks, encode_marks, {max_length});
    return read_text(index(files), encoder, threads, heard).examples;
  }
  ParallelFiles write(const std::string& source, const std::string& target) {
    return {folder.write("text.en", source), folder.write("text.de", target), "", ""};
  }
  ParallelFiles weigh(const std::string& weights) {
    ParallelFiles files = write("a\nb\nc\n", "d\ne\nf\n");
    files.line_weights = folder.write("weights", weights);
    return files;
  }
  template <class Work>
  std::string failure_of(Work work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string failure(const ParallelFiles& files) {
    return failure_of([&] { read(files); });
  }
  TemporaryDirectory folder;
  HeardListener heard;
};

std::string numbers(int lines, std::int64_t factor) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += std::to_string(i * factor) + "\n";
  return text;
}

TEST_F(CorpusTest, EndsEveryRowWithTheEndToken) {
  const Corpus corpus = read(write("ab\nc\n", "d\nef"));
  ASSERT_EQ(corpus.size(), 2u);
  EXPECT_EQ(std::vector<TokenId>(corpus.source(0).begin(), corpus.source(0).end()),
            (std::vector<TokenId>{'a', 'b', kCorpusEnd}));
  EXPECT_EQ(std::vector<TokenId>(corpus.target(1).begin(), corpus.target(1).end()),
            (std::vector<TokenId>{'e', 'f', kCorpusEnd}));
  EXPECT_EQ(corpus.source_tokens(), 5);
  EXPECT_EQ(corpus.target_tokens(), 5);
}

TEST_F(CorpusTest, ReportsSkippedPairsAndTheFirstLine) {
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

TEST_F(CorpusTest, SkipsLinesOfTooManyBytes) {
  ParallelFiles files = write("a\n123456\nb\nc\n", "d\ne\n1234567\nf\n");
  files.max_line_bytes = 5;
  EXPECT_EQ(read(files).size(), 2u);
  EXPECT_NE(heard.warnings.find("skipped 2 pairs"), std::string::npos) << heard.warnings;
  EXPECT_NE(heard.warnings.find("--max-line-bytes (the first in line 2)"), std::string::npos);
  EXPECT_EQ(read_pairs(index(files)).size(), 2u);
  const std::string rows = folder.write("text.tsv", "a\tb\nno column at all\nc\td\n");
  ParallelFiles tsv{"", "", rows, ""};
  tsv.max_line_bytes = 5;
  EXPECT_EQ(read(tsv).size(), 2u) << "a row that is too long is not searched for columns";
}

TEST_F(CorpusTest, RefusesFilesOfDifferentLength) {
  const std::string shorter = failure(write("a\nb\nc\n", "a\nb\n"));
  EXPECT_NE(shorter.find("text.en has 3 lines but "), std::string::npos) << shorter;
  EXPECT_NE(shorter.find("text.de has 2"), std::string::npos);
  EXPECT_NE(failure(write("a\n", "a\nb\n\n")).find("text.en has 1 line but "), std::string::npos);
}

TEST_F(CorpusTest, RefusesTextWithoutAUsablePair) {
  EXPECT_NE(failure(write("", "")).find("the text is empty"), std::string::npos);
  EXPECT_NE(failure(write("\n \n", "a\nb\n")).find("no usable pair among 2 pairs"), std::string::npos);
  EXPECT_NE(failure({folder / "missing", folder / "missing", "", ""}).find("cannot open"), std::string::npos);
}

TEST_F(CorpusTest, ReadsTabSeparatedText) {
  const Corpus corpus = read({"", "", folder.write("text.tsv", "a\tb\r\ncc\td\n"), ""});
  ASSERT_EQ(corpus.size(), 2u);
  EXPECT_EQ(corpus.source(1)[0], 'c');
  EXPECT_EQ(corpus.target(0).size(), 2u) << "a letter and the end token: '\\r' ends the line";
  EXPECT_NE(failure({"", "", folder.write("bad.tsv", "a\tb\nno tab\n"), ""})
                .find("bad.tsv:2: found 1 column, expected 2"),
            std::string::npos);
  EXPECT_NE(failure({"", "", folder.write("bad.tsv", "a\tb\tc\n"), ""}).find("bad.tsv:1: found 3 columns"),
            std::string::npos);
}

TEST_F(CorpusTest, IsTheSameForAnyNumberOfThreads) {
  const ParallelFiles files = write(numbers(3000, 7919), numbers(3000, 104729));
  const Corpus one = read(files), three = read(files, 256, 3);
  ASSERT_EQ(one.size(), 3000u);
  ASSERT_EQ(three.size(), 3000u);
  for (PairIndex pair = 0; pair < 3000; ++pair) {
    const std::string line = std::to_string(pair * 104729);
    ASSERT_TRUE(std::equal(line.begin(), line.end(), one.target(pair).begin()));
    ASSERT_TRUE(std::equal(one.source(pair).begin(), one.source(pair).end(), three.source(pair).begin()));
  }
}

TEST_F(CorpusTest, FingerprintsSeeEveryByteAndWeight) {
  std::string source = numbers(3000, 7919);
  const std::string target = numbers(3000, 104729);
  const std::uint64_t fingerprint = index(write(source, target)).fingerprint();
  EXPECT_EQ(index(write(source, target)).fingerprint(), fingerprint);
  source[5] = 'x';
  EXPECT_NE(index(write(source, target)).fingerprint(), fingerprint);
  EXPECT_NE(index(write("ab\nc\n", "d\ne\n")).fingerprint(), index(write("a\nbc\n", "d\ne\n")).fingerprint());
  EXPECT_NE(index(weigh("1\n1\n1\n")).fingerprint(), index(weigh("1\n1\n2\n")).fingerprint());
}

TEST_F(CorpusTest, ReadsAWeightForEachLine) {
  const Corpus corpus = read(weigh("1\n0.25 \r\n3"));
  EXPECT_TRUE(corpus.weighted());
  EXPECT_EQ(corpus.weight(0), 1);
  EXPECT_EQ(corpus.weight(1), 0.25f);
  EXPECT_EQ(corpus.weight(2), 3);
  EXPECT_FALSE(read(weigh("1\n1.0\n1\n")).weighted());
  EXPECT_EQ(read(weigh("1\n0\n2\n")).size(), 2u);
  EXPECT_NE(heard.warnings.find("skipped 1 pair of weight 0 (the first in line 2)"), std::string::npos);
}

TEST_F(CorpusTest, RefusesInvalidWeights) {
  EXPECT_NE(failure(weigh("1\n1\n")).find("weights has 2; expected one weight for each line"),
            std::string::npos);
  for (const std::string bad : {"two", "-1", "nan", "inf", "", "1 2", "1e9", "1e-7"}) {
    const std::string message = failure(weigh("1\n1\n" + bad + "\n"));
    EXPECT_NE(message.find("weights:3: found '" + bad + "', expected a weight of 0 or from 1e-06 to 1000000"),
              std::string::npos)
        << message;
  }
}

TEST_F(CorpusTest, CopiesCompressedFilesAndPipes) {
  const std::string text = numbers(1000, 7);
  const std::uint64_t fingerprint = index(write(text, text)).fingerprint();
  const std::string packed = folder / "packed.gz", pipe = folder / "pipe";
  gzFile file = gzopen(packed.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  EXPECT_EQ(index({packed, pipe, "", ""}).fingerprint(), fingerprint);
  writer.join();
  EXPECT_NE(heard.notes.find("packed.gz is unpacked into a temporary file in " + folder.path()),
            std::string::npos);
  EXPECT_NE(heard.notes.find("pipe is unpacked into a temporary file"), std::string::npos);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename().string().find("partial"), std::string::npos) << entry.path();
  }
}

TEST_F(CorpusTest, NoticesTextThatChangesWhileItIsRead) {
  const std::string text = numbers(1000, 7);
  const ParallelFiles files = write(text, text);
  const IndexedPairs pairs = index(files);
  ASSERT_EQ(pairs.blocks(), 4);
  std::filesystem::resize_file(files.target, 100);
  EXPECT_NE(failure_of([&] { pairs.read(1); }).find(" to 100 bytes"), std::string::npos);
  std::string other = text;
  other[text.size() - 3] = 'x';
  folder.write("text.de", other);
  EXPECT_EQ(failure_of([&] { pairs.read(1); }), "");
  EXPECT_NE(failure_of([&] { pairs.read(3); }).find("text.de changed while it was being read, near line 769"),
            std::string::npos);
}

TEST(Corpus, AppendsWithOrWithoutWeights) {
  Corpus plain, weighted, all;
  plain.add(std::vector<TokenId>{3, 2}, std::vector<TokenId>{4, 5, 2});
  weighted.add(std::vector<TokenId>{6, 2}, std::vector<TokenId>{7, 2}, 0.5f);
  for (const Corpus* part : {&plain, &weighted, &plain}) all.append(*part);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.weight(0), 1);
  EXPECT_EQ(all.weight(1), 0.5f);
  EXPECT_EQ(all.weight(2), 1);
  EXPECT_EQ(all.source(1)[0], 6);
  EXPECT_EQ(all.target(2).size(), 3u);
  EXPECT_EQ(all.target_tokens(), 8);
}

TEST(ParallelFiles, AreTwoFilesOrOne) {
  EXPECT_NO_THROW(check({"a", "b", "", ""}, ""));
  EXPECT_NO_THROW(check({"", "", "a", ""}, ""));
  EXPECT_THROW(check({"a", "", "", ""}, ""), UsageError);
  EXPECT_THROW(check({"a", "b", "c", ""}, ""), UsageError);
  EXPECT_THROW(check({"", "", "", ""}, "valid_"), UsageError);
}

TEST(CorpusMix, PairsFilesAndWeightsInTheirOrder) {
  const std::vector<WeightedFiles> corpora =
      corpora_of({{"a.en", "b.en"}, {"a.de", "b.de"}, {}, {"1", "2.5"}, {"a.w", "b.w"}});
  ASSERT_EQ(corpora.size(), 2u);
  EXPECT_EQ(corpora[1].files.source, "b.en");
  EXPECT_EQ(corpora[1].files.target, "b.de");
  EXPECT_EQ(corpora[1].files.line_weights, "b.w");
  EXPECT_EQ(corpora[0].weight, 1);
  EXPECT_EQ(corpora[1].weight, 2.5);
  EXPECT_EQ(corpora_of({{}, {}, {"a.tsv", "b.tsv", "c.tsv"}, {}, {}}).size(), 3u);
}

TEST(CorpusMix, BalancesLanguagesByTemperature) {
  const std::vector<std::string> languages{"en", "de", "en"};
  const auto lines_seen = [&](double temperature) {
    const std::vector<double> lines{600, 100, 300};
    std::vector<double> seen = balance_of_languages(languages, lines, temperature);
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] *= lines[i];
    return seen;
  };
  EXPECT_EQ(lines_seen(1), (std::vector<double>{600, 100, 300}));
  const std::vector<double> twice = lines_seen(2);  // the root of 900 and of 100: 3 to 1
  EXPECT_NEAR(twice[0], 500, 1e-9);
  EXPECT_NEAR(twice[1], 250, 1e-9);
  EXPECT_NEAR(twice[2], 250, 1e-9);
  EXPECT_NEAR(lines_seen(1000)[1], 500, 2);
}

TEST(CorpusMix, HasALanguageForEachFile) {
  CorpusMixSettings settings;
  settings.plain = {"a", "b"};
  settings.languages = {"en", "pt-BR"};
  EXPECT_EQ(corpora_of(settings)[1].files.language, "pt-BR");
  settings.languages = {"en"};
  EXPECT_THROW(corpora_of(settings), UsageError);
  settings.languages = {"en", "<de>"};
  EXPECT_THROW(corpora_of(settings), UsageError);
}

TEST(CorpusMix, RefusesListsThatDoNotFit) {
  EXPECT_THROW(corpora_of({}), UsageError);
  EXPECT_THROW(corpora_of({{"a"}, {}, {}, {}, {}}), UsageError);
  EXPECT_THROW(corpora_of({{"a", "b"}, {"a"}, {}, {}, {}}), UsageError);
  EXPECT_THROW(corpora_of({{"a"}, {"b"}, {"c"}, {}, {}}), UsageError);
  EXPECT_THROW(corpora_of({{"a"}, {"b"}, {}, {"1", "2"}, {}}), UsageError);
  EXPECT_THROW(corpora_of({{"a", "b"}, {"a", "b"}, {}, {}, {"a"}}), UsageError);
  for (const std::string weight : {"0", "-1", "nan", "x", "", "1e9"}) {
    EXPECT_THROW(corpora_of({{"a"}, {"b"}, {}, {weight}, {}}), UsageError) << weight;
  }
}

}  // namespace
}  // namespace gloss
