// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_classifier.h"

#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/step_rows.h"

namespace gloss {

RecurrentClassifier::RecurrentClassifier(const NetworkSizes& sizes, const RecurrentSettings& settings,
                                         const ClassifierSettings& classes,
                                         const VocabularySettings& vocabulary, Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary), sizes_(sizes), settings_(settings) {
  table_ = declare_table(parameters, sizes, settings.embedding_width, vocabulary);
  encoder_.emplace(parameters, "encoder", sizes, settings, settings.embedding_width, false);
  declare_classes(parameters, encoder_->width());
}

ClassifierNetwork::Read RecurrentClassifier::read(const PackedRows& rows, Random* random,
                                                  std::vector<float>*) const {
  const RecurrentMasks masks(sizes_, settings_, random);
  const Tensor tokens =
      embed_tokens(table_, rows.tokens, sizes_, masks.source, mask_numbers(rows, settings_));
  return {(*encoder_)(tokens, rows, masks).annotations, masks.output};
}

}  // namespace gloss
