// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/foreign_vocabulary.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/subword_model.h"
#include "tokenizer/extend_vocabulary.h"
#include "tokenizer/model_file.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

using Ids = std::vector<int>;
using Pieces = std::vector<std::string>;

ForeignVocabulary word_pieces() {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the",  "cat", "##s",
                       "ca",    "##fe",  "!",     "中",    "a",      "##ab", "b",   "##b"};
  vocabulary.unknown = 1;
  vocabulary.begin = 2;
  vocabulary.end = 3;
  for (int id = 0; id < 5; ++id) vocabulary.specials.push_back({id});
  return vocabulary;
}

TEST(WordPieces, TakeTheLongestPieces) {
  const Subwords subwords = Subwords::from_bytes(word_piece_file(word_pieces(), true, "vocab.txt"), "file");
  EXPECT_EQ(subwords.size(), 16);
  EXPECT_EQ(subwords.begin_id(), 2);
  EXPECT_EQ(subwords.end_id(), 3);
  EXPECT_EQ(subwords.encode("The cats!"), (Ids{5, 6, 7, 10}));
  EXPECT_EQ(subwords.encode_pieces("The cats!"), (Pieces{"▁the", "▁cat", "s", "▁!"}));
  EXPECT_EQ(subwords.decode(subwords.encode("The cats!")), "the cats !");
  EXPECT_EQ(subwords.encode("Café"), (Ids{8, 9}));
  EXPECT_EQ(subwords.encode("the中the"), (Ids{5, 11, 5})) << "Chinese characters are words";
  EXPECT_EQ(subwords.encode("abb"), (Ids{12, 15, 15}));
  EXPECT_EQ(subwords.encode("the dog"), (Ids{5, 1})) << "one unknown piece for a word";
  EXPECT_EQ(subwords.encode("catx"), (Ids{1}));
  EXPECT_EQ(subwords.encode_pieces("the dog"), (Pieces{"▁the", "▁dog"}));
  EXPECT_EQ(subwords.encode(std::string(100, 'b')).size(), 100u);
  EXPECT_EQ(subwords.encode(std::string(101, 'b')), Ids{1});
  EXPECT_EQ(subwords.encode("a\x01"
                            "b\t\xE2\x80\x8B"
                            "b"),
            (Ids{12, 15, 14}))
      << "without control characters";
  EXPECT_EQ(subwords.encode(" \n "), Ids{});
}

TEST(WordPieces, KeepCaseOnRequest) {
  const Subwords subwords = Subwords::from_bytes(word_piece_file(word_pieces(), false, "vocab.txt"), "file");
  EXPECT_EQ(subwords.encode("The cat"), (Ids{1, 6}));
}

TEST(WordPieces, RecogniseSpecialPiecesInText) {
  const Subwords subwords = Subwords::from_bytes(word_piece_file(word_pieces(), true, "vocab.txt"), "file");
  EXPECT_EQ(subwords.encode("the [MASK]!"), (Ids{5, 4, 10}));
  EXPECT_EQ(subwords.decode(Ids{2, 5, 4, 10, 3}), "the !");
  EXPECT_EQ(subwords.decode_pieces(subwords.encode_pieces("[CLS] the [MASK]!")), "the !");
  EXPECT_EQ(subwords.piece_text(4), "");
  EXPECT_EQ(subwords.piece_text(6), " cat");
  EXPECT_EQ(subwords.piece_text(7), "s");
}

ForeignVocabulary byte_pairs() {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = {"<s>",
                       "</s>",
                       "<mask>",
                       "a",
                       "b",
                       "c",
                       "\xC4\xA0",
                       "ab",
                       "bc",
                       "abc",
                       "\xC4\xA0"
                       "a",
                       "'",
                       "s",
                       "1",
                       "\xC3\x83",
                       "\xC2\xA4"};
  vocabulary.unknown = 0;
  vocabulary.begin = 0;
  vocabulary.end = 1;
  vocabulary.specials = {{0}, {1}, {2, true}};
  return vocabulary;
}
const std::vector<std::pair<std::string, std::string>> kMerges{
    {"b", "c"}, {"a", "b"}, {"ab", "c"}, {"\xC4\xA0", "a"}};

TEST(RankedPairs, MergeOnlyGivenPairsInTheirOrder) {
  const Subwords subwords =
      Subwords::from_bytes(ranked_pairs_file(byte_pairs(), kMerges, "merges.txt"), "file");
  // "b" and "c" come first; "a" and "bc" is not among the pairs, although "abc" is a piece.
  EXPECT_EQ(subwords.encode_pieces("abc"), (Pieces{"a", "bc"}));
  EXPECT_EQ(subwords.encode("ab ab"), (Ids{7, 6, 7}));
  EXPECT_EQ(subwords.encode(" a"), Ids{10});
  EXPECT_EQ(subwords.encode("a's"), (Ids{3, 11, 12}));
  EXPECT_EQ(subwords.encode("ä"), (Ids{14, 15})) << "two bytes";
  EXPECT_EQ(subwords.encode("x"), Ids{0});
  for (const std::string text : {"abc ab", " a b's", "a1", "  a  ", "ä"}) {
    EXPECT_EQ(subwords.decode(subwords.encode(text)), text);
  }
  EXPECT_EQ(subwords.encode("a  <mask> b"), (Ids{3, 2, 6, 4})) << "the mask takes the spaces before it";
  EXPECT_EQ(subwords.decode(Ids{0, 3, 15, 1}), "a\xEF\xBF\xBD");
  Random random(1);
  EXPECT_EQ(subwords.sample("ab", 1, random), (Ids{3, 4}));
}

TEST(RankedPairs, SplitWordsAsGPT2) {
  const Subwords subwords =
      Subwords::from_bytes(ranked_pairs_file(byte_pairs(), kMerges, "merges.txt"), "file");
  // Letters and digits are different words, so that no pair across them is considered; of several spaces the
  // last one belongs to the next word.
  EXPECT_EQ(subwords.encode_pieces("a1a"), (Pieces{"a", "1", "a"}));
  EXPECT_EQ(subwords.encode_pieces("a   a"), (Pieces{"a", "▁", "▁", "▁a"}));
}

TEST(RankedPairs, RefuseMergesWithoutAPiece) {
  EXPECT_THROW(ranked_pairs_file(byte_pairs(), {{"c", "c"}}, "merges.txt"), InputError);
  EXPECT_THROW(ranked_pairs_file(byte_pairs(), {{"c", "x"}}, "merges.txt"), InputError);
}

TEST(WholeWords, StandBetweenSpaces) {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "the", "cat", ","};
  vocabulary.unknown = 1;
  vocabulary.end = 0;
  const Subwords subwords = Subwords::from_bytes(words_file(vocabulary, "vocab.yml"), "file");
  EXPECT_EQ(subwords.encode(" the  cat , dog"), (Ids{2, 3, 4, 1}));
  EXPECT_EQ(subwords.decode(Ids{2, 3, 4, 0}), "the cat ,");
  EXPECT_EQ(subwords.decode(Ids{2, 1}), "the ⁇");
  EXPECT_EQ(subwords.begin_id(), -1);
  EXPECT_EQ(subwords.end_id(), 0);
  Random random(1);
  EXPECT_THROW(subwords.sample("the", 0.5, random), InputError);
}

TEST(RenumberedModel, SplitsAsBeforeWithOtherIds) {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "▁the", ">>de<<", "▁cat", "elsewhere", "▁", "d", "▁s", "<pad>", "qq"};
  vocabulary.unknown = 1;
  vocabulary.end = 0;
  vocabulary.specials = {{0}, {1}, {3}, {9}};
  const Subwords own = Subwords::from_bytes(cat_model(), "cat.model");
  const Subwords subwords =
      Subwords::from_bytes(renumbered_file(vocabulary, cat_model(), "vocab.json"), "file");
  EXPECT_EQ(subwords.size(), 11);
  EXPECT_EQ(subwords.encode_pieces("the cat sat on"), own.encode_pieces("the cat sat on"));
  EXPECT_EQ(subwords.encode("the cat sat"), (Ids{2, 4, 1})) << "▁sat is not in the vocabulary";
  EXPECT_EQ(subwords.encode(">>de<< the cat</s>"), (Ids{3, 2, 4, 0}));
  EXPECT_EQ(subwords.encode("elsewhere").back(), 1) << "'elsewhere' has characters that are pieces";
  EXPECT_EQ(subwords.encode("the qq"), (Ids{2, 6, 10})) << "'qq' is a run of unknown characters";
  EXPECT_EQ(subwords.decode(Ids{2, 5, 10, 4}), "theelsewhereqq cat");
  EXPECT_EQ(subwords.decode(Ids{3, 2, 4, 0}), "the cat");
}

TEST(RenumberedModel, AttachesPunctuationOnRequest) {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = {"</s>", "<unk>", "a", ".", "'s", "n't", "'"};
  vocabulary.unknown = 1;
  vocabulary.end = 0;
  vocabulary.attaches_punctuation = true;
  const Subwords subwords = Subwords::from_bytes(words_file(vocabulary, "vocab.yml"), "file");
  EXPECT_EQ(subwords.decode(Ids{2, 3, 2, 4, 2, 5, 2, 6, 2, 3}), "a. a's an't a'a.");
}

TEST(ForeignVocabulary, RefusesWhatContradictsItself) {
  ForeignVocabulary twice = word_pieces();
  twice.pieces[6] = "the";
  EXPECT_THROW(word_piece_file(twice, true, "vocab.txt"), InputError);
  ForeignVocabulary outside = word_pieces();
  outside.unknown = 16;
  EXPECT_THROW(word_piece_file(outside, true, "vocab.txt"), InputError);
  outside = word_pieces();
  outside.specials.push_back({-1});
  EXPECT_THROW(word_piece_file(outside, true, "vocab.txt"), InputError);
}

TEST(ForeignVocabulary, IsNotExtended) {
  const Subwords subwords = Subwords::from_bytes(word_piece_file(word_pieces(), true, "vocab.txt"), "file");
  EXPECT_THROW(extend_vocabulary(subwords, {"<new>"}), UsageError);
}

/// A file with the pieces of `cat_model` and a hand-made field of foreign rules.
void expect_refused(const std::string& rules) {
  EXPECT_THROW(Subwords::from_bytes(cat_model() + wire_bytes(kForeignRulesField, rules), "file"), InputError);
}

TEST(ForeignRules, AreChecked) {
  const std::string size = wire_varint(2, 27);
  Subwords::from_bytes(cat_model() + wire_bytes(kForeignRulesField, size), "file");
  expect_refused(wire_varint(2, 28));
  expect_refused(wire_varint(3, 1));
  expect_refused(size + wire_varint(1, 4));
  expect_refused(size + wire_varint(3, 28));
  expect_refused(size + wire_bytes(5, ""));
  expect_refused(size + wire_bytes(5, wire_varint(1, 28)));
  expect_refused(size + wire_varint(1, 2) + wire_bytes(8, wire_varint(1, 16)));
  expect_refused(size + wire_varint(1, 2) + wire_bytes(8, wire_varint(1, 16) + wire_varint(2, 16)));
  expect_refused(size + "\x08");
  std::string pieces, specials = wire_varint(2, 27 + 65);
  for (unsigned length = 2; length < 67; ++length) {
    pieces += model_piece(std::string(length, 'q'), 0, 3);
    specials += wire_bytes(5, wire_varint(1, 27 + length - 1));
  }
  EXPECT_THROW(Subwords::from_bytes(cat_model() + pieces + wire_bytes(kForeignRulesField, specials), "file"),
               InputError)
      << "65 lengths";
}

}  // namespace
}  // namespace gloss
