#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "tests/support/run_program.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/characters.h"
#include "tokenizer/charsmap.h"
#include "tokenizer/model_writer.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

using Strings = std::vector<std::string>;

struct Heard : Listener {
  void note(const std::string& text) override { all += text + "\n"; }
  void warn(const std::string& text) override { all += "warning: " + text + "\n"; }
  std::string all;
};

Strings sentences() {
  Strings lines;
  for (const char* who : {"the cat", "a child", "der Mann", "die Bäckerin", "3 birds"}) {
    for (const char* what : {"sees", "hears", "follows", "grüßt"}) {
      for (const char* whom : {"the mouse", "a ball", "den Schlüssel", "his brother", "12 umbrellas"}) {
        lines.push_back(std::string(who) + " " + what + " " + whom + ".");
      }
    }
  }
  return lines;
}

Subwords learn(const Strings& lines, const SubwordSettings& settings, Listener& listener, int threads = 1) {
  std::size_t next = 0;
  return learn_subwords(
      [&](std::string& line) { return next < lines.size() && (line = lines[next++], true); }, settings,
      threads, listener);
}

Subwords learn(VocabularyType type, int size, const Strings& lines = sentences(),
               const Strings& symbols = {}) {
  SubwordSettings settings;
  settings.type = type;
  settings.size = size;
  settings.user_symbols = symbols;
  Listener listener;
  return learn(lines, settings, listener);
}

std::string refusal(const SubwordSettings& settings, const Strings& lines = sentences()) {
  Listener listener;
  try {
    learn(lines, settings, listener);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Lines of valid UTF-8 that break careless programs, and random ones.
Strings hard_lines() {
  Strings lines;
  for (const std::string& line : nasty_lines()) lines.push_back(clean_text(line, Normalization::none).text);
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    std::string line;
    for (std::uint64_t length = random.below(30); length > 0; --length) {
      constexpr char32_t kEnds[] = {0x80, 0x180, 0x800, 0x3000, 0x10000, 0x110000};
      const auto character = static_cast<char32_t>(random.below(kEnds[random.below(6)]));
      const bool surrogate = character >= 0xD800 && character < 0xE000;
      append_utf8(line, surrogate || character == '\n' ? U' ' : character);
    }
    lines.push_back(line);
  }
  return lines;
}

void expect_exact(const Subwords& subwords, const std::string& line) {
  const std::vector<int> ids = subwords.encode(line);
  for (const int id : ids) ASSERT_NE(id, subwords.unknown_id()) << line;
  ASSERT_TRUE(subwords.decode(ids) == line) << line.substr(0, 80);
  ASSERT_TRUE(subwords.decode_pieces(subwords.encode_pieces(line)) == line) << line.substr(0, 80);
}

TEST(ByteVocabulary, EveryTextHasPiecesAndComesBack) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 330);
  for (const std::string& line : hard_lines()) expect_exact(subwords, line);
  EXPECT_EQ(subwords.encode(""), std::vector<int>{});
  EXPECT_EQ(subwords.encode_pieces("  ä "), (Strings{"▁", "▁", "▁", "Ã", "¤", "▁"}));
}

TEST(ByteVocabulary, MergesFrequentPairsWithinWords) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 3 + 256 + 2, {"ab ab", "ab", "abc"});
  // Space and a are as frequent as a and b, and older.
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

/// The same by counting all pairs anew before each merge; words of letters and spaces only.
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

TEST(ByteVocabulary, LearnsWhatTheDefinitionGives) {
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

TEST(ByteVocabulary, DropoutLeavesOutMerges) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 330);
  for (const std::string& line : hard_lines()) {
    Random zero(1), some(2), all(3);
    ASSERT_EQ(subwords.sample(line, 0, zero), subwords.encode(line));
    ASSERT_TRUE(subwords.decode(subwords.sample(line, 0.5, some)) == line);
    if (!line.empty()) {
      ASSERT_EQ(subwords.sample(line, 1, all).size(), line.size() + 1)
          << "a piece for each byte and the space";
    }
  }
  Random first(5), second(5), other(6);
  const std::string line = "the child follows the cat and the mouse";
  EXPECT_EQ(subwords.sample(line, 0.3, first), subwords.sample(line, 0.3, second));
  EXPECT_NE(subwords.sample(line, 0.3, other), subwords.encode(line));
}

TEST(ByteVocabulary, UserSymbolsStayWholeAndTheirBytesAreNoSymbol) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 335, sentences(), {"<name>", "中文", "a", "<na"});
  EXPECT_EQ(subwords.encode_pieces("<name>中文<nx"),
            (Strings{"▁", "<name>", byte_characters("中文"), "<", "n", "x"}));
  EXPECT_EQ(subwords.piece_text(4), "中文");
  EXPECT_EQ(subwords.encode("a").back(), 5);
  expect_exact(subwords, byte_characters("中文"));  // text that looks as the piece is written
  for (const std::string& line : hard_lines()) expect_exact(subwords, line);
}

TEST(ByteVocabulary, HalvesOfCharactersBecomeValidText) {
  const Subwords subwords = learn(VocabularyType::byte_bpe, 300);
  const std::vector<int> ids = subwords.encode("ä");
  ASSERT_EQ(ids.size(), 3u);
  EXPECT_EQ(subwords.decode(std::span(ids).first(2)), "\xEF\xBF\xBD");
  EXPECT_EQ(subwords.decode(std::vector<int>{3 + '\n'}), " ");
  EXPECT_EQ(subwords.decode(std::vector<int>{1, 3 + ' ', 3 + 'b', 2}), "b");
  EXPECT_THROW(subwords.decode(std::vector<int>{300}), InputError);
  EXPECT_EQ(subwords.decode_pieces({"▁b", "日本"}), "b日本");
}

TEST(ByteVocabulary, RulesAreThoseOfASoundModel) {
  EXPECT_NO_THROW(check_charsmap(byte_level_rules(), "rules"));
  EXPECT_EQ(byte_characters("a ä\n"), "a▁Ã¤Ċ");
  std::set<std::string> characters;
  for (int byte = 0; byte < 256; ++byte) characters.insert(byte_character(static_cast<unsigned char>(byte)));
  EXPECT_EQ(characters.size(), 256u);
}

TEST(ByteVocabulary, RefusesFilesThatPromiseBytesAndDoNotHaveThem) {
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
    EXPECT_NE(message(bytes).find("bad.model: has the rules that make characters of bytes, but " + why),
              std::string::npos)
        << message(bytes);
  };
  Strings without = all;
  without.erase(without.begin() + 0xC3);
  expect_refused(subword_model("", {}, without, "", rules + keeps), "no piece for the byte <0xC3>");
  expect_refused(subword_model("", {"中"}, all, "", rules + keeps), "pieces[3] is '中', made of others");
  expect_refused(subword_model("", {"a▁"}, all, "", rules + keeps), "pieces[3] is 'a▁', which reaches over");
  expect_refused(subword_model("", {"▁▁"}, all, "", rules + keeps), "pieces[3] is '▁▁', which reaches over");
  expect_refused(subword_model(model_piece("▁x", 0, 4), {}, all, "", rules + keeps), "pieces[3] is '▁x'");
  expect_refused(subword_model("", {}, all, "", rules), "not add_dummy_prefix");
  expect_refused(subword_model("", {}, all, "", rules + keeps + wire_varint(3, 0)), "not add_dummy_prefix");
  expect_refused(subword_model("", {}, all, wire_varint(3, 1), rules + keeps), "is no BPE model");
  expect_refused(subword_model("", {}, all, wire_varint(24, 1), rules + keeps), "also treat_whitespace");
  expect_refused(subword_model(byte_pieces(), {}, all, byte_fallback(), rules + keeps), "also byte_fallback");
  // The way back gives bytes that are no UTF-8, which SentencePiece must not be given to cut.
  const std::string back = wire_bytes(2, byte_level_rules_back());
  EXPECT_NE(message(subword_model("", {}, all, "", back)).find("not UTF-8"), std::string::npos);
  EXPECT_NE(message(subword_model("", {}, all) + wire_bytes(5, back)).find("denormalizer_spec"),
            std::string::npos);
  EXPECT_EQ(message(subword_model("", {}, all, "", rules + keeps) + wire_bytes(5, back)), "no error");
}

TEST(CharacterVocabulary, HasTheCharactersByFrequency) {
  const Subwords subwords = learn(VocabularyType::character, 100, {"bab b", "a\tbé"});
  ASSERT_EQ(subwords.size(), 3 + 5);
  Strings pieces;
  for (int id = 3; id < subwords.size(); ++id) pieces.push_back(subwords.piece(id));
  EXPECT_EQ(pieces, (Strings{"▁", "b", "a", "\t", "é"}));
  EXPECT_EQ(subwords.encode_pieces("ab x"), (Strings{"a", "b", "▁", "x"}));
  EXPECT_EQ(subwords.encode("xé"), (std::vector<int>{0, 7}));
}

TEST(CharacterVocabulary, KeepsTextAsItIs) {
  Strings lines = hard_lines();
  const Subwords subwords = learn(VocabularyType::character, 100'000, lines);
  for (const std::string& line : lines) {
    const bool has_none = line.find('\0') != std::string::npos || line.find("▁") != std::string::npos;
    if (!has_none) expect_exact(subwords, line);
  }
  EXPECT_EQ(subwords.encode_pieces("  the ")[0], "▁");
  EXPECT_EQ(subwords.encode(" the ").size(), 5u);
}

TEST(CharacterVocabulary, SizeCoverageSymbolsAndBytes) {
  SubwordSettings settings;
  settings.type = VocabularyType::character;
  settings.size = 6;
  Heard heard;
  EXPECT_EQ(learn({"aaabbc d"}, settings, heard).size(), 6);
  EXPECT_NE(heard.all.find("warning: the 2 rarest of 4 characters get no piece"), std::string::npos)
      << heard.all;
  settings.size = 300;
  settings.character_coverage = 0.99;
  EXPECT_EQ(learn({std::string(995, 'a') + "bbbbb"}, settings, heard).size(), 5);
  settings.character_coverage = 1;
  settings.user_symbols = {"<a>", "b"};
  const Subwords with_symbols = learn({"<a>ab<a>c"}, settings, heard);
  EXPECT_EQ(with_symbols.size(), 3 + 2 + 1 + 2);
  EXPECT_EQ(with_symbols.encode_pieces("c<a>b"), (Strings{"c", "<a>", "b"}));
  settings.byte_fallback = true;
  const Subwords with_bytes = learn({"<a>ab<a>c"}, settings, heard);
  EXPECT_EQ(with_bytes.size(), 3 + 2 + 256 + 1 + 2);
  expect_exact(with_bytes, "日本 a");
  settings.size = 261;
  EXPECT_NE(refusal(settings).find("ask for at least 263"), std::string::npos) << refusal(settings);
  settings = {};
  settings.type = VocabularyType::character;
  EXPECT_NE(refusal(settings, {"", "  "}).find("all 2 lines of the text are empty or blank"),
            std::string::npos);
  EXPECT_NE(refusal(settings, {std::string(1, '\0')}).find("nothing to learn"), std::string::npos);
}

TEST(VocabularyTypes, WithoutMergesThereIsNoDropout) {
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

TEST(VocabularyTypes, UnigramModelsGiveTheSizeAskedForAndLikelyPieces) {
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
          // Characters beyond the size have no piece.
          if (type != VocabularyType::character || size > 5) expect_exact(subwords, lines[0]);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("ask for at"), std::string::npos) << error.what();
        }
      }
    }
  }
}

TEST(VocabularyTypes, RefusesWhatDoesNotFitBytes) {
  SubwordSettings settings;
  settings.type = VocabularyType::byte_bpe;
  settings.byte_fallback = true;
  EXPECT_NE(refusal(settings).find("leave out the byte fallback"), std::string::npos);
  settings.byte_fallback = false;
  settings.character_coverage = 0.999;
  EXPECT_NE(refusal(settings).find("leave out the character coverage"), std::string::npos);
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
      if (line.find('\0') != std::string::npos) continue;  // which SentencePiece cannot write for a byte
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
