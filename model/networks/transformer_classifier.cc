#include "model/networks/transformer_classifier.h"

#include <algorithm>

#include "model/tensor/ops_recurrent.h"

namespace gloss {

TransformerClassifier::TransformerClassifier(const TransformerSettings& settings,
                                             const ClassifierSettings& classes,
                                             const VocabularySettings& vocabulary, Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary), settings_(settings) {
  stack_.emplace(parameters, settings, declare_table(parameters, settings, settings.width, vocabulary));
  declare_classes(parameters, settings.width);
}

ClassifierNetwork::Read TransformerClassifier::read(const PackedRows& rows, Random* random,
                                                    std::vector<float>* attention) const {
  const TransformerDropout dropout(settings_, random);
  std::vector<Tensor> projected(stack_->blocks().size());
  const Tensor states = (*stack_)(rows, dropout, attention != nullptr ? &projected : nullptr);
  if (attention != nullptr) *attention = attention_of(projected.back(), rows);
  return {states, dropout.residual()};
}

std::vector<float> TransformerClassifier::attention_of(const Tensor& projected,
                                                       const PackedRows& rows) const {
  const bool causal = settings_.encoder_layers == 0;
  const auto to_keys = static_cast<std::size_t>(settings_.width) * size_of(projected.dtype());
  std::vector<int> queries;
  KeyRows seen;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const int begin = rows.start(sentence), end = rows.start(sentence + 1);
    for (int query = begin; query < end; ++query) {
      if ((pooling() == Pooling::first && query > begin) || (pooling() == Pooling::last && query + 1 < end))
        continue;
      queries.push_back(query);
      for (int key = begin; key < (causal ? query + 1 : end); ++key) {
        seen.keys.push_back(static_cast<const char*>(projected.raw_row(key)) + to_keys);
      }
      seen.end_row();
    }
  }
  const std::vector<std::vector<float>> heads =
      attention_weights(take_rows(projected, queries), seen, settings_.width, settings_.heads);
  std::vector<float> got(static_cast<std::size_t>(rows.start(rows.sentences())), 0.0f);
  std::size_t query = 0, weight = 0;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const bool of_all = pooling() == Pooling::mean || pooling() == Pooling::max;
    const int begin = rows.start(sentence),
              count = of_all ? rows.length(sentence) : std::min(rows.length(sentence), 1);
    for (int i = 0; i < count; ++i, ++query) {
      const int keys = seen.starts[query + 1] - seen.starts[query];
      for (int key = 0; key < keys; ++key, ++weight) {
        for (const std::vector<float>& head : heads) {
          got[static_cast<std::size_t>(begin + key)] +=
              head[weight] / static_cast<float>(count * settings_.heads);
        }
      }
    }
  }
  return got;
}

}  // namespace gloss
