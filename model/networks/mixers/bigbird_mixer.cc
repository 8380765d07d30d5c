// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/bigbird_mixer.h"

#include "base/error.h"
#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {
namespace {

BlockSizes block_sizes(const TransformerSettings& settings) {
  return {.block = settings.attention_block,
          .window = settings.bigbird.window_blocks,
          .global = settings.bigbird.global_blocks,
          .random = settings.bigbird.random_blocks};
}

std::shared_ptr<const Mixer> make_bigbird(Parameters& parameters, const std::string& name,
                                          const MixerLayer& place) {
  const auto seed = static_cast<std::uint64_t>(place.layer) + 1;
  AttentionSizes sizes = attention_sizes(place.sizes, place.settings);
  sizes.pattern = std::make_shared<const BlockPattern>(block_sizes(place.settings), seed);
  return make_self_attention(parameters, name, place, sizes);
}

void check_bigbird(const MixerLayer& place) {
  const BlockSizes sizes = block_sizes(place.settings);
  const std::int64_t tokens = sizes.seen() * sizes.block, positions = place.sizes.max_positions;
  if (tokens < positions) return;
  throw UsageError(concat("attention_block ", sizes.block, " times ", sizes.seen(),
                          " blocks (2 window_blocks ", sizes.window, " + 1 + global_blocks ", sizes.global,
                          " + random_blocks ", sizes.random, ") covers every text of at most max_positions ",
                          positions, "; choose smaller or fewer blocks, or the mixer attention"));
}

}  // namespace

Fields fields_of(BigbirdSettings& s) {
  constexpr double kMostBlocks = 1024;
  return {{"window_blocks",
           &s.window_blocks,
           "number of blocks on either side that a block sees in bigbird attention",
           {0, kMostBlocks}},
          {"global_blocks",
           &s.global_blocks,
           "number of first blocks that see all tokens, and that all tokens see, in bigbird attention",
           {0, kMostBlocks}},
          {"random_blocks",
           &s.random_blocks,
           "number of random blocks that a block sees in bigbird attention",
           {0, kMostBlocks}}};
}

MixerKind bigbird_mixer() {
  return {.name = "bigbird",
          .part = "block_attention",
          .make = make_bigbird,
          .check = check_bigbird,
          .in_encoders = true,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"attention_block", "window_blocks", "global_blocks", "random_blocks"}};
}

}  // namespace gloss
