// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/learn_byte_pairs.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <queue>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/characters.h"
#include "tokenizer/symbols.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestMergedPiece = 64;  // bytes
constexpr std::int64_t kFewest = 2;              // minimum count of a merged pair

enum class Kind { letter, number, other };

Kind kind_of(std::string_view character) {
  const char32_t code = code_points(character).front();
  if (is_number(code)) return Kind::number;
  const bool other =
      code <= ' ' || code == 0x7F || is_white_space(code) || is_punctuation(code) || is_symbol(code);
  return other ? Kind::other : Kind::letter;
}

/// Calls `take` with the runs of letters, numbers or other characters in a word; a leading space belongs to
/// the first run.
template <class Take>
void for_each_part(std::string_view word, const Take& take) {
  while (!word.empty()) {
    std::size_t end = word.starts_with(' ') ? 1 : 0;
    const std::size_t start = end;
    Kind kind = Kind::other;
    while (end < word.size()) {
      const std::string_view character = word.substr(end, character_size(word.substr(end)));
      const Kind next = kind_of(character);
      if (end == start) kind = next;
      if (next != kind) break;
      end += character.size();
    }
    take(word.substr(0, end));
    word.remove_prefix(end);
  }
}

using Counts = std::unordered_map<std::string, std::int64_t>;

/// Counts the parts of words; bytes are merged only within a part.
Counts count_parts(const std::vector<std::string>& sentences, const Symbols& symbols) {
  Counts words, parts;
  for (const std::string& sentence : sentences) {
    for (const std::string& word : split(sentence, ' ')) ++words[' ' + word];
  }
  for (const auto& entry : words) {
    const auto count = entry.second;
    symbols.for_each_rest(entry.first, [&](std::string_view rest) {
      for_each_part(rest, [&](std::string_view part) {
        if (part.size() > 1) parts[std::string(part)] += count;
      });
    });
  }
  return parts;
}

/// Merges pairs one after the other (Sennrich et al. 2016) and updates only the parts that a merge changes.
class Merging {
 public:
  explicit Merging(const Counts& parts, const std::vector<std::string>& symbols) : reserved_(symbols) {
    for (int byte = 0; byte < 256; ++byte) add_piece(std::string(1, static_cast<char>(byte)));
    // Sorted, so that the result does not depend on the order of the hash table.
    std::vector<const Counts::value_type*> sorted;
    for (const auto& part : parts) sorted.push_back(&part);
    std::ranges::sort(sorted, {},
                      [](const Counts::value_type* part) { return std::string_view(part->first); });
    for (const Counts::value_type* part : sorted) {
      Part& added = parts_.emplace_back();
      added.count = part->second;
      for (const char byte : part->first) added.pieces.push_back(static_cast<unsigned char>(byte));
      for (std::size_t i = 1; i < added.pieces.size(); ++i) {
        change({added.pieces[i - 1], added.pieces[i]}, added.count, parts_.size() - 1);
      }
    }
    queue_raised();
  }

  /// Merges the most frequent pair. Returns false if there is none; `merged` is its text, or empty if that
  /// was already a piece.
  bool merge_one(std::string& merged) {
    while (!queue_.empty()) {
      const Candidate candidate = queue_.top();
      queue_.pop();
      const auto found = pairs_.find(candidate.pair);
      if (found == pairs_.end() || found->second.count == 0) continue;
      if (found->second.count != candidate.count) {  // outdated: the count has decreased since
        if (found->second.count < candidate.count) queue_.push({found->second.count, candidate.pair});
        continue;
      }
      if (candidate.count < kFewest) return false;
      merged = texts_[candidate.pair.left] + texts_[candidate.pair.right];
      if (merged.size() > kLongestMergedPiece || std::ranges::find(reserved_, merged) != reserved_.end())
        continue;
      const auto known = ids_.find(merged);
      const std::uint32_t id = known != ids_.end() ? known->second : add_piece(merged);
      std::vector<std::size_t> places = std::move(found->second.parts);
      pairs_.erase(found);
      std::ranges::sort(places);
      places.erase(std::unique(places.begin(), places.end()), places.end());
      for (const std::size_t place : places) replace(candidate.pair, id, place);
      pairs_.erase(candidate.pair);
      queue_raised();
      if (known != ids_.end()) merged.clear();
      return true;
    }
    return false;
  }

 private:
  /// Two neighbouring pieces.
  struct Pair {
    std::uint32_t left, right;
    auto operator<=>(const Pair&) const = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      return (static_cast<std::uint64_t>(pair.left) << 32 | pair.right) * 0x9E3779B97F4A7C15U >> 13;
    }
  };
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> parts;  // parts that contain the pair, or did
  };
  struct Part {
    std::vector<std::uint32_t> pieces;
    std::int64_t count = 0;
  };
  struct Candidate {
    std::int64_t count;
    Pair pair;
    /// The most frequent pair comes first; among equals, the pair of the oldest pieces.
    bool operator<(const Candidate& other) const {
      if (count != other.count) return count < other.count;
      return pair > other.pair;
    }
  };

  std::uint32_t add_piece(const std::string& text) {
    const auto id = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(text);
    ids_.emplace(text, id);
    return id;
  }

  /// Adds `count`, which is negative for removed pairs, to the count of a pair in a part.
  void change(const Pair& pair, std::int64_t count, std::size_t part) {
    Occurrences& occurrences = pairs_[pair];
    occurrences.count += count;
    if (count < 0) return;
    if (occurrences.parts.empty() || occurrences.parts.back() != part) occurrences.parts.push_back(part);
    raised_.push_back(pair);
  }

  /// Replaces the pair by `id` in a part.
  void replace(const Pair& pair, std::uint32_t id, std::size_t place) {
    Part& part = parts_[place];
    std::vector<std::uint32_t>& pieces = part.pieces;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool here = i + 1 < pieces.size() && pieces[i] == pair.left && pieces[i + 1] == pair.right;
      if (!here) {
        pieces[kept++] = pieces[i];
        continue;
      }
      if (kept > 0) {
        change({pieces[kept - 1], pair.left}, -part.count, place);
        change({pieces[kept - 1], id}, part.count, place);
      }
      if (i + 2 < pieces.size()) {
        change({pair.right, pieces[i + 2]}, -part.count, place);
        change({id, pieces[i + 2]}, part.count, place);
      }
      pieces[kept++] = id;
      ++i;
    }
    pieces.resize(kept);
  }

  /// Queues the pairs whose counts increased.
  void queue_raised() {
    std::ranges::sort(raised_);
    raised_.erase(std::unique(raised_.begin(), raised_.end()), raised_.end());
    for (const Pair& pair : raised_) {
      const auto found = pairs_.find(pair);
      if (found != pairs_.end() && found->second.count > 0) queue_.push({found->second.count, pair});
    }
    raised_.clear();
  }

  const std::vector<std::string>& reserved_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<Part> parts_;
  std::unordered_map<Pair, Occurrences, PairHash> pairs_;
  std::priority_queue<Candidate> queue_;
  std::vector<Pair> raised_;
};

}  // namespace

std::vector<std::string> learn_byte_pairs(const std::vector<std::string>& sentences, std::size_t count,
                                          const std::vector<std::string>& symbols, Listener& listener) {
  Merging merging(count_parts(sentences, Symbols(symbols)), symbols);
  std::vector<std::string> pieces;
  for (std::string merged; pieces.size() < count && merging.merge_one(merged);) {
    if (merged.empty()) continue;
    pieces.push_back(merged);
    if (pieces.size() % 1'000 == 0) {
      listener.progress(
          {static_cast<std::int64_t>(pieces.size()), static_cast<std::int64_t>(count), "merges", ""});
    }
  }
  return pieces;
}

}  // namespace gloss
