// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/noising.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "pipeline/examples/piece_words.h"

namespace gloss {
namespace {

/// A sample from the Poisson distribution (Knuth 1969).
int poisson(double mean, Random& random) {
  const double limit = std::exp(-mean);
  int number = 0;
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++number;
  return number;
}

}  // namespace

Fields fields_of(NoiseSettings& settings) {
  const Range share{0, 1};
  return {
      {"infill_rate", &settings.infill_rate, "share of words in spans that become one mask each (denoise)",
       share},
      {"infill_length",
       &settings.infill_length,
       "mean length of masked spans in words (denoise)",
       {0.1, 100}},
      {"permute_rate", &settings.permute_rate, "share of blocks whose lines are shuffled (denoise)", share},
      {"token_mask_rate", &settings.token_mask_rate, "share of tokens outside spans to mask (denoise)",
       share},
      {"deletion_rate", &settings.deletion_rate, "share of tokens outside spans to delete (denoise)", share}};
}

NoisyBlocks::NoisyBlocks(const Subwords& subwords, TokenId mask, const NoiseSettings& settings, int opening)
    : settings_(settings),
      end_(subwords.end_id()),
      mask_(mask),
      opening_(opening),
      continues_(word_continuations(subwords)) {}

void NoisyBlocks::add(const TextBlock& block, Random random, Corpus& to) const {
  Tokens target(block.tokens.begin(), block.tokens.end());
  if (target.empty() || target.back() != end_) target.push_back(end_);
  Tokens source(block.opening.begin(), block.opening.end());
  for (const TokenId token : infilled(permuted(target, random), random)) {
    const bool may_change = token != end_ && token != mask_;
    const double draw = may_change ? random.uniform() : 1;
    if (draw < settings_.token_mask_rate) {
      source.push_back(mask_);
    } else if (draw >= settings_.token_mask_rate + settings_.deletion_rate || !may_change) {
      source.push_back(token);
    }
  }
  to.add(source, target);
}

NoisyBlocks::Tokens NoisyBlocks::permuted(std::span<const TokenId> block, Random& random) const {
  std::vector<std::span<const TokenId>> sentences;
  for (std::size_t begin = 0; begin < block.size();) {
    const auto end = std::find(block.begin() + static_cast<std::ptrdiff_t>(begin), block.end(), end_);
    const auto next = index(end - block.begin()) + 1;
    sentences.push_back(block.subspan(begin, next - begin));
    begin = next;
  }
  if (random.uniform() < settings_.permute_rate) random.shuffle(sentences);
  Tokens text;
  for (const auto& sentence : sentences) text.insert(text.end(), sentence.begin(), sentence.end());
  return text;
}

NoisyBlocks::Tokens NoisyBlocks::infilled(const Tokens& text, Random& random) const {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> words;                        // offset of the first token of each
  std::vector<std::size_t> word_of(text.size(), kNone);  // of each token; kNone: the end of a line
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (text[place] == end_) continue;
    const bool goes_on = place > 0 && text[place - 1] != end_ && (*continues_)[index(text[place])];
    if (!goes_on) words.push_back(place);
    word_of[place] = words.size() - 1;
  }
  const auto wanted =
      static_cast<std::size_t>(std::round(settings_.infill_rate * static_cast<double>(words.size())));
  std::vector<std::size_t> starts(words.size());
  for (std::size_t word = 0; word < starts.size(); ++word) starts[word] = word;
  random.shuffle(starts);
  std::vector<bool> hidden(words.size()), mask_before(words.size());
  std::size_t covered = 0, saved = 0;  // number of hidden words; tokens saved by hiding them
  for (const std::size_t start : starts) {
    if (covered >= wanted) break;
    if (hidden[start]) continue;
    const auto length = std::min(index(poisson(settings_.infill_length, random)), wanted - covered);
    if (length == 0) {  // insert a mask, unless the text would exceed its original length
      mask_before[start] = saved > 0;
      saved -= saved > 0 ? 1 : 0;
      continue;
    }
    mask_before[start] = true;
    for (std::size_t word = start; word < start + length && word < words.size() && !hidden[word]; ++word) {
      if (word > start && text[words[word] - 1] == end_) break;  // another line
      hidden[word] = true;
      ++covered;
      saved += word > start ? 1 : 0;
    }
  }
  Tokens noisy;
  for (std::size_t place = 0; place < text.size(); ++place) {
    const std::size_t word = word_of[place];
    if (word != kNone && words[word] == place && mask_before[word]) noisy.push_back(mask_);
    if (word == kNone || !hidden[word]) noisy.push_back(text[place]);
  }
  return noisy;
}

}  // namespace gloss
