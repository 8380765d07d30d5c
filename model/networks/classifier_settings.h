#pragma once

#include "base/fields.h"

namespace gloss {

/// How the states of a row's tokens become one: that of the first or the last token, or of each number the
/// mean or the largest.
enum class ClassPooling { first, last, mean, max };

/// What makes a transformer tell the class of a text.
struct ClassifierSettings {
  int classes = 0;  ///< 0: it does not
  ClassPooling pooling = ClassPooling::first;
};
Field pooling_field(ClassifierSettings&);

}  // namespace gloss
