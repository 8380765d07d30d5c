// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer_classifier.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/mixers.h"

namespace gloss {

TransformerClassifier::TransformerClassifier(const NetworkSizes& sizes, const TransformerSettings& settings,
                                             const ClassifierSettings& classes,
                                             const VocabularySettings& vocabulary, Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary), sizes_(sizes), settings_(settings) {
  stack_ = only_stack(parameters, sizes, settings, declare_table(parameters, sizes, sizes.width, vocabulary),
                      vocabulary.end);
  declare_classes(parameters, sizes.width);
}

TransformerClassifier::TransformerClassifier(const NetworkSizes& sizes, const TransformerSettings& settings,
                                             const ClassifierSettings& classes, const SourceParts& source,
                                             Parameters& parameters)
    : ClassifierNetwork(classes, kWithoutText), sizes_(sizes), settings_(settings) {
  stack_ = only_stack(parameters, sizes, settings, source);
  declare_classes(parameters, sizes.width);
}

std::string TransformerClassifier::attention_missing() const {
  const bool causal = sizes_.encoder_layers == 0;
  const int layers = causal ? sizes_.decoder_layers : sizes_.encoder_layers;
  const MixerKind& last = mixer_of(settings_, layers - 1, causal);
  return last.weighs ? ""
                     : concat("the last layer has the mixer ", last.name,
                              ", whose results are not weighted sums of tokens");
}

ClassifierNetwork::Read TransformerClassifier::read(const PackedRows& rows, Random* random,
                                                    std::vector<float>* attention) const {
  const TransformerDropout dropout(sizes_, settings_, random);
  LayerVisitors visitors(stack_.blocks.size());
  if (attention != nullptr) visitors.back() = adding_to(*attention, rows);
  return {stack_(rows, dropout, {.weights = &visitors}), dropout.residual()};
}

RowWeightVisitor TransformerClassifier::adding_to(std::vector<float>& attention,
                                                  const PackedRows& rows) const {
  attention.assign(index(rows.start(rows.sentences())), 0.0f);
  return [&, pooling = pooling()](int first, int per_head, const Tensor& weights) {
    const auto heads = static_cast<int>(weights.columns()) / per_head;
    for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
      const int begin = rows.start(sentence), end = rows.start(sentence + 1);
      const int from = pooling == Pooling::last ? end - 1 : begin,
                to = pooling == Pooling::first ? begin + 1 : end;
      const float share = 1 / static_cast<float>((to - from) * heads);
      const int count = std::min(end - begin - first, per_head);
      for (int row = from; row < to; ++row) {
        const float* const of_row = weights.data() + row * weights.columns();
        for (int head = 0; head < heads; ++head) {
          for (int c = 0; c < count; ++c)
            attention[index(begin + first + c)] += share * of_row[head * per_head + c];
        }
      }
    }
  };
}

}  // namespace gloss
