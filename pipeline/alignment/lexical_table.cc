// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/lexical_table.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "base/threads.h"
#include "model/networks/batch.h"
#include "pipeline/alignment/expected_counts.h"

namespace gloss {
namespace {

/// Calls `use(first, step)` on several threads: each call is for the tokens first, first + step, ... below
/// `count`. Neighbouring tokens, which may all be frequent, are in different calls.
template <class Use>
void each_token_share(int threads, TokenId count, Use use) {
  const TokenId shares = std::min<TokenId>(64, count);
  for_each_item(threads, shares, [&](std::int64_t share) { use(static_cast<TokenId>(share), shares); });
}

/// The target tokens of the lines in which each source token occurs.
class CoOccurrences {
 public:
  /// The lines must outlive this object.
  CoOccurrences(const PairSides& sides, int source_vocabulary);

  /// Calls `use`, on several threads, with each source token and the target tokens of its lines, each once in
  /// order of appearance; also with `source_vocabulary` and all target tokens.
  void each_source(int threads,
                   const std::function<void(TokenId source, std::span<const TokenId> targets)>& use) const;

 private:
  std::span<const std::int32_t> lines_of(TokenId source) const;

  PairSides sides_;
  int sources_;
  std::size_t target_vocabulary_;
  std::vector<std::size_t> starts_;  // of the lines of each source token, and the end
  std::vector<std::int32_t> lines_;  // in which it occurs, each once
};

/// Calls `use(token, line)` for each different token of each line.
template <class Use>
void each_occurrence(const TokenLines& lines, int vocabulary, Use use) {
  std::vector<std::int64_t> last(index(vocabulary), -1);  // line in which a token occurred
  for (std::int64_t line = 0; line < lines.size(); ++line) {
    for (const TokenId token : lines[line]) {
      if (std::exchange(last[index(token)], line) != line) use(token, line);
    }
  }
}

CoOccurrences::CoOccurrences(const PairSides& sides, int source_vocabulary)
    : sides_(sides), sources_(source_vocabulary), starts_(index(source_vocabulary) + 1) {
  const auto targets = sides.generated.tokens();
  target_vocabulary_ = targets.empty() ? 0 : index(*std::max_element(targets.begin(), targets.end())) + 1;
  each_occurrence(sides.given, sources_, [&](TokenId token, std::int64_t) { ++starts_[index(token) + 1]; });
  for (std::size_t token = 1; token < starts_.size(); ++token) starts_[token] += starts_[token - 1];
  lines_.resize(starts_.back());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  each_occurrence(sides.given, sources_, [&](TokenId token, std::int64_t line) {
    lines_[next[index(token)]++] = static_cast<std::int32_t>(line);
  });
}

std::span<const std::int32_t> CoOccurrences::lines_of(TokenId source) const {
  const std::size_t start = starts_[index(source)];
  return std::span(lines_).subspan(start, starts_[index(source) + 1] - start);
}

void CoOccurrences::each_source(int threads,
                                const std::function<void(TokenId, std::span<const TokenId>)>& use) const {
  each_token_share(threads, sources_ + 1, [&](TokenId first, TokenId step) {
    std::vector<TokenId> seen_with(target_vocabulary_, -1), found;
    for (TokenId source = first; source <= sources_; source += step) {
      found.clear();
      const auto add = [&](std::span<const TokenId> line) {
        for (const TokenId target : line) {
          if (std::exchange(seen_with[index(target)], source) != source) found.push_back(target);
        }
      };
      if (source == sources_) {
        add(sides_.generated.tokens());
      } else {
        for (const std::int32_t line : lines_of(source)) add(sides_.generated[line]);
      }
      use(source, found);
    }
  });
}

}  // namespace
LexicalTable::LexicalTable(const PairSides& sides, int source_vocabulary, int threads)
    : none_(source_vocabulary), starts_(index(source_vocabulary) + 2) {
  const CoOccurrences together(sides, source_vocabulary);
  together.each_source(threads, [&](TokenId source, std::span<const TokenId> targets) {
    // A third is free: a search is short, and that for an absent token ends.
    starts_[index(source) + 1] = targets.empty() ? 0 : targets.size() + targets.size() / 2 + 1;
  });
  for (std::size_t source = 1; source < starts_.size(); ++source) starts_[source] += starts_[source - 1];
  slots_.resize(starts_.back());
  together.each_source(threads, [&](TokenId source, std::span<const TokenId> targets) {
    for (const TokenId target : targets) {
      slots_[place(source, target)] = {target, 1.0f / static_cast<float>(targets.size())};
    }
  });
}

void LexicalTable::count(std::size_t place, float expected) {
  add_count(slots_[place].count, static_cast<double>(expected));
}

void LexicalTable::renew(int threads) {
  each_token_share(threads, none_ + 1, [&](TokenId first, TokenId step) {
    for (TokenId source = first; source <= none_; source += step) renew_slots(source);
  });
}

void LexicalTable::renew_slots(TokenId source) {
  const std::size_t first = starts_[index(source)], last = starts_[index(source) + 1];
  std::uint64_t total = 0;
  for (std::size_t at = first; at < last; ++at) total += slots_[at].count;
  for (std::size_t at = first; at < last; ++at) {
    const std::uint64_t count = std::exchange(slots_[at].count, 0);
    const auto share = static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, total));
    slots_[at].probability = static_cast<float>(share);
  }
}

std::vector<LexicalTable::Entry> LexicalTable::best(TokenId source, int count) const {
  constexpr float kLeast = 1e-5f;  // lower probabilities are noise
  std::vector<Entry> entries;
  for (std::size_t at = starts_[index(source)]; at < starts_[index(source) + 1]; ++at) {
    if (slots_[at].probability >= kLeast) entries.push_back({slots_[at].target, slots_[at].probability});
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.target < b.target;
  });
  entries.resize(std::min(entries.size(), index(count)));
  return entries;
}

}  // namespace gloss
