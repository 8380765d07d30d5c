// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer_classifier.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

TransformerClassifier::TransformerClassifier(const NetworkSizes& sizes, const TransformerSettings& settings,
                                             const ClassifierSettings& classes,
                                             const VocabularySettings& vocabulary, Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary), sizes_(sizes), settings_(settings) {
  stack_.emplace(parameters, sizes, settings, declare_table(parameters, sizes, sizes.width, vocabulary),
                 vocabulary.end);
  declare_classes(parameters, sizes.width);
}

TransformerClassifier::TransformerClassifier(const NetworkSizes& sizes, const TransformerSettings& settings,
                                             const ClassifierSettings& classes, const SourceParts& source,
                                             Parameters& parameters)
    : ClassifierNetwork(classes, kWithoutText), sizes_(sizes), settings_(settings) {
  stack_.emplace(parameters, sizes, settings, source);
  declare_classes(parameters, sizes.width);
}

const MixerKind& TransformerClassifier::last_mixer() const {
  const bool causal = sizes_.encoder_layers == 0;
  return mixer_of(settings_, (causal ? sizes_.decoder_layers : sizes_.encoder_layers) - 1, causal);
}

std::string TransformerClassifier::attention_missing() const {
  if (!last_mixer().attends)
    return concat("the last layer has the mixer ", last_mixer().name, ", which has no attention");
  if (sizes_.encoder_layers > 0 && last_mixer().has_pattern)
    return concat("the last layer has the mixer ", last_mixer().name, ", whose pattern cannot be shown");
  const bool by_distance = settings_.positions == Positions::relative ||
                           settings_.positions == Positions::buckets ||
                           settings_.positions == Positions::alibi;
  return by_distance ? "attention with --positions relative, buckets or alibi cannot be shown" : "";
}

ClassifierNetwork::Read TransformerClassifier::read(const PackedRows& rows, Random* random,
                                                    std::vector<float>* attention) const {
  const TransformerDropout dropout(sizes_, settings_, random);
  std::vector<Tensor> projected(stack_->blocks().size());
  const Tensor states = (*stack_)(rows, dropout, attention != nullptr ? &projected : nullptr);
  if (attention != nullptr) *attention = attention_of(projected.back(), rows);
  return {states, dropout.residual()};
}

std::vector<float> TransformerClassifier::attention_of(const Tensor& projected,
                                                       const PackedRows& rows) const {
  const bool causal = sizes_.encoder_layers == 0;
  const int last_layer = (causal ? sizes_.decoder_layers : sizes_.encoder_layers) - 1,
            window = window_of(settings_, last_layer, causal),
            stride = stride_of(settings_, last_layer, causal);
  const AttentionHeads heads = attention_sizes(sizes_, settings_).heads;
  const auto to_keys = index(heads.width()) * size_of(projected.dtype());
  std::vector<int> queries, keys;
  KeyRows seen;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const int begin = rows.start(sentence), end = rows.start(sentence + 1);
    for (int query = begin; query < end; ++query) {
      if ((pooling() == Pooling::first && query > begin) || (pooling() == Pooling::last && query + 1 < end))
        continue;
      queries.push_back(query);
      const int from = window > 0 ? std::max(begin, query - window) : begin,
                to = causal       ? query + 1
                     : window > 0 ? std::min(end, query + window + 1)
                                  : end;
      for (int key = from + (query - from) % stride; key < to; key += stride) {
        keys.push_back(key);
        seen.keys.push_back(static_cast<const char*>(projected.raw_row(key)) + to_keys);
      }
      seen.end_row();
    }
  }
  const std::vector<std::vector<float>> weights =
      attention_weights(take_rows(projected, queries), seen, heads);
  std::vector<float> got(index(rows.start(rows.sentences())), 0.0f);
  std::size_t query = 0, weight = 0;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const bool of_all = pooling() == Pooling::mean || pooling() == Pooling::max;
    const int count = of_all ? rows.length(sentence) : std::min(rows.length(sentence), 1);
    for (int i = 0; i < count; ++i, ++query) {
      for (int key = seen.starts[query]; key < seen.starts[query + 1]; ++key, ++weight) {
        for (const std::vector<float>& head : weights) {
          got[index(keys[index(key)])] += head[weight] / static_cast<float>(count * heads.heads);
        }
      }
    }
  }
  return got;
}

}  // namespace gloss
