// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/model_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/random.h"
#include "tests/support/subword_model.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

using namespace std::string_literals;

std::string message_of(const std::string& bytes) {
  try {
    Subwords::from_bytes(bytes, "bad.model");
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("bad.model")) << error.what();
    return error.what();
  }
  return "no error";
}

void expect_refused(const std::string& bytes, const std::string& why) {
  const std::string message = message_of(bytes);
  EXPECT_NE(message.find(why), std::string::npos) << message << "\nexpected: " << why;
}

std::string with_charsmap(const std::string& map) { return cat_model("", "", wire_bytes(2, map)); }

TEST(ModelFile, ReadsPieces) {
  const ModelFile model = read_model_file(cat_model(), "cat.model");
  ASSERT_EQ(model.pieces.size(), 27u);
  EXPECT_EQ(model.pieces[6].text, "▁the");
  EXPECT_EQ(model.pieces[6].score, -3);
  EXPECT_EQ(model.pieces[1].type, PieceType::control);
  EXPECT_EQ(model.segmentation, Segmentation::bpe);
}

TEST(ModelFile, RefusesOtherFiles) {
  expect_refused("", "is empty");
  expect_refused("This is a text file and not a model.\n", "bad.model");
  expect_refused(std::string(100, '\0'), "field number 0");
  expect_refused(wire_varint(9, 1), "has no pieces");
  expect_refused(wire_bytes(2, wire_varint(3, 2)), "has no pieces");
}

TEST(ModelFile, RefusesEveryTruncation) {
  const std::string whole = cat_model();
  int loaded = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    loaded += message_of(whole.substr(0, size)) == "no error" ? 1 : 0;
  }
  // A model truncated between two fields may still be valid, but without trainer_spec it is not a BPE model.
  EXPECT_LT(loaded, 30);
}

TEST(ModelFile, RefusesBadPieces) {
  expect_refused(cat_model(model_piece("cat") + model_piece("cat")), "pieces[4] repeats the piece 'cat'");
  expect_refused(cat_model(model_piece("")), "pieces[3] has no text");
  expect_refused(cat_model(model_piece("cat", 0, 7)), "pieces[3] has the type 7");
  expect_refused(cat_model(model_piece("cat", 0, 0)), "pieces[3] has the type 0");
  expect_refused(cat_model(model_piece("cat", std::nanf(""))), "pieces[3] has a score");
  expect_refused(cat_model(model_piece("cat", INFINITY)), "pieces[3] has a score");
  expect_refused(cat_model(model_piece("cat\0"s)), "with a NUL");
  expect_refused(cat_model(model_piece("\xFF")), "not UTF-8");
  expect_refused(cat_model(model_piece(std::string(100'000, 'a'))), "100000 bytes of text");
  expect_refused(cat_model(model_piece("<other>", 0, 2)), "unknown pieces");
  expect_refused(cat_model(model_piece("x", 0, 3)), "special piece 'x'");
  expect_refused(model_piece("cat"), "no unknown piece");
  expect_refused(wire_varint(1, 5), "the field pieces has the wire type 0; expected 2");
  expect_refused(wire_bytes(1, wire_varint(1, 5)), "pieces[0]: the field piece");
  expect_refused(cat_model("", wire_varint(3, 3)), "model_type is 3");
}

TEST(ModelFile, RefusesIncompleteBytePieces) {
  expect_refused(cat_model(model_piece("<0x41>", 0, 6)), "byte pieces");
  expect_refused(cat_model("", byte_fallback()), "0 byte pieces; expected 256");
  expect_refused(cat_model(byte_pieces() + model_piece("<0xGG>", 0, 6), byte_fallback()), "'<0xGG>'");
}

TEST(ModelFile, RefusesManyNestedUserSymbols) {
  std::string symbols;
  for (std::size_t length = 3; length < 100; ++length) symbols += model_piece(std::string(length, 'z'), 0, 4);
  expect_refused(cat_model(symbols), "prefixes of one another");
}

TEST(ModelFile, AcceptsValidRules) {
  const Subwords subwords = Subwords::from_bytes(with_charsmap(charsmap()), "rules.model");
  EXPECT_EQ(subwords.encode_pieces("x xy"), (std::vector<std::string>{"▁the", "▁cat"}));
}

TEST(ModelFile, RefusesRulesThatLeaveTheirArray) {
  expect_refused(with_charsmap("abc"), "normalizer_spec.precompiled_charsmap has only 3 bytes");
  expect_refused(with_charsmap("\xFF\xFF\xFF\x7F some bytes"), "a trie of 2147483647 bytes");
  expect_refused(with_charsmap(charsmap().substr(0, 2000)), "a trie of 4096 bytes");
  const auto spoil = [](std::size_t place, std::uint32_t unit) {
    return with_charsmap(charsmap([=](std::vector<std::uint32_t>& trie) { trie[place] = unit; }));
  };
  // Lookups follow the root without checking its label, so it may be a value (CVE-2026-1260 and similar).
  expect_refused(spoil(0, 0xFFFFFFFF), "from unit 0");
  expect_refused(spoil(0, 0x80000000 | node('\0', 4096, false)), "from unit 0");
  expect_refused(spoil(256 ^ 'x', node('x', 1 << 20, true)), "from unit");
  expect_refused(spoil(512, value(8)), "a replacement at byte 8, but only 8");
  expect_refused(spoil(768, value(1 << 30)), "a replacement at byte");
  expect_refused(spoil(512 ^ 'y', node('y', (512 ^ 'y') ^ 256, false)), "has a loop");
  expect_refused(with_charsmap(charsmap({}, "the\0cat"s)), "unterminated replacement");
  expect_refused(with_charsmap(charsmap({}, "t\xFF\0\0cat\0"s)), "not UTF-8");
  expect_refused(with_charsmap(charsmap({}, "the\0"s + std::string(1000, 'a') + "\0"s)), "1000 bytes");
}

/// Calls all functions of a model; only InputError is allowed.
void use(const std::string& bytes) {
  try {
    const Subwords subwords = Subwords::from_bytes(bytes, "mutant.model");
    for (const std::string line :
         {"the cat sat on the mat.", "", "x xy zzz 中文 \xF0\x9F\x98\x80", "▁▁ \t<s>"}) {
      Random random(1);
      try {
        subwords.decode(subwords.encode(line));
        subwords.decode_pieces(subwords.encode_pieces(line));
        subwords.decode(subwords.sample(line, 0.5, random));
      } catch (const Error&) {
      }
    }
    std::vector<int> ids;
    for (int id = 0; id < subwords.size(); ++id) ids.push_back(id);
    subwords.decode(ids);
  } catch (const InputError&) {
  }
}

TEST(ModelFile, MutatedFilesAreRefusedOrWork) {
  const std::string further = model_piece("<x>", 0, 4) + model_piece("th", -1, 5);
  const std::vector<std::string> models = {
      cat_model(further), with_charsmap(charsmap()),
      subword_model("", {"the", "cat"}, {"▁", "t"}, wire_varint(3, 1), wire_bytes(2, charsmap())),
      cat_model(byte_pieces(), byte_fallback())};
  Random random(20260101);
  for (int round = 0; round < 6000; ++round) {
    std::string bytes = models[random.below(models.size())];
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t place = random.below(bytes.size());
      switch (random.below(5)) {
        case 0:
          bytes[place] = static_cast<char>(random.below(256));
          break;
        case 1:
          bytes[place] = static_cast<char>(bytes[place] ^ 1 << random.below(8));
          break;
        case 2:
          bytes.erase(place, 1 + random.below(8));
          break;
        case 3:
          bytes.insert(place, bytes.substr(random.below(bytes.size()), random.below(40)));
          break;
        default:
          bytes.resize(place + 1);
      }
      if (bytes.empty()) break;
    }
    use(bytes);
  }
}

TEST(ModelFile, MutatedRulesAreRefusedOrWork) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    use(with_charsmap(charsmap([&](std::vector<std::uint32_t>& trie) {
      constexpr std::size_t kPlaces[] = {0, 256 ^ 'x', 512, 512 ^ 'y', 768, 256 ^ 't', 256};
      for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
        std::uint32_t& unit = trie[kPlaces[random.below(7)]];
        if (random.below(2) == 0) {
          unit ^= 1U << random.below(32);
        } else {
          unit = static_cast<std::uint32_t>(random.bits());
        }
      }
    })));
  }
}

TEST(ModelFile, RandomBytesAreRefused) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random.below(300), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    EXPECT_NE(message_of(bytes), "no error");
  }
}

}  // namespace
}  // namespace gloss
