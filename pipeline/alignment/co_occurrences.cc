// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/co_occurrences.h"

#include <algorithm>
#include <utility>

#include "pipeline/alignment/token_shares.h"

namespace gloss {
namespace {

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

}  // namespace

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

}  // namespace gloss
