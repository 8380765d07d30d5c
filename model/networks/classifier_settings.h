#pragma once

#include "base/fields.h"
#include "model/networks/pooling.h"

namespace gloss {

/// What makes a network tell the class of a text.
struct ClassifierSettings {
  int classes = 0;  ///< 0: it does not
  Pooling pooling = Pooling::first;
};
Field pooling_field(ClassifierSettings&);

}  // namespace gloss
