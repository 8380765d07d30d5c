// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/shortlist_learning.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/threads.h"
#include "pipeline/alignment/generation_model.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

constexpr std::size_t kLongest = 200;  // tokens per side; longer lines say little about which words match

/// Numbers of evenly spread blocks of the text with about `wanted` lines in total.
std::vector<std::int64_t> sample(const IndexedPairs& text, std::int64_t wanted) {
  const std::int64_t blocks = text.blocks(), taken = std::min(blocks, wanted / IndexedLines::kBlockLines + 1);
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < taken; ++i) chosen.push_back(i * blocks / taken);
  return chosen;
}

TokenPairs encode(const PairBlock& block, const Tokenizers& tokenizers, Normalization normalization) {
  TokenPairs pairs;
  for (const PairView& pair : block.pairs) {
    const auto source = tokenizers.source->encode(clean_text(pair.source, normalization).text),
               target = tokenizers.target->encode(clean_text(pair.target, normalization).text);
    const auto [shorter, longer] = std::minmax({source.size(), target.size()});
    if (shorter > 0 && longer <= kLongest) pairs.add(source, target);
  }
  return pairs;
}

/// The tokens that appear in the targets, the most frequent first.
std::vector<TokenId> by_frequency(const TokenLines& lines, int vocabulary) {
  std::vector<std::int64_t> counts(index(vocabulary));
  for (const TokenId token : lines.tokens()) ++counts[index(token)];
  std::vector<TokenId> tokens(counts.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  const auto count = [&](TokenId token) { return counts[index(token)]; };
  std::erase_if(tokens, [&](TokenId token) { return count(token) == 0; });
  std::ranges::stable_sort(tokens, std::ranges::greater(), count);
  return tokens;
}

}  // namespace

Fields fields_of(ShortlistLearning& settings) {
  return {{"best", &settings.best, "number of target pieces kept for each source piece", {1, 100'000}},
          {"sample_pairs",
           &settings.sample_pairs,
           "learn from N pairs, spread evenly, if there are more",
           {1, 1e9}},
          {"iterations", &settings.iterations, "number of iterations of expectation maximisation", {1, 100}}};
}

Shortlist learn_shortlist(const IndexedPairs& text, const Tokenizers& tokenizers, Normalization normalization,
                          const ShortlistLearning& settings, int threads, Listener& listener) {
  const std::vector<std::int64_t> blocks = sample(text, settings.sample_pairs);
  std::vector<TokenPairs> encoded(blocks.size());
  std::mutex telling;
  Progress progress{0, static_cast<std::int64_t>(blocks.size()), "blocks", "splitting lines into pieces"};
  for_each_item(threads, progress.total, [&](std::int64_t number) {
    const auto at = index(number);
    encoded[at] = encode(text.read(blocks[at]), tokenizers, normalization);
    const std::lock_guard lock(telling);
    ++progress.done;
    listener.progress(progress);
  });
  TokenPairs pairs;
  for (TokenPairs& block : encoded) {
    for (std::int64_t i = 0; i < block.size(); ++i) pairs.add(block.source[i], block.target[i]);
    block = {};
  }
  if (pairs.size() == 0) {
    throw InputError(concat(text.text(), " has no usable pair; expected lines and their translations"));
  }
  const LexicalTable table =
      ibm_model_1({pairs.source, pairs.target}, tokenizers.source->size(), settings.iterations, threads);
  std::vector<std::vector<TokenId>> translations(index(tokenizers.source->size()));
  for (std::size_t source = 0; source < translations.size(); ++source) {
    for (const LexicalTable::Entry& entry : table.best(static_cast<TokenId>(source), settings.best)) {
      translations[source].push_back(entry.target);
    }
  }
  Shortlist made(by_frequency(pairs.target, tokenizers.target->size()), translations);
  listener.note(concat("learned ", made.size(), " translations of pieces from ", pairs.size(), " pairs"));
  return made;
}

}  // namespace gloss
