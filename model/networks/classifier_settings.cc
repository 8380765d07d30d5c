// SPDX-License-Identifier: Apache-2.0

#include "model/networks/classifier_settings.h"

namespace gloss {

Field pooling_field(ClassifierSettings& settings) {
  return {"pooling", choice(settings.pooling, {"first", "last", "mean", "max"}),
          "pooling of token states before classification: the first token, the last token, or the mean or "
          "maximum of all"};
}

}  // namespace gloss
