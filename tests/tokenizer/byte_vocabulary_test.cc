// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/learned_vocabulary.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/charsmap.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

TEST(ByteVocabulary, AllTextIsEncodedAndDecodedExactly) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 330);
  for (const std::string& line : hard_lines()) expect_exact(subwords, line);
  EXPECT_EQ(subwords.encode(""), std::vector<int>{});
  EXPECT_EQ(subwords.encode_pieces("  ä "), (Strings{"▁", "▁", "▁", "Ã", "¤", "▁"}));
}

TEST(ByteVocabulary, MergesFrequentPairsWithinWords) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 3 + 256 + 2, {"ab ab", "ab", "abc"});
  // The pairs (space, a) and (a, b) are equally frequent; the first consists of older pieces.
  EXPECT_EQ(subwords.piece(259), "▁a");
  EXPECT_EQ(subwords.piece(260), "▁ab");
  EXPECT_EQ(subwords.encode_pieces("abc ab"), (Strings{"▁ab", "c", "▁ab"}));
  SubwordSettings settings;
  settings.type = VocabularyType::byte_bpe;
  settings.size = 262;
  EXPECT_NE(refusal(settings, {"ab ab", "ab", "abc"}).find("ask for at most 261"), std::string::npos);
  for (const char* mixed : {"a1 a1 a1", "a. a. a.", "1. 1. 1.", "a b", "x\xC2\xA0x x\xC2\xA0x"}) {
    settings.size = 1000;
    const std::string message = refusal(settings, {mixed, mixed});
    ASSERT_NE(message.find("ask for at most "), std::string::npos) << message;
    const int most = std::stoi(message.substr(message.find("at most ") + 8));
    const Subwords learned = learn(VocabularyType::byte_bpe, most, {mixed, mixed});
    for (int id = 259; id < most; ++id) {
      const std::string& piece = learned.piece(id);
      EXPECT_EQ(piece.find("▁", 1), std::string::npos) << piece;
      bool digit = false, letter = false, other = false;
      for (const char c : learned.piece_text(id)) {
        digit = digit || (c >= '0' && c <= '9');
        letter = letter || (c >= 'a' && c <= 'z');
        other = other || c == '.' || static_cast<unsigned char>(c) >= 0x80;
      }
      EXPECT_LE(digit + letter + other, 1) << piece;
    }
  }
}

/// A naive reference implementation that counts all pairs before each merge; for letters and spaces only.
Strings merges_by_definition(const Strings& lines, std::size_t count) {
  std::map<Strings, int> words;
  for (const std::string& line : lines) {
    Strings word{" "};
    for (const char byte : line) {
      if (byte == ' ') {
        ++words[word];
        word.clear();
      }
      word.emplace_back(1, byte);
    }
    ++words[word];
  }
  std::map<std::string, int> age;
  for (int byte = 0; byte < 256; ++byte) age[std::string(1, static_cast<char>(byte))] = byte;
  Strings merged;
  while (merged.size() < count) {
    std::map<std::pair<std::string, std::string>, int> pairs;
    for (const auto& [word, times] : words) {
      for (std::size_t i = 1; i < word.size(); ++i) pairs[{word[i - 1], word[i]}] += times;
    }
    std::pair<std::string, std::string> best;
    int most = 1;
    for (const auto& [pair, times] : pairs) {
      const bool older =
          times == most && most > 1 &&
          std::pair(age[pair.first], age[pair.second]) < std::pair(age[best.first], age[best.second]);
      if (times > most || older) {
        best = pair;
        most = times;
      }
    }
    if (most < 2) break;
    const std::string text = best.first + best.second;
    if (!age.contains(text)) {
      age[text] = static_cast<int>(age.size());
      merged.push_back(text);
    }
    std::map<Strings, int> next;
    for (const auto& [word, times] : words) {
      Strings pieces;
      for (std::size_t i = 0; i < word.size(); ++i) {
        const bool here = i + 1 < word.size() && word[i] == best.first && word[i + 1] == best.second;
        pieces.push_back(here ? text : word[i]);
        i += here ? 1 : 0;
      }
      next[pieces] += times;
    }
    words = next;
  }
  return merged;
}

TEST(ByteVocabulary, LearnsTheSameMergesAsTheNaiveAlgorithm) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    Strings lines;
    for (int line = 0; line < 30; ++line) {
      std::string text;
      for (int word = 0; word < 6; ++word) {
        text += word == 0 ? "" : " ";
        for (std::uint64_t letter = 1 + random.below(9); letter > 0; --letter)
          text += static_cast<char>('a' + random.below(3));
      }
      lines.push_back(text);
    }
    const Strings expected = merges_by_definition(lines, 60);
    const Subwords subwords = learn(VocabularyType::byte_bpe, 259 + static_cast<int>(expected.size()), lines);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(subwords.piece_text(259 + static_cast<int>(i)), expected[i]) << "round " << round;
    }
  }
}

TEST(ByteVocabulary, DropoutSkipsMerges) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 330);
  for (const std::string& line : hard_lines()) {
    Random zero(1), some(2), all(3);
    ASSERT_EQ(subwords.sample(line, 0, zero), subwords.encode(line));
    ASSERT_TRUE(subwords.decode(subwords.sample(line, 0.5, some)) == line);
    if (!line.empty()) {
      ASSERT_EQ(subwords.sample(line, 1, all).size(), line.size() + 1)
          << "one piece for each byte and for the space";
    }
  }
  Random first(5), second(5), other(6);
  const std::string line = "the child follows the cat and the mouse";
  EXPECT_EQ(subwords.sample(line, 0.3, first), subwords.sample(line, 0.3, second));
  EXPECT_NE(subwords.sample(line, 0.3, other), subwords.encode(line));
}

TEST(ByteVocabulary, UserSymbolsAreNotSplitAndTheirByteCharactersAreNoSymbols) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 335, sentences(), {"<name>", "中文", "a", "<na"});
  EXPECT_EQ(subwords.encode_pieces("<name>中文<nx"),
            (Strings{"▁", "<name>", byte_characters("中文"), "<", "n", "x"}));
  EXPECT_EQ(subwords.piece_text(4), "中文");
  EXPECT_EQ(subwords.encode("a").back(), 5);
  expect_exact(subwords, byte_characters("中文"));  // the piece's byte characters, as text
  for (const std::string& line : hard_lines()) expect_exact(subwords, line);
}

TEST(ByteVocabulary, IncompleteCharactersAreDecodedToReplacementCharacters) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 300);
  const std::vector<int> ids = subwords.encode("ä");
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(subwords.decode(std::span(ids).first(2)), "\xEF\xBF\xBD");
  EXPECT_EQ(subwords.decode(std::vector<int>{3 + '\n'}), " ");
  EXPECT_EQ(subwords.decode(std::vector<int>{1, 3 + ' ', 3 + 'b', 2}), "b");
  EXPECT_THROW(subwords.decode(std::vector<int>{300}), InputError);
  EXPECT_EQ(subwords.decode_pieces({"▁b", "日本"}), "b日本");
}

TEST(ByteVocabulary, RulesPassTheCheckOfCharsmaps) {
  EXPECT_NO_THROW(check_charsmap(byte_level_rules(), "rules"));
  EXPECT_EQ(byte_characters("a ä\n"), "a▁Ã¤Ċ");
  std::set<std::string> characters;
  for (int byte = 0; byte < 256; ++byte) characters.insert(byte_character(static_cast<unsigned char>(byte)));
  EXPECT_EQ(characters.size(), 256u);
}

TEST(ByteVocabulary, RefusesInvalidByteLevelModels) {
  const auto message = [](const std::string& bytes) -> std::string {
    try {
      Subwords::from_bytes(bytes, "bad.model");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  Strings all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(byte_character(static_cast<unsigned char>(byte)));
  const std::string rules = wire_bytes(2, byte_level_rules());
  const std::string keeps = wire_varint(4, 0);
  EXPECT_EQ(message(subword_model("", {"▁a"}, all, "", rules + keeps)), "no error");
  const auto expect_refused = [&](const std::string& bytes, const std::string& why) {
    EXPECT_TRUE(message(bytes).starts_with("bad.model: a model with byte-level rules")) << message(bytes);
    EXPECT_NE(message(bytes).find(why), std::string::npos) << message(bytes);
  };
  Strings without = all;
  without.erase(without.begin() + 0xC3);
  expect_refused(subword_model("", {}, without, "", rules + keeps), "<0xC3>");
  expect_refused(subword_model("", {"中"}, all, "", rules + keeps), "pieces[3] is '中'");
  expect_refused(subword_model("", {"a▁"}, all, "", rules + keeps), "pieces[3] is 'a▁'");
  expect_refused(subword_model("", {"▁▁"}, all, "", rules + keeps), "pieces[3] is '▁▁'");
  expect_refused(subword_model(model_piece("▁x", 0, 4), {}, all, "", rules + keeps), "pieces[3] is '▁x'");
  expect_refused(subword_model("", {}, all, "", rules), "add_dummy_prefix");
  expect_refused(subword_model("", {}, all, "", rules + keeps + wire_varint(3, 0)), "add_dummy_prefix");
  expect_refused(subword_model("", {}, all, wire_varint(3, 1), rules + keeps), "BPE");
  expect_refused(subword_model("", {}, all, wire_varint(24, 1), rules + keeps), "treat_whitespace");
  expect_refused(subword_model(byte_pieces(), {}, all, byte_fallback(), rules + keeps), "byte_fallback");
  // SentencePiece must not normalise with the inverse rules, whose replacements are not UTF-8.
  const std::string back = wire_bytes(2, byte_level_rules_back());
  EXPECT_NE(message(subword_model("", {}, all, "", back)).find("not UTF-8"), std::string::npos);
  EXPECT_NE(message(subword_model("", {}, all) + wire_bytes(5, back)).find("denormalizer_spec"),
            std::string::npos);
  EXPECT_EQ(message(subword_model("", {}, all, "", rules + keeps) + wire_bytes(5, back)), "no error");
}

}  // namespace
}  // namespace gloss
