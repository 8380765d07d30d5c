// SPDX-License-Identifier: Apache-2.0

#include "model/networks/convolutional/convolutional_settings.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace gloss {
namespace {

constexpr int kWidestFilter = 64;

}  // namespace

Fields fields_of(ConvolutionalSettings& s) {
  return {{"filter_widths", &s.filter_widths,
           "numbers of neighbouring tokens that the filters of a convolutional classifier read, such as "
           "3 4 5"},
          {"filters", &s.filters, "number of filters of each width", {1, 1 << 16}}};
}

std::vector<int> filter_widths_of(const ConvolutionalSettings& settings) {
  if (settings.filter_widths.empty()) {
    throw UsageError("filter_widths is empty; expected at least one number, such as 3");
  }
  std::vector<int> widths;
  for (const std::string& text : settings.filter_widths) {
    int width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc() || end != text.data() + text.size() || width < 1 || width > kWidestFilter) {
      throw UsageError(
          concat("filter_widths has '", text, "'; expected numbers of tokens from 1 to ", kWidestFilter));
    }
    if (std::ranges::count(widths, width) > 0) {
      throw UsageError(concat("filter_widths has ", width, " twice; give each width once and raise filters"));
    }
    widths.push_back(width);
  }
  return widths;
}

}  // namespace gloss
