// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/required_phrases.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

RequiredPhrases::RequiredPhrases(std::vector<RequiredPhrase> phrases,
                                 std::shared_ptr<const std::vector<bool>> continues_word,
                                 std::vector<std::vector<int>> source_places)
    : phrases_(std::move(phrases)),
      source_places_(std::move(source_places)),
      continues_word_(std::move(continues_word)) {
  source_places_.resize(phrases_.size());
  for (const RequiredPhrase& phrase : phrases_) {
    expects(!phrase.empty(), "a required phrase has no form");
    std::size_t shortest = phrase.front().size();
    for (const std::vector<TokenId>& form : phrase) shortest = std::min(shortest, form.size());
    expects(shortest > 0, "a required phrase has no tokens");
    shortest_.push_back(static_cast<int>(shortest));
    total_ += shortest_.back();
  }
}

RequiredPhrases::Progress RequiredPhrases::start() const {
  Progress progress;
  progress.met.resize(phrases_.size());
  count(progress, {});
  return progress;
}

RequiredPhrases::Progress RequiredPhrases::advance(const Progress& before,
                                                   std::span<const TokenId> tokens) const {
  Progress progress = before;
  progress.latest.clear();
  progress.revoked = !before.latest.empty() && (*continues_word_)[index(tokens.back())];
  if (progress.revoked) {
    for (const Met& latest : before.latest) progress.met[index(latest.phrase)] = false;
  }
  for (std::size_t phrase = 0; phrase < phrases_.size(); ++phrase) {
    if (progress.met[phrase]) continue;
    for (const std::vector<TokenId>& form : phrases_[phrase]) {
      if (form.size() > tokens.size() || !std::ranges::equal(form, tokens.last(form.size()))) continue;
      progress.met[phrase] = true;
      progress.latest.push_back({static_cast<int>(phrase), static_cast<int>(form.size())});
      break;
    }
  }
  count(progress, tokens);
  return progress;
}

void RequiredPhrases::count(Progress& progress, std::span<const TokenId> tokens) const {
  progress.needed = progress.missing = 0;
  int saved = 0;  // tokens that continuing a begun phrase saves; only one begun phrase can be continued
  for (std::size_t phrase = 0; phrase < phrases_.size(); ++phrase) {
    if (progress.met[phrase]) continue;
    ++progress.missing;
    progress.needed += shortest_[phrase];
    for (const std::vector<TokenId>& form : phrases_[phrase]) {
      const int left = static_cast<int>(form.size() - begun(form, tokens));
      saved = std::max(saved, shortest_[phrase] - left);
    }
  }
  progress.needed -= saved;
}

std::vector<TokenId> RequiredPhrases::next_tokens(const Progress& progress,
                                                  std::span<const TokenId> tokens) const {
  std::vector<TokenId> next;
  for (std::size_t phrase = 0; phrase < phrases_.size(); ++phrase) {
    if (progress.met[phrase]) continue;
    for (const std::vector<TokenId>& form : phrases_[phrase]) {
      next.push_back(form.front());
      next.push_back(form[begun(form, tokens)]);
    }
  }
  std::ranges::sort(next);
  next.erase(std::unique(next.begin(), next.end()), next.end());
  return next;
}

std::vector<TokenId> RequiredPhrases::tokens() const {
  std::vector<TokenId> all;
  for (const RequiredPhrase& phrase : phrases_) {
    for (const std::vector<TokenId>& form : phrase) all.insert(all.end(), form.begin(), form.end());
  }
  return all;
}

std::size_t RequiredPhrases::begun(const std::vector<TokenId>& form, std::span<const TokenId> tokens) {
  for (std::size_t size = std::min(form.size() - 1, tokens.size()); size > 0; --size) {
    if (std::ranges::equal(std::span(form).first(size), tokens.last(size))) return size;
  }
  return 0;
}

}  // namespace gloss
