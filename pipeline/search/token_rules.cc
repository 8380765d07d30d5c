// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/token_rules.h"

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "pipeline/examples/piece_words.h"
#include "tokenizer/foreign_rules.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestCharacter = 4;  // bytes of UTF-8

}  // namespace

bool all_allow(const TokenRules& rules, std::span<const TokenId> so_far, TokenId next) {
  return std::ranges::all_of(rules, [&](const auto& rule) { return rule->allows(so_far, next); });
}

std::size_t TokenRule::most_refused(std::size_t) const { return std::numeric_limits<std::size_t>::max(); }

std::optional<int> most_refused(const TokenRules& rules, std::size_t length) {
  constexpr std::size_t kSmall = 64;  // finding that many of the best scores costs little
  std::size_t sum = 0;
  for (const auto& rule : rules) {
    const std::size_t refused = rule->most_refused(length);
    if (refused > kSmall - sum) return std::nullopt;
    sum += refused;
  }
  return static_cast<int>(sum);
}

TokenRules rules_of(const Subwords& target, int scored) {
  TokenRules rules;
  if (scored > target.size()) rules.push_back(std::make_shared<KnownPieces>(target.size(), scored));
  if (std::vector<int> never = target.never_generated(); !never.empty())
    rules.push_back(std::make_shared<BannedTokens>(std::move(never), never_probable(target)));
  return rules;
}

TokenRules with_rules_of(const SearchSettings& settings, TokenRules rules) {
  if (settings.no_repeat_ngram > 0) {
    rules.push_back(std::make_shared<NoRepeatedNgram>(settings.no_repeat_ngram));
  }
  return rules;
}

bool BannedTokens::allows(std::span<const TokenId>, TokenId next) const {
  return std::ranges::find(tokens_, next) == tokens_.end();
}

bool NoRepeatedNgram::allows(std::span<const TokenId> so_far, TokenId next) const {
  if (so_far.size() < size_) return true;
  const std::size_t before = size_ - 1;
  const std::span<const TokenId> latest = so_far.last(before);
  for (std::size_t start = 0; start + size_ <= so_far.size(); ++start) {
    if (so_far[start + before] == next && std::ranges::equal(so_far.subspan(start, before), latest)) {
      return false;
    }
  }
  return true;
}

BannedPhrases::BannedPhrases(std::vector<std::string> phrases, std::vector<std::string> pieces)
    : phrases_(std::move(phrases)), pieces_(std::move(pieces)) {
  for (const std::string& phrase : phrases_) reach_ = std::max(reach_, phrase.size() + kLongestCharacter);
}

bool BannedPhrases::allows(std::span<const TokenId> so_far, TokenId next) const {
  std::size_t first = so_far.size(), bytes = 0;
  while (first > 0 && bytes < reach_) bytes += pieces_[index(so_far[--first])].size();
  std::string text;
  for (const TokenId token : so_far.subspan(first)) text += pieces_[index(token)];
  const std::size_t from = text.size();
  text += pieces_[index(next)];
  return find(text, from) == nullptr;
}

const std::string* BannedPhrases::found_in(std::span<const TokenId> tokens) const {
  std::string text;
  for (const TokenId token : tokens) text += pieces_[index(token)];
  return find(text, 0);
}

const std::string* BannedPhrases::find(const std::string& text, std::size_t from) const {
  for (const std::string& phrase : phrases_) {
    std::size_t place = from > phrase.size() ? from - phrase.size() : 0;
    for (; (place = text.find(phrase, place)) != std::string::npos; ++place) {
      const std::size_t end = place + phrase.size();
      if (end > from && between_words(text, place) && between_words(text, end)) return &phrase;
    }
  }
  return nullptr;
}

}  // namespace gloss
