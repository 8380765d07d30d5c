// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/examples/text_windows.h"

namespace gloss {

/// The labels of texts in ascending byte order; the index of a label is the number of its class.
std::vector<std::string> labels_of(std::span<const WeightedText>);
/// The number of a label's class; -1: unknown label.
int class_of(const std::vector<std::string>& labels, std::string_view label);
/// Throws an InputError naming file and line, with the `advice` at its end, if a text has an unknown label.
void expect_known_labels(const IndexedPairs&, const std::vector<std::string>& labels,
                         const std::string& advice = "");

}  // namespace gloss
