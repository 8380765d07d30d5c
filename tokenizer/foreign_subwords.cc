// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/foreign_subwords.h"

#include <algorithm>
#include <functional>

#include "base/index.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

std::string_view without_spaces_at_end(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!is_white_space(code_points(text.substr(start)).front())) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

/// Replaces each `from` by `to`, which is not longer.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t end = 0, at = 0;
  for (std::size_t found; (found = text.find(from, at)) != std::string::npos; at = found + from.size()) {
    end += text.copy(text.data() + end, found - at, at);
    end += to.copy(text.data() + end, to.size());
  }
  if (at == 0) return;
  end += text.copy(text.data() + end, text.size() - at, at);
  text.resize(end);
}

}  // namespace

ForeignSubwords::ForeignSubwords(const ModelFile& file, std::unique_ptr<const SubwordModel> between)
    : rules_(*file.foreign), between_(std::move(between)), is_special_(index(rules_.size)) {
  for (const ForeignRules::Special& special : rules_.specials) {
    const std::string_view text = between_->piece(special.id);
    specials_.emplace(text, special);
    is_special_[index(special.id)] = true;
    std::vector<std::size_t>& sizes = special_sizes_[static_cast<unsigned char>(text[0])];
    if (std::ranges::find(sizes, text.size()) == sizes.end()) sizes.push_back(text.size());
  }
  for (std::vector<std::size_t>& sizes : special_sizes_) std::ranges::sort(sizes, std::greater());
  if (rules_.kind != ForeignRules::Kind::sentence_pieces) return;
  for (int id = 0; id < size(); ++id) {
    const PieceType type = file.pieces[index(id)].type;
    const bool found =
        type == PieceType::normal || type == PieceType::user_defined || type == PieceType::byte;
    if (!found && !is_special_[index(id)]) only_listed_.emplace(piece(id), id);
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
void ForeignSubwords::for_each_part(std::string_view text, const TakeText& take_text,
                                    const TakeSpecial& take_special) const {
  for (std::size_t at = 0; at < text.size();) {
    const ForeignRules::Special* const special = special_at(text.substr(at));
    if (special == nullptr) {
      ++at;
      continue;
    }
    const std::string_view before = text.substr(0, at);
    const std::string_view part = special->takes_spaces ? without_spaces_at_end(before) : before;
    if (!part.empty()) take_text(part);
    take_special(special->id);
    text.remove_prefix(at + piece(special->id).size());
    at = 0;
  }
  if (!text.empty()) take_text(text);
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
  const auto encode_part = [&](std::string_view part) {
    const std::size_t before = ids.size();
    between_->encode(part, ids);
    const auto start = ids.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::none_of(start, ids.end(), strange)) return;
    ids.resize(before);
    between_->split(part, known_only([&](int id, std::string_view) { ids.push_back(id); }));
  };
  for_each_part(text, encode_part, [&](int id) { ids.push_back(id); });
}

void ForeignSubwords::split(std::string_view text, const TakePiece& take) const {
  const TakePiece known = known_only(take);
  for_each_part(
      text, [&](std::string_view part) { between_->split(part, known); },
      [&](int id) { take(id, piece(id)); });
}

void ForeignSubwords::sample(std::string_view text, double dropout, Random& random,
                             const TakePiece& take) const {
  const TakePiece known = known_only(take);
  for_each_part(
      text, [&](std::string_view part) { between_->sample(part, dropout, random, known); },
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

std::string ForeignSubwords::decode(std::span<const int> ids) const {
  std::vector<int> text;
  for (const int id : ids) {
    if (!is_special_[index(id)]) text.push_back(id);
  }
  return finished(between_->decode(text));
}

std::string ForeignSubwords::join(std::size_t count, const PieceAt& piece_at) const {
  return finished(between_->join(count, piece_at));
}

}  // namespace gloss
