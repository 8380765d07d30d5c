// SPDX-License-Identifier: Apache-2.0

#include "model/networks/kernel_widths.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers.h"

namespace gloss {
namespace {

bool convolves(const TransformerSettings& settings, int layer) {
  return !mixer_of(settings, layer, false).kernel_widths.empty();
}

/// The number of layers that convolve before `end`.
int convolutions_before(const TransformerSettings& settings, int end) {
  int count = 0;
  for (int layer = 0; layer < end; ++layer) count += convolves(settings, layer) ? 1 : 0;
  return count;
}

}  // namespace

int kernel_width_of(const MixerPlace& place) {
  const std::vector<std::string>& widths = place.settings.kernel_widths;
  const int widest = 2 * place.sizes.max_positions - 1;
  if (widths.empty()) {
    const std::vector<int>& defaults = mixer_of(place.settings, place.layer, place.causal).kernel_widths;
    return std::min(defaults[std::min(index(place.layer), defaults.size() - 1)], widest);
  }
  const int all = convolutions_before(place.settings, place.sizes.encoder_layers);
  if (widths.size() != 1 && std::ssize(widths) != all) {
    throw UsageError(concat("kernel_widths has ", widths.size(),
                            " numbers; expected one, or one for each of ", all, " convolutional layers"));
  }
  const int number = widths.size() == 1 ? 0 : convolutions_before(place.settings, place.layer);
  const std::string& text = widths[index(number)];
  int width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || width < 1 || width > widest || width % 2 == 0) {
    throw UsageError(concat("kernel_widths has '", text, "'; expected odd numbers from 1 to ", widest,
                            ": a row, and as many rows on both sides, in a text of at most max_positions ",
                            place.sizes.max_positions));
  }
  return width;
}

void check_kernel_width(const MixerPlace& place) {
  const int width = kernel_width_of(place);
  if (place.settings.kernel_widths.empty()) return;
  const std::vector<int> shared =
      shared_layers(place.settings.encoder_layer_weights, place.sizes.encoder_layers);
  MixerPlace owner = place;
  owner.layer = shared[index(place.layer)];
  if (!convolves(place.settings, owner.layer) || kernel_width_of(owner) == width) return;
  throw UsageError(concat("kernel_widths has ", width, " for layer ", place.layer + 1, " and ",
                          kernel_width_of(owner), " for layer ", owner.layer + 1,
                          ", which share their weights by encoder_layer_weights; choose one width for both"));
}

void check_heads_of_kernels(const MixerPlace& place) {
  check_kernel_width(place);
  expect_heads_divide(place.sizes.width, place.sizes.heads, "heads");
}

}  // namespace gloss
