// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/foreign_subwords.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

constexpr std::string_view kUnknownText = "\xE2\x81\x87";  // as SentencePiece decodes it

std::string_view without_spaces_at_end(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!is_white_space(code_points(text.substr(start)).front())) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(from, at)) != std::string::npos; at = found + from.size()) {
    replaced.append(text, at, found - at).append(to);
  }
  if (at > 0) text = replaced.append(text, at);
}

}  // namespace

ForeignSubwords::ForeignSubwords(const ModelFile& file, std::unique_ptr<const SubwordModel> between)
    : rules_(*file.foreign), between_(std::move(between)), without_text_(index(rules_.size)) {
  for (const ForeignRules::Special& special : rules_.specials) {
    const std::string_view text = between_->piece(special.id);
    specials_.emplace(text, special);
    without_text_[index(special.id)] = true;
    std::vector<std::size_t>& sizes = special_sizes_[static_cast<unsigned char>(text[0])];
    if (std::ranges::find(sizes, text.size()) == sizes.end()) sizes.push_back(text.size());
  }
  for (const int id : {rules_.begin, rules_.end}) {
    if (id >= 0) without_text_[index(id)] = true;
  }
  for (std::vector<std::size_t>& sizes : special_sizes_) std::ranges::sort(sizes, std::greater());
  if (rules_.kind != ForeignRules::Kind::sentence_pieces) return;
  for (int id = 0; id < size(); ++id) {
    const PieceType type = file.pieces[index(id)].type;
    const bool found =
        type == PieceType::normal || type == PieceType::user_defined || type == PieceType::byte;
    if (!found && !without_text_[index(id)]) only_listed_.emplace(piece(id), id);
  }
}

const ForeignRules::Special* ForeignSubwords::special_at(std::string_view text) const {
  for (const std::size_t size : special_sizes_[static_cast<unsigned char>(text[0])]) {
    if (size > text.size()) continue;
    const auto found = specials_.find(text.substr(0, size));
    if (found != specials_.end()) return &found->second;
  }
  return nullptr;
}

template <class TakeText, class TakeSpecial>
void ForeignSubwords::for_each_stretch(std::string_view text, const TakeText& take_text,
                                       const TakeSpecial& take_special) const {
  bool continues = false;
  for (std::size_t at = 0; at < text.size();) {
    const ForeignRules::Special* const special = special_at(text.substr(at));
    if (special == nullptr) {
      ++at;
      continue;
    }
    const std::string_view before = text.substr(0, at);
    const std::string_view part = special->takes_spaces ? without_spaces_at_end(before) : before;
    if (!part.empty()) take_text(part, continues);
    take_special(special->id);
    continues = rules_.continues_specials;
    text.remove_prefix(at + piece(special->id).size());
    at = 0;
  }
  if (!text.empty()) take_text(text, continues);
}

SubwordModel::TakePiece ForeignSubwords::known_only(const TakePiece& take) const {
  return [this, &take](int id, std::string_view piece) {
    if (id == unknown_id()) {
      const auto listed = only_listed_.find(piece);
      if (listed != only_listed_.end()) id = listed->second;
    }
    take(id < size() ? id : unknown_id(), piece);
  };
}

void ForeignSubwords::encode(std::string_view text, std::vector<int>& ids) const {
  const auto strange = [&](int id) { return id >= size() || (id == unknown_id() && !only_listed_.empty()); };
  const TakePiece add = [&](int id, std::string_view) { ids.push_back(id); }, add_known = known_only(add);
  const auto encode_part = [&](std::string_view part, bool continues) {
    if (continues) return between_->split_continued(part, add_known);
    const std::size_t before = ids.size();
    between_->encode(part, ids);
    const auto start = ids.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::none_of(start, ids.end(), strange)) return;
    ids.resize(before);
    between_->split(part, add_known);
  };
  for_each_stretch(text, encode_part, [&](int id) { ids.push_back(id); });
}

void ForeignSubwords::split(std::string_view text, const TakePiece& take) const {
  const TakePiece known = known_only(take);
  for_each_stretch(
      text,
      [&](std::string_view part, bool continues) {
        continues ? between_->split_continued(part, known) : between_->split(part, known);
      },
      [&](int id) { take(id, piece(id)); });
}

void ForeignSubwords::sample(std::string_view text, double dropout, Random& random,
                             const TakePiece& take) const {
  const TakePiece known = known_only(take);
  for_each_stretch(
      text,
      [&](std::string_view part, bool continues) {
        continues ? between_->split_continued(part, known) : between_->sample(part, dropout, random, known);
      },
      [&](int id) { take(id, piece(id)); });
}

std::string ForeignSubwords::finished(std::string text) const {
  if (rules_.kind == ForeignRules::Kind::sentence_pieces) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    text = text.substr(first, text.find_last_not_of(' ') + 1 - first);
  }
  if (!rules_.attaches_punctuation) return text;
  for (const std::string_view from : {" .", " ?", " !", " ,"}) replace_all(text, from, from.substr(1));
  replace_all(text, " ' ", "'");
  for (const std::string_view from : {" n't", " 'm", " 's", " 've", " 're"}) {
    replace_all(text, from, from.substr(1));
  }
  return text;
}

std::string ForeignSubwords::piece_text(int id) const {
  return without_text_[index(id)] ? "" : between_->piece_text(id);
}

std::string ForeignSubwords::decode(std::span<const int> ids) const {
  const bool list = rules_.kind != ForeignRules::Kind::sentence_pieces;
  std::vector<std::string> pieces;
  for (const int id : ids) {
    if (without_text_[index(id)]) continue;
    std::string_view rest = piece(id);
    if (list && id == unknown_id()) {
      pieces.push_back(concat(kPieceSpace, kUnknownText));
    } else if (!only_listed_.contains(rest)) {
      pieces.emplace_back(rest);
    } else {
      // The other model would leave it out as a whole, but not its characters.
      for (; !rest.empty(); rest.remove_prefix(character_size(rest))) {
        pieces.emplace_back(rest.substr(0, character_size(rest)));
      }
    }
  }
  return join(pieces.size(), [&](std::size_t i) -> const std::string& { return pieces[i]; });
}

std::string ForeignSubwords::join(std::size_t count, const PieceAt& piece_at) const {
  std::vector<std::size_t> text;  // the numbers of the pieces that have one
  for (std::size_t i = 0; i < count; ++i) {
    if (!specials_.contains(piece_at(i))) text.push_back(i);
  }
  return finished(
      between_->join(text.size(), [&](std::size_t i) -> const std::string& { return piece_at(text[i]); }));
}

}  // namespace gloss
