// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <set>

#include "tests/support/learned_vocabulary.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(VocabularyTypes, DropoutNeedsMerges) {
  Random random(1);
  for (const auto& [type, name] :
       {std::pair(VocabularyType::character, "character"), std::pair(VocabularyType::unigram, "unigram")}) {
    const Subwords subwords = learn(type, 45);
    try {
      subwords.sample("the cat", 0.1, random);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("this is a ") + name + " model"),
                std::string::npos);
    }
  }
}

TEST(VocabularyTypes, UnigramModelsHaveTheRequestedSizeAndProbablePieces) {
  const Subwords subwords = learn(VocabularyType::unigram, 45);
  EXPECT_EQ(subwords.size(), 45);
  EXPECT_EQ(subwords.begin_id(), 1);
  EXPECT_EQ(subwords.end_id(), 2);
  for (const std::string& line : sentences()) expect_exact(subwords, line);
  std::size_t pieces = 0, characters = 0;
  for (const std::string& line : sentences()) {
    pieces += subwords.encode(line).size();
    characters += line.size();
  }
  EXPECT_LT(pieces, characters);
}

TEST(VocabularyTypes, TheSameForAnyNumberOfThreads) {
  for (const VocabularyType type :
       {VocabularyType::unigram, VocabularyType::character, VocabularyType::byte_bpe}) {
    SubwordSettings settings;
    settings.type = type;
    settings.size = type == VocabularyType::byte_bpe ? 320 : 45;
    Listener listener;
    const Subwords one = learn(sentences(), settings, listener, 1);
    EXPECT_EQ(learn(sentences(), settings, listener, 4).bytes(), one.bytes());
  }
}

TEST(VocabularyTypes, TinyTextsAreLearnedOrRefused) {
  for (const VocabularyType type :
       {VocabularyType::bpe, VocabularyType::unigram, VocabularyType::character, VocabularyType::byte_bpe}) {
    for (const Strings& lines :
         {Strings{"a"}, Strings{"aa"}, Strings{"a a"}, Strings{"é"}, Strings{"ab", "ab"}}) {
      for (const int size : {4, 5, 259, 1000}) {
        SubwordSettings settings;
        settings.type = type;
        settings.size = size;
        Listener listener;
        try {
          const Subwords subwords = learn(lines, settings, listener);
          EXPECT_LE(subwords.size(), size);
          // In character vocabularies, characters beyond the size have no piece.
          if (type != VocabularyType::character || size > 5) expect_exact(subwords, lines[0]);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("ask for at"), std::string::npos) << error.what();
        }
      }
    }
  }
}

TEST(VocabularyTypes, RefusesSettingsThatContradictByteBpe) {
  SubwordSettings settings;
  settings.type = VocabularyType::byte_bpe;
  settings.byte_fallback = true;
  EXPECT_NE(refusal(settings).find("byte fallback"), std::string::npos);
  settings.byte_fallback = false;
  settings.character_coverage = 0.999;
  EXPECT_NE(refusal(settings).find("character coverage"), std::string::npos);
  settings.character_coverage = 1;
  settings.size = 259;
  settings.user_symbols = {"<x>"};
  EXPECT_NE(refusal(settings).find("ask for at least 260"), std::string::npos) << refusal(settings);
}

TEST(VocabularyTypes, SentencePieceReadsTheFilesAndAgrees) {
  const std::string encoder = "/usr/bin/spm_encode", decoder = "/usr/bin/spm_decode";
  if (!std::filesystem::exists(encoder)) {
    GTEST_SKIP() << "SKIPPED: spm_encode is missing (Debian package sentencepiece)";
  }
  const TemporaryDirectory folder;
  const Strings lines = hard_lines();
  for (const VocabularyType type :
       {VocabularyType::unigram, VocabularyType::character, VocabularyType::byte_bpe}) {
    const Subwords subwords =
        learn(type, type == VocabularyType::byte_bpe ? 330 : 47, sentences(), {"<x>", "a,b"});
    const std::string model = folder.write("x.model", subwords.bytes());
    std::string text, pieces, ids, readable, readable_ids;
    for (const std::string& line : lines) {
      std::string line_ids;
      for (const int id : subwords.encode(line))
        line_ids += (line_ids.empty() ? "" : " ") + std::to_string(id);
      text += line + "\n";
      ids += line_ids + "\n";
      pieces += join(subwords.encode_pieces(line), " ") + "\n";
      if (line.find('\0') != std::string::npos) continue;  // SentencePiece cannot output NUL
      readable += line + "\n";
      readable_ids += line_ids + "\n";
    }
    EXPECT_TRUE(run_program({encoder, "--model=" + model, "--output_format=id"}, text).output == ids);
    EXPECT_TRUE(run_program({encoder, "--model=" + model, "--output_format=piece"}, text).output == pieces);
    if (type != VocabularyType::byte_bpe) continue;
    EXPECT_TRUE(run_program({decoder, "--model=" + model, "--input_format=id"}, readable_ids).output ==
                readable);
  }
}

}  // namespace
}  // namespace gloss
