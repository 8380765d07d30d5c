// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/listener.h"

namespace gloss {

/// A line with its label, such as the code of its language.
struct LabelledLine {
  std::string label, text;
};

/// How a classifier of lines is trained.
struct IdentifierTrainingSettings {
  int dimension = 16;              ///< numbers of a vector
  std::int64_t buckets = 1 << 16;  ///< rows for n-grams
  int longest = 5;                 ///< longest n-gram in characters
  int epochs = 20;
  double learning_rate = 1;
  std::int64_t seed = 1;
};

/// The bytes of a model in fastText's format (.ftz): a softmax over the mean vector of a line's n-grams of
/// characters. Half of the examples are a few neighbouring words of a line, so that short lines are learned
/// too; labels are drawn with the square root of their frequency. The same lines and settings give the same
/// bytes. Throws UsageError with fewer than two labels.
std::string trained_identifier(std::span<const LabelledLine>, const IdentifierTrainingSettings&, Listener&);

}  // namespace gloss
