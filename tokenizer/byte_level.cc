// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/byte_level.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/characters.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

using Table = std::array<std::string, 256>;

Table make_table() {
  Table table;
  char32_t next = 0x100;
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    append_utf8(table[byte], printable ? byte : next++);
    // The space uses up a code point too, so that the bytes after it get GPT-2's characters.
    if (byte == ' ') table[byte] = kPieceSpace;
  }
  return table;
}

const Table& table() {
  static const Table table = make_table();
  return table;
}

const std::unordered_map<std::string_view, char>& bytes_by_character() {
  static const auto bytes = [] {
    std::unordered_map<std::string_view, char> map;
    for (unsigned byte = 0; byte < table().size(); ++byte)
      map.emplace(table()[byte], static_cast<char>(byte));
    return map;
  }();
  return bytes;
}

/// A rule: the text to replace and its replacement.
using Rule = std::pair<std::string, std::string>;

void append_little_endian(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * i & 0xFF);
}

/// Compiles rules into the format that check_charsmap describes; no rule's text may be a prefix of another's.
/// Each node gets a block of 256 units for its children, and each block another one for its nodes' values, so
/// no search for free units is needed.
class RuleCompiler {
 public:
  void add(const Rule& rule) {
    std::uint32_t node = 0;
    for (const char byte : rule.first) {
      const std::uint32_t label = static_cast<unsigned char>(byte);
      if (units_[node] >> 10 == 0) lead(node, new_block());
      node ^= units_[node] >> 10 ^ label;
      if (units_[node] == kValue) units_[node] = label;
    }
    std::uint32_t& values = value_blocks_[node / kBlock];
    if (values == 0) values = new_block();
    const std::uint32_t place = values + node % kBlock;
    lead(node, place);
    units_[node] |= kHasValue;
    units_[place] = kValue | static_cast<std::uint32_t>(replacements_.size());
    replacements_.append(rule.second).push_back('\0');
  }

  std::string bytes() const {
    std::string out;
    append_little_endian(out, static_cast<std::uint32_t>(units_.size() * 4));
    for (const std::uint32_t unit : units_) append_little_endian(out, unit);
    return out + replacements_;
  }

 private:
  // The unit of a node has its label in bits 0-7 and, from bit 10, the XOR of its index and the base of its
  // children. Unused units are values, which lookups never follow.
  static constexpr std::uint32_t kBlock = 256, kHasValue = 1U << 8, kValue = 1U << 31;

  void lead(std::uint32_t node, std::uint32_t place) { units_[node] |= (node ^ place) << 10; }
  std::uint32_t new_block() {
    units_.resize(units_.size() + kBlock, kValue);
    return static_cast<std::uint32_t>(units_.size()) - kBlock;
  }

  std::vector<std::uint32_t> units_ = [] {
    std::vector<std::uint32_t> units(kBlock, kValue);
    units[0] = 0;
    return units;
  }();
  std::map<std::uint32_t, std::uint32_t> value_blocks_;
  std::string replacements_;
};

/// Compiles `rule(byte, character)` for each byte that maps to another character, except the space, which
/// SentencePiece maps itself.
std::string compile(const std::function<Rule(const std::string&, const std::string&)>& rule) {
  RuleCompiler compiler;
  for (unsigned byte = 0; byte < table().size(); ++byte) {
    const std::string own(1, static_cast<char>(byte));
    if (byte != ' ' && table()[byte] != own) compiler.add(rule(own, table()[byte]));
  }
  return compiler.bytes();
}

}  // namespace

const std::string& byte_character(unsigned char byte) { return table()[byte]; }

std::string byte_characters(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += byte_character(static_cast<unsigned char>(byte));
  return text;
}

std::string bytes_of_characters(std::string_view characters) {
  std::string bytes;
  while (!characters.empty()) {
    const std::string_view character = characters.substr(0, character_size(characters));
    const auto found = bytes_by_character().find(character);
    if (found == bytes_by_character().end()) {
      bytes += character;
    } else {
      bytes += found->second;
    }
    characters.remove_prefix(character.size());
  }
  return bytes;
}

bool is_byte_characters(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(character_size(text))) {
    if (!bytes_by_character().contains(text.substr(0, character_size(text)))) return false;
  }
  return true;
}

const std::string& byte_level_rules() {
  static const std::string compiled =
      compile([](const std::string& byte, const std::string& character) { return Rule(byte, character); });
  return compiled;
}

const std::string& byte_level_rules_back() {
  static const std::string compiled =
      compile([](const std::string& byte, const std::string& character) { return Rule(character, byte); });
  return compiled;
}

}  // namespace gloss
