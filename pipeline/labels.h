#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/text_windows.h"

namespace gloss {

/// The labels of texts, ascending by bytes, so that a class has the number of its label's place.
std::vector<std::string> labels_of(std::span<const WeightedText>);
/// The number of a label's class; -1: there is none.
int class_of(const std::vector<std::string>& labels, std::string_view label);
/// Throws InputError, which names file and line, if a text has another label.
void expect_known_labels(const IndexedPairs&, const std::vector<std::string>& labels);

}  // namespace gloss
