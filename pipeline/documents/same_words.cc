// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/same_words.h"

#include <algorithm>
#include <map>

#include "pipeline/examples/piece_words.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

bool is_mark(std::string_view word) { return !is_word_character(code_points(word).front()); }

/// The words that occur once, with their numbers.
std::map<std::string_view, std::size_t> single_words(const std::vector<std::string_view>& words) {
  std::map<std::string_view, std::size_t> found;
  std::map<std::string_view, int> times;
  for (std::size_t i = 0; i < words.size(); ++i) {
    found[words[i]] = i;
    ++times[words[i]];
  }
  std::erase_if(found, [&](const auto& word) { return times[word.first] > 1 || is_mark(word.first); });
  return found;
}

}  // namespace

void link_same_words(const std::vector<std::string_view>& sources,
                     const std::vector<std::string_view>& targets, std::vector<float>& shares) {
  if (sources.empty() || targets.empty()) return;
  constexpr float kLeast = 0.1f;  // else they are false friends
  const auto link = [&](std::size_t source, std::size_t target) {
    const auto row = shares.begin() + static_cast<std::ptrdiff_t>(target * sources.size());
    std::fill(row, row + std::ssize(sources), 0.0f);
    row[static_cast<std::ptrdiff_t>(source)] = 1;
  };
  const std::map<std::string_view, std::size_t> single = single_words(sources);
  for (const auto& [word, target] : single_words(targets)) {
    const auto same = single.find(word);
    if (same == single.end()) continue;
    const auto row = shares.begin() + static_cast<std::ptrdiff_t>(target * sources.size());
    float all = 0;
    for (auto share = row; share != row + std::ssize(sources); ++share) all += *share;
    if (row[static_cast<std::ptrdiff_t>(same->second)] >= kLeast * all) link(same->second, target);
  }
  if (is_mark(sources.back()) && is_mark(targets.back())) link(sources.size() - 1, targets.size() - 1);
}

}  // namespace gloss
