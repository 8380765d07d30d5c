// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/bpe.h"

#include <algorithm>
#include <functional>

#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/pair_merging.h"

namespace gloss {
namespace {

/// For pieces that must not be used: the size in bytes of the left part, to split them again.
using Undo = std::unordered_map<std::string_view, std::size_t>;

}  // namespace

BytePairs::BytePairs(const ModelFile& model) : model_(model) {
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const Piece& piece = model.pieces[id];
    const bool text = piece.type == PieceType::normal || piece.type == PieceType::user_defined ||
                      piece.type == PieceType::unused;
    if (text) ids_.emplace(piece.text, static_cast<int>(id));
    if (piece.type != PieceType::user_defined) continue;
    std::vector<std::size_t>& sizes = user_sizes_[static_cast<unsigned char>(piece.text[0])];
    if (std::find(sizes.begin(), sizes.end(), piece.text.size()) == sizes.end()) {
      sizes.push_back(piece.text.size());
    }
  }
  for (std::vector<std::size_t>& sizes : user_sizes_) std::sort(sizes.rbegin(), sizes.rend());
}

int BytePairs::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? model_.unknown_id : found->second;
}

/// The size of the longest user-defined symbol at the start of `text`, or 0.
std::size_t BytePairs::user_symbol_size(std::string_view text) const {
  for (const std::size_t size : user_sizes_[static_cast<unsigned char>(text[0])]) {
    if (size > text.size()) continue;
    const auto found = ids_.find(text.substr(0, size));
    if (found == ids_.end()) continue;
    if (model_.pieces[index(found->second)].type == PieceType::user_defined) return size;
  }
  return 0;
}

std::vector<Segment> BytePairs::segment(std::string_view text, double dropout, Random* random) const {
  std::vector<MergedPart> parts;
  while (!text.empty()) {
    const std::size_t user_size = user_symbol_size(text);
    const std::size_t size = user_size > 0 ? user_size : character_size(text);
    append_part(parts, text.substr(0, size), user_size > 0);
    text.remove_prefix(size);
  }
  Undo undo;
  const auto score = [&](std::string_view left, std::string_view right) -> std::optional<float> {
    const std::string_view merged(left.data(), left.size() + right.size());
    const auto found = ids_.find(merged);
    if (found == ids_.end()) return std::nullopt;
    const Piece& piece = model_.pieces[index(found->second)];
    if (piece.type == PieceType::unused) undo[merged] = left.size();
    return piece.score;
  };
  merge_pairs(parts, score, [&] { return dropout > 0 && random->uniform() < dropout; });

  std::vector<Segment> segments;
  const std::function<void(std::string_view)> emit = [&](std::string_view part) {
    const int id = find(part);
    const auto merged = undo.find(part);
    const bool unused = model_.pieces[index(id)].type == PieceType::unused;
    if (!unused || merged == undo.end()) {
      segments.push_back({part, id});
      return;
    }
    const std::size_t left_size = merged->second;
    emit(part.substr(0, left_size));
    emit(part.substr(left_size));
  };
  for_each_left(parts, emit);
  return segments;
}

}  // namespace gloss
