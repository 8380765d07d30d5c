// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/subword.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/lines.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

using Pieces = std::vector<std::string>;

Subwords cat() { return Subwords::from_bytes(cat_model(), "cat.model"); }
Subwords cat_with_bytes() {
  return Subwords::from_bytes(cat_model(byte_pieces(), byte_fallback()), "bytes.model");
}

TEST(Subwords, EncodesAsRecorded) {
  const Subwords subwords = cat();
  EXPECT_EQ(subwords.encode_pieces("the cat sat on the mat."),
            (Pieces{"▁the", "▁cat", "▁sat", "▁on", "▁the", "▁mat", "."}));
  EXPECT_EQ(subwords.encode("the cat sat on the mat."), (std::vector<int>{6, 11, 12, 14, 6, 9, 25}));
  EXPECT_EQ(subwords.encode_pieces("hat  ton "), (Pieces{"▁", "h", "at", "▁t", "on"}));
  EXPECT_EQ(subwords.encode_pieces("xyz cat"), (Pieces{"▁", "xyz", "▁cat"}));
  EXPECT_EQ(subwords.encode("xyz cat"), (std::vector<int>{15, 0, 11}));
  EXPECT_EQ(subwords.encode_pieces(""), Pieces{});
  EXPECT_EQ(subwords.encode_pieces("   "), Pieces{});
}

TEST(Subwords, KnowsItsPieces) {
  const Subwords subwords = cat();
  EXPECT_EQ(subwords.size(), 27);
  EXPECT_EQ(subwords.unknown_id(), 0);
  EXPECT_EQ(subwords.begin_id(), 1);
  EXPECT_EQ(subwords.end_id(), 2);
  EXPECT_EQ(subwords.piece(6), "▁the");
  EXPECT_EQ(subwords.bytes(), cat_model());
}

TEST(Subwords, DecodesWhatItEncoded) {
  const Subwords subwords = cat_with_bytes();
  for (const std::string line :
       {"the cat sat", "the 👨‍👩‍👧 ate 中文\r", "tab\tnul", "<0x41> <s>", "a"}) {
    EXPECT_EQ(subwords.decode(subwords.encode(line)), line);
    EXPECT_EQ(subwords.decode_pieces(subwords.encode_pieces(line)), line);
  }
  EXPECT_EQ(cat().decode_pieces(cat().encode_pieces("the xyz")), "the xyz");
}

TEST(Subwords, DecodesToOneLine) {
  const Subwords subwords = cat_with_bytes();
  EXPECT_EQ(subwords.decode(std::vector<int>{3 + 'a', 3 + '\n', 3 + 'b'}), "a b");
  EXPECT_EQ(subwords.decode_pieces({"a\nb"}), "a b");
}

TEST(Subwords, RefusesIdsOutsideTheVocabulary) {
  const Subwords subwords = cat();
  EXPECT_EQ(subwords.decode(std::vector<int>{}), "");
  EXPECT_THROW(subwords.decode(std::vector<int>{-1}), InputError);
  EXPECT_THROW(subwords.decode(std::vector<int>{27}), InputError);
}

TEST(Subwords, DropoutOfOneGivesCharacters) {
  Random random(1);
  EXPECT_EQ(cat().sample_pieces("the cat", 1, random), (Pieces{"▁", "t", "h", "e", "▁", "c", "a", "t"}));
}

TEST(Subwords, DropoutDependsOnlyOnItsGenerator) {
  const Subwords subwords = cat();
  const std::string line = "the cat sat on the mat the cat sat on the mat";
  Random first(5), second(5), other(6);
  const std::vector<int> ids = subwords.sample(line, 0.3, first);
  EXPECT_EQ(subwords.sample(line, 0.3, second), ids);
  EXPECT_NE(subwords.sample(line, 0.3, other), ids);
  EXPECT_EQ(subwords.decode(ids), line);
}

TEST(Subwords, DropoutSkipsTheRequestedFractionOfMerges) {
  const Subwords subwords = Subwords::from_bytes(subword_model("", {"ab"}, {"▁", "a", "b"}), "ab.model");
  Random random(3);
  int whole = 0;
  for (int i = 0; i < 10'000; ++i) whole += subwords.sample("ab", 0.3, random).size() == 2 ? 1 : 0;
  EXPECT_NEAR(whole, 7000, 200);
}

TEST(Subwords, DropoutOfZeroIsTheSameAsEncode) {
  const std::string further = model_piece("<x>", 0, 4) + model_piece("<x>y", 0, 4) + model_piece("th", -1, 5);
  for (const std::string& model :
       {cat_model(), cat_model(byte_pieces(), byte_fallback()), cat_model(further),
        cat_model(byte_pieces() + further, byte_fallback()), cat_model("", "", wire_varint(4, 0)),
        cat_model("", "", wire_varint(3, 0))}) {
    const Subwords subwords = Subwords::from_bytes(model, "model");
    std::vector<std::string> lines = nasty_lines();
    lines.push_back("the <x>y <x>yz th<x>e");
    for (const std::string& line : lines) {
      const std::string text = clean_text(line, Normalization::none).text;
      Random random(1);
      EXPECT_EQ(subwords.sample(text, 0, random), subwords.encode(text)) << line.substr(0, 50);
      EXPECT_EQ(subwords.sample_pieces(text, 0, random), subwords.encode_pieces(text)) << line.substr(0, 50);
    }
  }
}

TEST(Subwords, UnigramModelsEncodeButHaveNoDropout) {
  const Subwords subwords =
      Subwords::from_bytes(subword_model("", {"the", "cat"}, {"▁", "t"}, wire_varint(3, 1)), "unigram.model");
  EXPECT_EQ(subwords.encode_pieces("the cat"), (Pieces{"▁", "the", "▁", "cat"}));
  Random random(1);
  EXPECT_THROW(subwords.sample("the cat", 0.1, random), InputError);
  EXPECT_FALSE(subwords.reason_against_sampling().empty());
}

/// The output of spm_encode for a text; empty if the program is missing.
std::optional<std::string> spm_encode(const std::string& model, const std::string& text,
                                      const std::string& format) {
  const std::string program = "/usr/bin/spm_encode";
  if (!std::filesystem::exists(program)) return std::nullopt;
  return run_program({program, "--model=" + model, "--output_format=" + format}, text).output;
}

void expect_as_spm_encode(const Subwords& subwords, const std::string& model,
                          const std::vector<std::string>& lines) {
  std::string text, pieces, ids;
  for (const std::string& line : lines) {
    text += line + "\n";
    std::string separator;
    for (const std::string& piece : subwords.encode_pieces(line))
      pieces += std::exchange(separator, " ") + piece;
    separator.clear();
    for (const int id : subwords.encode(line)) ids += std::exchange(separator, " ") + std::to_string(id);
    pieces += '\n';
    ids += '\n';
  }
  const std::optional<std::string> expected = spm_encode(model, text, "piece");
  if (!expected) GTEST_SKIP() << "SKIPPED: spm_encode is missing (Debian package sentencepiece)";
  EXPECT_TRUE(pieces == *expected);
  EXPECT_TRUE(ids == *spm_encode(model, text, "id"));
}

TEST(Subwords, EncodesNastyLinesAsSpmEncode) {
  const TemporaryDirectory folder;
  std::vector<std::string> lines;
  for (const std::string& line : nasty_lines()) lines.push_back(clean_text(line, Normalization::none).text);
  // Models that cannot encode words independently: a merge across words, a user symbol with a space, kept
  // spaces, no space before the first word.
  for (const std::string& model :
       {cat_model(), cat_model(byte_pieces(), byte_fallback()), cat_model(model_piece("e▁c", 1)),
        cat_model(model_piece("the▁cat", 0, 4)), cat_model("", "", wire_varint(4, 0)),
        cat_model("", "", wire_varint(3, 0)), cat_model("", wire_varint(24, 1))}) {
    const std::string path = folder.write("x.model", model);
    expect_as_spm_encode(Subwords::load(path), path, lines);
  }
}

TEST(Subwords, EncodesMulti30kAsSpmEncode) {
  GLOSS_NEED_SHARED_DATA(data, "multi30k");
  std::vector<std::string> lines;
  for (const std::string name : {"raw/val.de", "raw/val.en", "captions/train.de"}) {
    for (std::string& line : read_lines(*data + "/" + name)) lines.push_back(std::move(line));
  }
  SubwordSettings settings;
  settings.sample_lines = 20'000;
  settings.user_symbols = {"Mann", "a,b"};
  Listener listener;
  for (const bool byte_fallback : {false, true}) {
    settings.byte_fallback = byte_fallback;
    settings.character_coverage = byte_fallback ? 0.999 : 1;
    std::size_t next = 0;
    const Subwords subwords =
        learn_subwords([&](std::string& line) { return next < lines.size() && (line = lines[next++], true); },
                       settings, 2, listener);
    const TemporaryDirectory folder;
    expect_as_spm_encode(subwords, folder.write("x.model", subwords.bytes()),
                         {lines.begin(), lines.begin() + 10'000});
    Random random(1);
    for (std::size_t i = 0; i < lines.size(); i += 200) {
      EXPECT_EQ(subwords.sample(lines[i], 0, random), subwords.encode(lines[i]));
    }
  }
}

}  // namespace
}  // namespace gloss
