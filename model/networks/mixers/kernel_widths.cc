// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/kernel_widths.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/mixer.h"
#include "model/networks/mixers/mixers.h"
#include "model/tensor/ops_convolution.h"

namespace gloss {
namespace {

bool convolves(const TransformerSettings& settings, int layer, bool causal) {
  return !mixer_of(settings, layer, causal).kernel_widths.empty();
}

/// The number of layers of a side that convolve before `end`.
int convolutions_before(const TransformerSettings& settings, int end, bool causal) {
  int count = 0;
  for (int layer = 0; layer < end; ++layer) count += convolves(settings, layer, causal) ? 1 : 0;
  return count;
}

/// The number for the layer in a list of one number, or one for each layer that convolves.
std::string number_for(const MixerLayer& place, const std::vector<std::string>& numbers,
                       const std::string& setting) {
  const int in_encoder = convolutions_before(place.settings, place.sizes.encoder_layers, false),
            all = in_encoder + convolutions_before(place.settings, place.sizes.decoder_layers, true);
  if (numbers.size() == 1) return numbers.front();
  if (std::ssize(numbers) != all) {
    throw UsageError(concat(setting, " has ", numbers.size(), " numbers; expected one, or one for each of ",
                            all, " convolutional layers"));
  }
  return numbers[index((place.causal ? in_encoder : 0) +
                       convolutions_before(place.settings, place.layer, place.causal))];
}

/// The number that a text says, if it is one from 1 to `most`; otherwise 0.
int parsed(const std::string& text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1 && number <= most ? number : 0;
}

int width_of(const MixerLayer& place) {
  const std::vector<std::string>& widths = place.settings.kernels.widths;
  const int positions = place.sizes.max_positions, widest = place.causal ? positions : 2 * positions - 1;
  if (widths.empty()) {
    constexpr int kSideOfSquare = 5;
    const std::vector<int>& defaults = mixer_of(place.settings, place.layer, place.causal).kernel_widths;
    if (place.columns > 0) return kSideOfSquare;
    return std::min(defaults[std::min(index(place.layer), defaults.size() - 1)], widest);
  }
  const std::string text = number_for(place, widths, "kernel_widths");
  const int width = parsed(text, widest);
  if (width > 0 && (place.causal || width % 2 == 1)) return width;
  throw UsageError(
      concat("kernel_widths has '", text, "'; expected ", place.causal ? "" : "odd ", "numbers from 1 to ",
             widest, place.causal ? ": a row and earlier rows" : ": a row, and as many rows on both sides",
             ", in a text of at most max_positions ", positions));
}

int dilation_of(const MixerLayer& place, int width) {
  const std::vector<std::string>& dilations = place.settings.kernels.dilations;
  if (dilations.empty()) return 1;
  const std::string text = number_for(place, dilations, "dilations");
  const int dilation = parsed(text, place.sizes.max_positions),
            steps = place.causal ? width - 1 : (width - 1) / 2;
  if (width == 1 && dilation > 1) {
    throw UsageError(concat("dilations has '", text,
                            "' for a kernel of 1 row, which has no effect; expected 1, ",
                            "or a wider kernel"));
  }
  if (dilation > 0 && std::int64_t{dilation} * steps < place.sizes.max_positions) return dilation;
  throw UsageError(
      concat("dilations has '", text, "' for a kernel of ", width,
             " rows; expected numbers above 0, so that the kernel reaches at most max_positions ",
             place.sizes.max_positions, " - 1 rows far"));
}

}  // namespace

Fields fields_of(KernelSettings& s) {
  return {
      {"kernel_widths",
       &s.widths,
       "number of tokens that each convolution reads, one for all convolutional layers or one for each, "
       "those of the encoder first (default: 3, 7, 15, then 31; of gated-convolution and bytenet: 3; of "
       "conv-mixer: 9)",
       {},
       0,
       "N"},
      {"dilations",
       &s.dilations,
       "distance between the tokens that a convolution reads, one for all convolutional layers or one for "
       "each, such as 1 2 4 8 (default: 1)",
       {},
       0,
       "N"}};
}

ConvolutionTaps taps_of(const MixerLayer& place) {
  const int width = width_of(place);
  return convolution_taps(width, place.causal, dilation_of(place, width));
}

void check_taps(const MixerLayer& place) {
  const ConvolutionTaps taps = taps_of(place);
  const std::vector<std::string>& weights =
      place.causal ? place.settings.decoder_layer_weights : place.settings.encoder_layer_weights;
  const std::vector<int> shared =
      shared_layers(weights, place.causal ? place.sizes.decoder_layers : place.sizes.encoder_layers);
  MixerLayer owner = place;
  owner.layer = shared[index(place.layer)];
  if (!convolves(place.settings, owner.layer, place.causal)) return;
  const auto expect_one = [&](const char* setting, const std::vector<std::string>& given, std::int64_t own,
                              std::int64_t of_owner) {
    if (given.empty() || own == of_owner) return;
    throw UsageError(concat(setting, " has ", own, " for layer ", place.layer + 1, " and ", of_owner,
                            " for layer ", owner.layer + 1, ", which share their weights by ",
                            place.causal ? "decoder" : "encoder",
                            "_layer_weights; choose one number for both"));
  };
  const ConvolutionTaps of_owner = taps_of(owner);
  expect_one("kernel_widths", place.settings.kernels.widths, taps.count, of_owner.count);
  expect_one("dilations", place.settings.kernels.dilations, taps.step, of_owner.step);
}

void check_heads_of_kernels(const MixerLayer& place) {
  check_taps(place);
  expect_heads_divide(place.sizes.width, place.sizes.heads, "heads");
}

}  // namespace gloss
