// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/classifier_settings.h"

namespace gloss {

Fields fields_of(ClassifierSettings& settings) {
  Fields fields{
      {"pooling", choice(settings.pooling, {"first", "last", "mean", "max"}),
       "pooling of token states before classification: the first token, the last token, or the mean or "
       "maximum of all"},
      {"inner_layer", &settings.inner_layer,
       "put a linear layer and tanh between pooling and the output layer of a classifier, as BERT does"}};
  add_traits(fields, kOptional, settings.inner_layer);
  return fields;
}

}  // namespace gloss
