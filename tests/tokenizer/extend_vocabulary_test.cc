// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/extend_vocabulary.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/support/run_program.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Strings = std::vector<std::string>;

constexpr VocabularyType kTypes[] = {VocabularyType::bpe, VocabularyType::unigram, VocabularyType::character,
                                     VocabularyType::byte_bpe};

Subwords learn(VocabularyType type) {
  Strings lines;
  for (const char* who : {"the cat", "a child", "der Mann", "3 birds"}) {
    for (const char* what : {"sees", "hears", "follows", "greets"}) {
      for (const char* whom : {"the mouse", "a ball", "his brother <na>", "12 umbrellas > 1"}) {
        lines.push_back(std::string(who) + " " + what + " " + whom + ".");
      }
    }
  }
  SubwordSettings settings;
  settings.type = type;
  settings.size = type == VocabularyType::byte_bpe ? 300 : 42;
  settings.user_symbols = {"<old>"};
  Listener listener;
  std::size_t next = 0;
  return learn_subwords(
      [&](std::string& line) { return next < lines.size() && (line = lines[next++], true); }, settings, 1,
      listener);
}

Strings pieces_of(const Subwords& subwords, const std::vector<int>& ids) {
  Strings pieces;
  for (const int id : ids) pieces.push_back(subwords.piece(id));
  return pieces;
}

std::string refusal(const Subwords& subwords, const Strings& symbols) {
  try {
    extend_vocabulary(subwords, symbols);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

const Strings kSymbols{"<name>", "日本", "mat"};

TEST(ExtendVocabulary, OldIdsStayAndNewSymbolsAreFound) {
  for (const VocabularyType type : kTypes) {
    const Subwords old = learn(type);
    const Subwords extended = extend_vocabulary(old, kSymbols).subwords;
    ASSERT_EQ(extended.size(), old.size() + 3);
    for (int id = 0; id < old.size(); ++id) ASSERT_EQ(extended.piece(id), old.piece(id));
    EXPECT_EQ(extended.unknown_id(), old.unknown_id());
    EXPECT_EQ(extended.begin_id(), old.begin_id());
    EXPECT_EQ(extended.end_id(), old.end_id());
    for (const std::string line : {"the mouse sees <na> a ball", "his brother", "", "<old> follows 2 > 1."}) {
      EXPECT_EQ(extended.encode(line), old.encode(line)) << line;
    }
    for (int symbol = 0; symbol < 3; ++symbol) {
      const std::string& text = kSymbols[index(symbol)];
      EXPECT_EQ(extended.piece_text(old.size() + symbol), text);
      const std::vector<int> ids = extended.encode("a " + text + text + "s");
      EXPECT_EQ(std::ranges::count(ids, old.size() + symbol), 2) << text;
      EXPECT_EQ(extended.decode(ids), "a " + text + text + "s");
    }
    if (type == VocabularyType::bpe || type == VocabularyType::byte_bpe) {
      Random random(3);
      const std::vector<int> ids = extended.sample("the <name> sees", 0.9, random);
      EXPECT_EQ(std::ranges::count(ids, old.size()), 1) << "no dropout within symbols";
    }
    // An extended vocabulary can be extended again.
    EXPECT_EQ(extend_vocabulary(extended, {"<more>"}).subwords.encode("<more>").back(), old.size() + 3);
  }
}

TEST(ExtendVocabulary, ReturnsTheOldPiecesOfSymbols) {
  for (const VocabularyType type : kTypes) {
    const Subwords old = learn(type);
    const ExtendedVocabulary extended = extend_vocabulary(old, kSymbols);
    ASSERT_EQ(extended.old_pieces.size(), 3u);
    for (std::size_t symbol = 0; symbol < 3; ++symbol) {
      const std::vector<int>& ids = extended.old_pieces[symbol];
      ASSERT_FALSE(ids.empty());
      for (const int id : ids) ASSERT_LT(id, old.size());
      EXPECT_NE(old.piece(ids[0]), "▁");
    }
    EXPECT_EQ(old.decode(extended.old_pieces[0]), "<name>");
  }
  EXPECT_EQ(pieces_of(learn(VocabularyType::character),
                      extend_vocabulary(learn(VocabularyType::character), {"cat"}).old_pieces[0]),
            (Strings{"c", "a", "t"}));
  const ExtendedVocabulary unknown = extend_vocabulary(learn(VocabularyType::bpe), {"日本"});
  EXPECT_EQ(unknown.old_pieces[0], std::vector<int>{0});
  const ExtendedVocabulary bytes = extend_vocabulary(learn(VocabularyType::byte_bpe), {"ß"});
  EXPECT_EQ(pieces_of(bytes.subwords, bytes.old_pieces[0]), (Strings{"Ã", "Ł"}));
}

TEST(ExtendVocabulary, RefusesInvalidAndKnownSymbols) {
  const Subwords subwords = learn(VocabularyType::bpe);
  EXPECT_NE(refusal(subwords, {"<old>"}).find("'<old>'"), std::string::npos) << refusal(subwords, {"<old>"});
  EXPECT_NE(refusal(subwords, {"<old>"}).find("id 3"), std::string::npos) << refusal(subwords, {"<old>"});
  EXPECT_NE(refusal(subwords, {"e"}).find("already"), std::string::npos);
  EXPECT_NE(refusal(subwords, {"</s>"}).find("special"), std::string::npos);
  EXPECT_NE(refusal(subwords, {""}).find("empty"), std::string::npos);
  EXPECT_NE(refusal(subwords, {"a b"}).find("space"), std::string::npos);
  EXPECT_NE(refusal(subwords, {"x▁"}).find("U+2581"), std::string::npos);
  EXPECT_NE(refusal(subwords, {"<x>", "<x>"}).find("twice"), std::string::npos);
  EXPECT_NE(refusal(learn(VocabularyType::byte_bpe), {"Ã"}).find("no error"), std::string::npos)
      << "a byte character of a byte-level model is not a piece of text";
}

TEST(ExtendVocabulary, SentencePieceReadsTheFilesAndAgrees) {
  const std::string encoder = "/usr/bin/spm_encode";
  if (!std::filesystem::exists(encoder)) {
    GTEST_SKIP() << "SKIPPED: spm_encode is missing (Debian package sentencepiece)";
  }
  const TemporaryDirectory folder;
  for (const VocabularyType type : kTypes) {
    const Subwords extended = extend_vocabulary(learn(type), kSymbols).subwords;
    const std::string model = folder.write("x.model", extended.bytes());
    std::string text, ids;
    for (const std::string line : {"the <name> sees <old>", "cats 日本<name>", "<name> <na> cat"}) {
      std::string line_ids;
      for (const int id : extended.encode(line))
        line_ids += (line_ids.empty() ? "" : " ") + std::to_string(id);
      text += line + "\n";
      ids += line_ids + "\n";
    }
    EXPECT_EQ(run_program({encoder, "--model=" + model, "--output_format=id"}, text).output, ids);
  }
}

}  // namespace
}  // namespace gloss
