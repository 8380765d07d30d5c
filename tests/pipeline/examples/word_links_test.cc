// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/examples/batching.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/examples/token_links.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "tests/support/heard_listener.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Numbers = std::vector<int>;

TEST(WordLinks, TokensBelongToTheWordsInWhichTheyBegin) {
  EXPECT_EQ(words_of_tokens({"▁the", "▁c", "at"}, "the cat"), (Numbers{0, 1, 1}));
  EXPECT_EQ(words_of_tokens({"▁", "the", "▁", "cat"}, "  the \t cat "), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(words_of_tokens({" the", " cat"}, "the  cat"), (Numbers{0, 1})) << "byte-level pieces";
  EXPECT_EQ(words_of_tokens({"the", " cat", " "}, "the cat "), (Numbers{0, 1, -1}));
  EXPECT_EQ(words_of_tokens({}, "the cat"), Numbers());
}

TEST(WordLinks, TokensThatANormalisationChangesKeepTheirWords) {
  // The tokenizer spells "…" as three dots, and does not know the sign.
  EXPECT_EQ(words_of_tokens({"▁the", "...", "▁cat"}, "the… cat"), (Numbers{0, 0, 1}));
  EXPECT_EQ(words_of_tokens({"▁the", " ⁇ ", "▁cat"}, "the ☃☃ cat"), (Numbers{0, 1, 2}));
  // A no-break space separates no words for `gloss align --statistical`, but it does for tokenizers.
  EXPECT_EQ(words_of_tokens({"▁10", "▁km", "▁on"}, "10\u00a0km on"), (Numbers{0, 0, 1}));
}

TEST(WordLinks, EveryTokenOfAWordIsLinkedWithEveryTokenOfTheOther) {
  const std::vector<Link> links{{0, 1}, {1, 0}, {2, 0}};
  const std::vector<TokenLink> found = token_links(links, {0, 1, 1, 2, -1}, {-1, 0, 1, 1, -1});
  EXPECT_EQ(found, (std::vector<TokenLink>{{1, 1}, {2, 1}, {3, 1}, {0, 2}, {0, 3}}));
  EXPECT_TRUE(token_links(links, {}, {}).empty()) << "words without tokens";
}

TEST(WordLinks, LinksBeyondTheWordsAreRefused) {
  EXPECT_EQ(links_between("0-1 1-0", "a b", "c d", "here").size(), 2u);
  EXPECT_TRUE(links_between("", "", "", "here").empty());
  const auto failure = [](const std::string& links) -> std::string {
    try {
      links_between(links, "a b", "c d e", "file:7");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string links : {"0-0 2-0", "0-3", "0p0", "nonsense", "1", "-1-0", "0-99999999999"}) {
    const std::string message = failure(links);
    EXPECT_TRUE(message.starts_with("file:7: ")) << links << ": " << message;
  }
  EXPECT_NE(failure("0-0 2-0").find("2-0 exceeds the 2 words of the source"), std::string::npos);
  EXPECT_NE(failure("0-3").find("0-3 exceeds the 3 words of the target"), std::string::npos);
}

struct GuidedText : testing::Test {
  GuidedText() {
    tokenizers.source = tokenizers.target =
        std::make_shared<const Subwords>(Subwords::from_bytes(cat_model(), "cat"));
    files.source = folder.write("text.en", "the cat\n\nthe mat sat on\n");
    files.target = folder.write("text.de", "cat the\n\non sat the mat\n");
    files.links = folder.write("links", "0-1 1-0\n\n0-2 1-3 3-0\n");
  }
  Corpus read(bool links = true) {
    const auto encoder = pair_encoder(settings, tokenizers, {.links = links});
    return read_text(IndexedPairs(files, folder.path(), heard), *encoder, 2, heard).examples;
  }
  /// The text of each linked pair of tokens.
  std::vector<std::string> texts(const Corpus& corpus, PairIndex pair) {
    std::vector<std::string> all;
    for (const TokenLink& link : corpus.links(pair)) {
      all.push_back(tokenizers.source->piece_text(corpus.source(pair)[index(link.source)]) + "-" +
                    tokenizers.target->piece_text(corpus.target(pair)[index(link.target)]));
    }
    return all;
  }
  TemporaryDirectory folder;
  HeardListener heard;
  Tokenizers tokenizers;
  TokenizerSettings settings;
  ParallelFiles files;
};

TEST_F(GuidedText, LinksOfWordsBecomeLinksOfTokens) {
  const Corpus corpus = read();
  ASSERT_EQ(corpus.size(), 2u);
  EXPECT_EQ(texts(corpus, 0), (std::vector<std::string>{" cat- cat", " the- the"}));
  EXPECT_EQ(texts(corpus, 1), (std::vector<std::string>{" on- on", " the- the", " mat- mat"}));
  EXPECT_TRUE(read(false).links(0).empty());
}

TEST_F(GuidedText, BatchesNumberTheTokensOfAllTheirRows) {
  const Corpus corpus = read();
  const std::vector<PairIndex> both{1, 0};
  const Batch batch = gather(corpus, both);
  ASSERT_EQ(batch.links.size(), 5u);
  for (const TokenLink& link : batch.links) {
    EXPECT_EQ(batch.source.tokens[index(link.source)], batch.target.tokens[index(link.target)]);
  }
  EXPECT_GE(batch.links.back().target, batch.target.starts[1]);
}

TEST_F(GuidedText, PairsWithoutLinksMayPrecedeAndFollowThem) {
  Corpus corpus, more;
  const std::vector<TokenId> row{3, 2};
  const std::vector<TokenLink> links{{0, 0}, {1, 1}};
  corpus.add(row, row);
  corpus.add(row, row, 2, links);
  corpus.add(row, row);
  more.add(row, row);
  corpus.append(more);
  more.add(row, row, 1, links);
  corpus.append(more);
  std::vector<std::size_t> counts;
  for (PairIndex pair = 0; pair < corpus.size(); ++pair) counts.push_back(corpus.links(pair).size());
  EXPECT_EQ(counts, (std::vector<std::size_t>{0, 2, 0, 0, 0, 2}));
}

TEST_F(GuidedText, FollowsPiecesThatDropoutChanges) {
  settings.bpe_dropout = 0.999;
  const auto encoder = pair_encoder(settings, tokenizers, {.links = true});
  Random random(1);
  EncodedPairs encoded;
  PairView pair{"the cat", "cat the"};
  pair.links = links_between("0-1 1-0", pair.source, pair.target, "here");
  encoder->encode(pair, 1, &random, encoded);
  const Corpus& corpus = encoded.pairs;
  EXPECT_EQ(corpus.source(0).size(), 9u) << "single characters and the end";
  // "▁cat" with each of "▁cat": 4 times 4, and so on.
  EXPECT_EQ(corpus.links(0).size(), 32u);
  for (const TokenLink& link : corpus.links(0)) EXPECT_EQ(link.source < 4, link.target >= 4);
}

TEST_F(GuidedText, ErrorsNameFileAndLine) {
  const auto failure = [&](const std::string& links) -> std::string {
    files.links = folder.write("links", links);
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(failure("0-1\n\n0-2 0-4\n").find("links:3: the link 0-4 exceeds the 4 words"), std::string::npos);
  EXPECT_NE(failure("0-1\n0-0\n0-2\n").find("links:2: "), std::string::npos) << "an empty pair has no words";
  EXPECT_NE(failure("0-1\n\nnonsense\n").find("links:3: 'nonsense'"), std::string::npos);
  const std::string short_file = failure("0-1\n");
  EXPECT_NE(short_file.find("text.en has 3 lines"), std::string::npos) << short_file;
  EXPECT_NE(short_file.find("links has 1"), std::string::npos) << short_file;
}

}  // namespace
}  // namespace gloss
