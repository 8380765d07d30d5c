// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/ranked_pairs.h"

#include <array>

#include "base/error.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/characters.h"
#include "tokenizer/pair_merging.h"
#include "tokenizer/text_parts.h"

namespace gloss {
namespace {

enum class Group { space, letter, number, other };

Group group_of(std::string_view character) {
  const char32_t c = code_point(character);
  if (is_unicode_space(c)) return Group::space;
  if (is_letter(c)) return Group::letter;
  return is_number(c) ? Group::number : Group::other;
}

std::string_view first_character(std::string_view text) { return text.substr(0, character_size(text)); }

/// Bytes of the characters of one group at the start of a text.
std::size_t run_size(std::string_view text, Group group) {
  std::size_t size = 0;
  while (size < text.size()) {
    const std::string_view character = first_character(text.substr(size));
    if (group_of(character) != group) break;
    size += character.size();
  }
  return size;
}

/// Bytes of white space at the start of a text that is a word of its own: the last character before another
/// word belongs to that word if it is a space, else it is a word of its own.
std::size_t white_space_size(std::string_view text) {
  const std::size_t size = run_size(text, Group::space);
  if (size == text.size()) return size;
  std::size_t last = size - 1;
  while ((static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return last == 0 ? size : last;
}

}  // namespace

std::size_t first_word_size(std::string_view text) {
  constexpr std::array<std::string_view, 7> kContractions{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
  for (const std::string_view contraction : kContractions) {
    if (text.starts_with(contraction)) return contraction.size();
  }
  const std::size_t space = text[0] == ' ' ? 1 : 0;
  if (space < text.size()) {
    const Group group = group_of(first_character(text.substr(space)));
    if (group != Group::space) return space + run_size(text.substr(space), group);
  }
  return white_space_size(text);
}

RankedPairs::RankedPairs(const ModelFile& file, const ForeignRules& rules, const std::string& where)
    : PieceList(file) {
  ranks_.reserve(rules.merges.size());
  for (const auto& [left, right] : rules.merges) {
    const bool text = !is_special(left) && !is_special(right);
    if (!text || find(concat(piece(left), piece(right))) < 0) {
      throw InputError(concat(where, ": the pair ", shown(piece(left)), " and ", shown(piece(right)),
                              " is merged, but is not a piece"));
    }
    ranks_.emplace(key(left, right), static_cast<int>(ranks_.size()));
  }
}

std::string RankedPairs::piece_text(int id) const {
  return is_special(id) ? "" : bytes_of_characters(piece(id));
}

void RankedPairs::split_word(std::string_view word, double dropout, Random* random,
                             const TakePiece& take) const {
  std::vector<MergedPart> parts;
  for (std::string_view rest = word; !rest.empty(); rest.remove_prefix(character_size(rest))) {
    append_part(parts, first_character(rest), false);
  }
  const auto score = [&](std::string_view left, std::string_view right) -> std::optional<float> {
    const auto found = ranks_.find(key(find(left), find(right)));
    if (found == ranks_.end()) return std::nullopt;
    return -static_cast<float>(found->second);
  };
  merge_pairs(parts, score, [&] { return dropout > 0 && random->uniform() < dropout; });
  for_each_left(parts, [&](std::string_view text) {
    const int id = find(text);
    take(id < 0 ? unknown_id() : id, text);
  });
}

void RankedPairs::encode(std::string_view text, std::vector<int>& ids) const {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, first_word_size(text));
    if (!words_.find(word, ids)) {
      std::vector<int> found;
      for_each_part(word, " ", [&](std::string_view part) {
        split_word(byte_characters(part), 0, nullptr, [&](int id, std::string_view) { found.push_back(id); });
      });
      words_.insert(word, found);
      ids.insert(ids.end(), found.begin(), found.end());
    }
    text.remove_prefix(word.size());
  }
}

void RankedPairs::split(std::string_view text, const TakePiece& take) const {
  Random unused(0);
  sample(text, 0, unused, take);
}

void RankedPairs::sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, first_word_size(text));
    for_each_part(word, " ",
                  [&](std::string_view part) { split_word(byte_characters(part), dropout, &random, take); });
    text.remove_prefix(word.size());
  }
}

std::string RankedPairs::join(std::size_t count, const PieceAt& piece_at) const {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += bytes_of_characters(piece_at(i));
  return valid_utf8(bytes);
}

}  // namespace gloss
