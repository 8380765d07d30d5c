// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/inner_weights.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

const MixingNetwork& mixing(const Network& network) {
  const MixingNetwork* const found = network.mixing_network();
  if (found != nullptr) return *found;
  throw UsageError(
      "--attention encoder and decoder are for transformers; the layers of this network see one token after "
      "the "
      "other");
}

}  // namespace

InnerWeights::InnerWeights(const Network& network, bool of_decoder)
    : network_(mixing(network)), of_decoder_(of_decoder), layers_(network_.layers(of_decoder)) {
  const char* const side = of_decoder ? "decoder" : "encoder";
  if (layers_.empty()) throw UsageError(concat("--attention ", side, ": the model has no layers there"));
  if (std::ranges::any_of(layers_, [](const auto& layer) { return layer.weighs; })) return;
  throw UsageError(concat("--attention ", side, ": the layers have the mixer ", layers_.front().mixer,
                          ", whose results are not weighted sums of tokens"));
}

std::vector<std::vector<float>> InnerWeights::of_rows(const Batch& batch) const {
  const auto heads = static_cast<std::size_t>(this->heads());
  const TokenRows& side = of_decoder_ ? batch.target : batch.source;
  const auto area = [&](int row) { return index(side.length(row)) * index(side.length(row)); };
  std::vector<std::vector<float>> all;
  for (int row = 0; row < side.rows(); ++row) all.emplace_back(layers_.size() * heads * area(row));
  LayerVisitors visitors(layers_.size());
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    if (!layers_[layer].weighs) continue;
    visitors[layer] = [&, layer](int first, int per_head, const Tensor& weights) {
      for (int row = 0; row < side.rows(); ++row) {
        const int length = side.length(row), count = std::min(length - first, per_head);
        for (int head = 0; head < this->heads() && count > 0; ++head) {
          float* to = all[index(row)].data() + (layer * heads + index(head)) * area(row) + first;
          for (int token = 0; token < length; ++token, to += length) {
            std::copy_n(
                weights.data() + (side.starts[index(row)] + token) * weights.columns() + head * per_head,
                count, to);
          }
        }
      }
    };
  }
  network_.visit_weights(batch, of_decoder_, visitors);
  return all;
}

}  // namespace gloss
