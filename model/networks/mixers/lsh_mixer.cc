// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/lsh_mixer.h"

#include "base/error.h"
#include "model/layers/linear.h"
#include "model/networks/mixers/mixer.h"
#include "model/tensor/hash_pattern.h"

namespace gloss {
namespace {

HashDirections::Sizes hash_sizes(const MixerLayer& place) {
  return {.most_rows = place.sizes.max_positions,
          .chunk = place.settings.attention_block,
          .rounds = place.settings.lsh.rounds,
          .heads = place.sizes.heads,
          .head_width = place.sizes.width / place.sizes.heads};
}

class LshMixer : public Mixer {
 public:
  LshMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : heads_(AttentionHeads::of_width(place.sizes.width, place.sizes.heads)),
        query_value_(parameters, name + ".query_value", place.sizes.width, 2 * place.sizes.width,
                     xavier_uniform(place.sizes.width, 2 * place.sizes.width), place.settings.linear_bias),
        output_(parameters, name + ".output", place.sizes.width, place.sizes.width,
                scaled(xavier_uniform(place.sizes.width, place.sizes.width), place.scales.initial.outer),
                place.settings.linear_bias),
        directions_(hash_sizes(place), static_cast<std::uint64_t>(place.layer) + 1),
        ones_(Tensor::uninitialised({heads_.head_width})) {
    for (float& one : ones_.values()) one = 1;
  }

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor queries_values = query_value_(around.before(x, dropout));
    const Tensor keys_values =
        norm_heads(queries_values, {.query = ones_, .key = {}, .queries = heads_.heads});
    AttentionShape shape{heads_, false, dropout.attention()};
    shape.pattern = std::make_shared<const HashPattern>(directions_, queries_values, *view.spans);
    const auto attend = [&](const Tensor& rows) {
      return attention(queries_values, rows, *view.spans, shape);
    };
    visit_row_weights(view.weights, *view.spans, {keys_values, heads_.heads, heads_.head_width}, attend);
    return output_(attend(keys_values));
  }

 private:
  AttentionHeads heads_;
  Linear query_value_, output_;
  HashDirections directions_;
  Tensor ones_;
};

std::shared_ptr<const Mixer> make_lsh(Parameters& parameters, const std::string& name,
                                      const MixerLayer& place) {
  return std::make_shared<LshMixer>(parameters, name, place);
}

void check_lsh(const MixerLayer& place) {
  constexpr std::int64_t kMostNumbers = 1 << 20;  // they are computed before weights are checked
  expect_heads_divide(place.sizes.width, place.sizes.heads);
  const HashDirections::Sizes sizes = hash_sizes(place);
  if (3 * sizes.chunk >= sizes.most_rows) {
    throw UsageError(concat("attention_block ", sizes.chunk, " times 3 covers every text of at most ",
                            "max_positions ", sizes.most_rows,
                            "; choose smaller blocks, or the mixer attention"));
  }
  const std::int64_t numbers = HashDirections::count(sizes);
  if (numbers <= kMostNumbers) return;
  throw UsageError(concat("hash_rounds ", sizes.rounds, " with attention_block ", sizes.chunk,
                          " and max_positions ", sizes.most_rows, " need ", numbers,
                          " numbers for directions, more than ", kMostNumbers,
                          "; choose fewer rounds or larger blocks"));
}

}  // namespace

Fields fields_of(LshSettings& s) {
  return {{"hash_rounds",
           &s.rounds,
           "number of rounds of hashing in lsh attention: more find more of the similar tokens",
           {1, 64}}};
}

MixerKind lsh_mixer() {
  return {.name = "lsh",
          .part = "hashed_attention",
          .make = make_lsh,
          .check = check_lsh,
          .in_encoders = true,
          .weighs = true,
          .drops_weights = true,
          .has_heads = true,
          .settings = {"attention_block", "hash_rounds"}};
}

}  // namespace gloss
