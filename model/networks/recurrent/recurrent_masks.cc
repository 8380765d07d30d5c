// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_masks.h"

#include <algorithm>
#include <numeric>

namespace gloss {
namespace {

double on_target(const RecurrentSettings& settings, double rate) {
  return settings.dropout_layers == DropoutLayers::all ? rate : 0;
}

}  // namespace

RecurrentMasks::RecurrentMasks(const NetworkSizes& sizes, const RecurrentSettings& settings, Random* random)
    : source(dropout_mask(sizes.embedding_dropout, random)),
      target(dropout_mask(on_target(settings, sizes.embedding_dropout), random)),
      output(dropout_mask(settings.output_dropout, random)) {
  for (int i = 0; i < sizes.encoder_layers; ++i) encoder.push_back(dropout_mask(sizes.dropout, random));
  for (int i = 0; i < sizes.decoder_layers; ++i) {
    decoder.push_back(dropout_mask(on_target(settings, sizes.dropout), random));
  }
  for (int i = 0; settings.stacks_are_separate() && i < sizes.encoder_layers; ++i) {
    backwards.push_back(dropout_mask(sizes.dropout, random));
  }
  if (settings.selection == AttentionSelection::hard) {
    draw = std::make_shared<const KeyDraw>(KeyDraw{random, std::make_shared<std::vector<float>>()});
  }
}

std::vector<int> mask_numbers(const PackedRows& rows, const RecurrentSettings& settings) {
  std::vector<int> numbers(rows.tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int s = 0; settings.variational_dropout && s < rows.sentences(); ++s) {
    std::fill_n(numbers.begin() + rows.start(s), rows.length(s), s);
  }
  return numbers;
}

}  // namespace gloss
