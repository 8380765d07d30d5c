// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/bpe.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/index.h"
#include "base/utf8.h"

namespace gloss {
namespace {

/// A part of the text during merging; empty after it was merged into its left neighbour.
struct Symbol {
  std::string_view text;
  int before, after;  // neighbours, or -1
  bool fixed;         // a user-defined symbol, never merged
};

/// Two neighbours that can be merged into a piece.
struct Pair {
  float score;
  int left, right;
  std::size_t size;

  /// The pair with the highest score comes first; among equals, the leftmost.
  bool operator<(const Pair& other) const {
    return score < other.score || (score == other.score && left > other.left);
  }
};

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
  std::vector<Symbol> symbols;
  while (!text.empty()) {
    const std::size_t user_size = user_symbol_size(text);
    const std::size_t size = user_size > 0 ? user_size : character_size(text);
    const int place = static_cast<int>(symbols.size());
    symbols.push_back({text.substr(0, size), place - 1, place + 1, user_size > 0});
    text.remove_prefix(size);
  }
  if (symbols.empty()) return {};
  symbols.back().after = -1;

  const auto symbol = [&](int place) -> Symbol& { return symbols[index(place)]; };
  std::priority_queue<Pair> pairs;
  Undo undo;
  const auto consider = [&](int left, int right) {
    if (left < 0 || right < 0 || symbol(left).fixed || symbol(right).fixed) return;
    const std::size_t left_size = symbol(left).text.size();
    const std::string_view merged(symbol(left).text.data(), left_size + symbol(right).text.size());
    const auto found = ids_.find(merged);
    if (found == ids_.end()) return;
    const Piece& piece = model_.pieces[index(found->second)];
    pairs.push({piece.score, left, right, merged.size()});
    if (piece.type == PieceType::unused) undo[merged] = left_size;
  };
  for (int place = 1; place < static_cast<int>(symbols.size()); ++place) consider(place - 1, place);

  while (!pairs.empty()) {
    const Pair pair = pairs.top();
    pairs.pop();
    Symbol& left = symbol(pair.left);
    Symbol& right = symbol(pair.right);
    const bool outdated =
        left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size;
    if (outdated) continue;
    if (dropout > 0 && random->uniform() < dropout) continue;
    left.text = std::string_view(left.text.data(), pair.size);
    left.after = right.after;
    if (right.after >= 0) symbol(right.after).before = pair.left;
    right.text = {};
    consider(left.before, pair.left);
    consider(pair.left, left.after);
  }

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
  for (int place = 0; place >= 0; place = symbol(place).after) emit(symbol(place).text);
  return segments;
}

}  // namespace gloss
