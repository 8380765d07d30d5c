// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// Settings of convolutional classifiers (Kim 2014) besides NetworkSizes, in which `width` is that of token
/// embeddings and `dropout` applies to the pooled features.
struct ConvolutionalSettings {
  std::vector<std::string> filter_widths{"3", "4", "5"};  ///< tokens that the filters of a group read
  int filters = 100;                                      ///< of each width
};
Fields fields_of(ConvolutionalSettings&);
/// The filter widths as numbers. Throws UsageError unless they are different numbers from 1 to 64.
std::vector<int> filter_widths_of(const ConvolutionalSettings&);

}  // namespace gloss
