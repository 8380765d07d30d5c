// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/bart_kinds.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace gloss {

std::span<const BartKind> bart_kinds() {
  static const std::array<BartKind, 5> kinds{BartKind{.model_type = "marian",
                                                      .class_name = "MarianMTModel",
                                                      .description = "a Marian model of transformers",
                                                      .positions = BartPositions::marian,
                                                      .norm = NormPlacement::post,
                                                      .end = 0,
                                                      .starts_with_padding = true},
                                             {.model_type = "bart",
                                              .class_name = "BartForConditionalGeneration",
                                              .description = "a BART model",
                                              .positions = BartPositions::learned,
                                              .norm = NormPlacement::post,
                                              .embedding_norm = true},
                                             {.model_type = "mbart",
                                              .class_name = "MBartForConditionalGeneration",
                                              .description = "an mBART model",
                                              .positions = BartPositions::learned,
                                              .norm = NormPlacement::pre,
                                              .embedding_norm = true},
                                             {.model_type = "m2m_100",
                                              .class_name = "M2M100ForConditionalGeneration",
                                              .description = "an M2M-100 or NLLB model",
                                              .positions = BartPositions::sines_from_two,
                                              .norm = NormPlacement::pre,
                                              .scales = true},
                                             {.model_type = "pegasus",
                                              .class_name = "PegasusForConditionalGeneration",
                                              .description = "a Pegasus model",
                                              .positions = BartPositions::marian,
                                              .norm = NormPlacement::pre,
                                              .end = 1,
                                              .starts_with_padding = true}};
  return kinds;
}

const BartKind& bart_kind(const std::string& model_type) {
  const auto found = std::ranges::find(bart_kinds(), model_type, &BartKind::model_type);
  expects(found != bart_kinds().end(), model_type, " is no relative of BART");
  return *found;
}

}  // namespace gloss
