// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Encode one field of a protobuf message: a varint, bytes, or a float.
inline std::string wire_number(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
inline std::string wire_varint(unsigned field, std::uint64_t value) {
  return wire_number(field << 3) + wire_number(value);
}
inline std::string wire_bytes(unsigned field, std::string_view bytes) {
  return wire_number(field << 3 | 2) + wire_number(bytes.size()) + std::string(bytes);
}
inline std::string wire_float(unsigned field, float value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return wire_number(field << 3 | 5) + bytes;
}

/// Encodes one piece of a SentencePiece model. Types: 1 normal, 2 unknown, 3 control, 4 user-defined,
/// 5 unused, 6 byte.
inline std::string model_piece(std::string_view text, float score = 0, unsigned type = 1) {
  return wire_bytes(1, wire_bytes(1, text) + wire_float(2, score) + wire_varint(3, type));
}

/// The bytes of a BPE model with the pieces <unk>, <s>, </s>, `further` (encoded by model_piece), `merges` in
/// order of priority, and single characters. `trainer` and `normalizer` are additional fields of
/// trainer_spec and normalizer_spec.
inline std::string subword_model(const std::string& further, const std::vector<std::string>& merges,
                                 const std::vector<std::string>& characters, const std::string& trainer = "",
                                 const std::string& normalizer = "") {
  std::string model =
      model_piece("<unk>", 0, 2) + model_piece("<s>", 0, 3) + model_piece("</s>", 0, 3) + further;
  float score = 0;
  for (const std::string& merge : merges) model += model_piece(merge, score--);
  for (const std::string& character : characters) model += model_piece(character, score--);
  return model + wire_bytes(2, wire_varint(3, 2) + trainer) + wire_bytes(3, normalizer);
}

/// A small model for sentences about a cat.
inline std::string cat_model(const std::string& further = "", const std::string& trainer = "",
                             const std::string& normalizer = "") {
  return subword_model(further,
                       {"at", "▁t", "he", "▁the", "▁s", "▁m", "▁mat", "▁c", "▁cat", "▁sat", "on", "▁on"},
                       {"▁", "a", "t", "h", "e", "s", "m", "c", "o", "n", ".", "ü"}, trainer, normalizer);
}

/// The 256 byte pieces, encoded.
inline std::string byte_pieces() {
  std::string pieces;
  for (int byte = 0; byte < 256; ++byte) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    pieces += model_piece(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0, 6);
  }
  return pieces;
}
/// The field of trainer_spec that enables byte fallback, encoded.
inline std::string byte_fallback() { return wire_varint(35, 1); }

/// The little-endian bytes of the units of a trie (double array) of normalisation rules.
inline std::string units(const std::vector<std::uint32_t>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A unit of the trie for a node: the base of its children is its own index XOR `offset`.
inline std::uint32_t node(char label, std::uint32_t offset, bool has_value) {
  return static_cast<unsigned char>(label) | (has_value ? 1U << 8 : 0U) | offset << 10;
}
inline std::uint32_t value(std::uint32_t place) { return place | 1U << 31; }

/// Rules that replace "x" by "the" and "xy" by "cat"; `change` may damage the trie.
inline std::string charsmap(const std::function<void(std::vector<std::uint32_t>&)>& change = {},
                            const std::string& replacements = {"the\0cat\0", 8}) {
  std::vector<std::uint32_t> trie(1024, value(0));  // unused units are values
  const std::uint32_t root = 256, first = 512, second = 768;
  trie[0] = node('\0', root, false);
  trie[root ^ 'x'] = node('x', (root ^ 'x') ^ first, true);
  trie[first] = value(0);
  trie[first ^ 'y'] = node('y', (first ^ 'y') ^ second, true);
  trie[second] = value(4);
  if (change) change(trie);
  const std::string bytes = units(trie);
  return units({static_cast<std::uint32_t>(bytes.size())}) + bytes + replacements;
}

/// Lines that break careless programs; none contains a newline.
inline std::vector<std::string> nasty_lines() {
  using namespace std::string_literals;
  std::string many, unknown;
  for (int i = 0; i < 25'000; ++i) many += "the ";
  for (int i = 0; i < 3'000; ++i) unknown += i % 1'000 == 500 ? "\xEF\xBD\x86" : "中か\xE3\x82\x99";
  return {"the cat sat on the mat.",
          "",
          " ",
          "      ",
          "  the  cat  ",
          many,
          std::string(100'000, 'a'),
          "nul\0in the middle"s,
          "\0"s,
          "bad \xFF\xC0\x80 bytes \xE2\x82",
          "\xED\xA0\x80\xF4\x90\x80\x80",
          "a line of another world\r",
          "\r",
          "line\xE2\x80\xA8separator and\xC2\x85next line\f\v",
          "\xE2\x96\x81the\xE2\x96\x81\xE2\x96\x81 cat",
          "\xE2\x96\x85 reserved \xE2\x81\x87",
          "tab\tand <unk> <s> </s> <0x41> ⁇",
          "family 👨‍👩‍👧‍👦 flag 🇩🇪 wave 👋🏽",
          "cafe\xCC\x81 and e\xCC\x81\xCC\x82\xCC\xA7",
          "\xEF\xBB\xBF byte order mark",
          "עברית العربية ไทย 中文 日本語 한국어",
          unknown,
          "the last"};
}

}  // namespace gloss
