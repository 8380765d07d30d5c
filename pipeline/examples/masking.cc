// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/masking.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "pipeline/examples/piece_words.h"

namespace gloss {
namespace {

constexpr double kMasked = 0.8, kReplaced = 0.1;  // of the chosen tokens

}  // namespace

Fields fields_of(MaskSettings& settings) {
  return {{"mask_rate", &settings.rate, "share of the tokens to mask and predict (mlm)", {0.001, 1}},
          {"whole_word", &settings.whole_words, "mask all pieces of a word together (mlm)"}};
}

MaskedBlocks::MaskedBlocks(const Subwords& subwords, TokenId mask, const MaskSettings& settings)
    : settings_(settings),
      class_(subwords.begin_id()),
      end_(subwords.end_id()),
      mask_(mask),
      continues_(word_continuations(subwords)) {
  for (int id = 0; id < subwords.size(); ++id) {
    if (id != subwords.unknown_id() && id != class_ && id != end_) pieces_.push_back(id);
  }
}

std::vector<std::vector<std::size_t>> MaskedBlocks::choices(std::span<const TokenId> block) const {
  std::vector<std::vector<std::size_t>> all;
  bool after_word = false;  // whether the previous token may be chosen
  for (std::size_t place = 0; place < block.size(); ++place) {
    const bool chosen = block[place] != end_;
    const bool goes_on = settings_.whole_words && after_word && chosen && (*continues_)[index(block[place])];
    if (chosen && !goes_on) all.emplace_back();
    if (chosen) all.back().push_back(place);
    after_word = chosen;
  }
  return all;
}

void MaskedBlocks::add(const TextBlock& text, Random random, Corpus& to) const {
  const std::span<const TokenId> block = text.tokens;
  std::vector<std::vector<std::size_t>> choices_left = choices(block);
  std::size_t all = 0;
  for (const auto& places : choices_left) all += places.size();
  if (all == 0) return;  // only ends of lines
  const auto wanted =
      static_cast<std::size_t>(std::max(1.0, std::round(settings_.rate * static_cast<double>(all))));
  random.shuffle(choices_left);
  std::vector<TokenId> source{class_}, target(block.size() + 1, -1);
  source.insert(source.end(), block.begin(), block.end());
  std::size_t chosen = 0;
  for (const auto& places : choices_left) {
    if (chosen > 0 && chosen + places.size() > wanted) continue;
    chosen += places.size();
    for (const std::size_t place : places) {
      target[place + 1] = block[place];
      const double draw = random.uniform();
      if (draw < kMasked) {
        source[place + 1] = mask_;
      } else if (draw < kMasked + kReplaced) {
        source[place + 1] = pieces_[random.below(pieces_.size())];
      }
    }
  }
  to.add(source, target);
}

}  // namespace gloss
