// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/item_pictures.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/media/item_rows.h"

namespace gloss {
namespace {

/// A normalised spectrogram as a picture: time from left to right, high bands at the top.
Image picture_of_sound(const std::vector<float>& values, int bands) {
  constexpr float kSpread = 2.5f;  // deviations from the mean that are black and white
  const auto height = index(bands), width = values.size() / height;
  Image picture{bands, static_cast<int>(width), 1, std::vector<std::uint8_t>(values.size())};
  for (std::size_t window = 0; window < width; ++window) {
    for (std::size_t band = 0; band < height; ++band) {
      const float shade = std::clamp((values[window * height + band] / kSpread + 1) / 2, 0.0f, 1.0f);
      picture.pixels[(height - 1 - band) * width + window] =
          static_cast<std::uint8_t>(std::lround(255 * shade));
    }
  }
  return picture;
}

/// An item as a picture.
Image picture_of(const SourceItem& item, const SourceSettings& source) {
  if (source.type == SourceType::audio) return picture_of_sound(item.numbers.floats, source.audio.bands);
  return {source.image.height, source.image.width, source.image.channels, item.numbers.bytes};
}

}  // namespace

std::vector<DescribedPicture> with_pictures(std::vector<AlignedPair> pairs, const NetworkSettings& network,
                                            const ItemList& list, Listener& listener) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 24;
  const ItemRows items(network, list);
  const SourceSettings& source = network.source;
  std::vector<DescribedPicture> pictures;
  std::size_t bytes = 0;
  for (AlignedPair& pair : pairs) {
    Image picture;
    if (!pair.maps.empty()) picture = picture_of(items.read(pair.name), source);
    bytes += picture.pixels.size();
    if (bytes > kMostBytes) {
      listener.note(concat("the page shows the first ", pictures.size(), " pictures, which have ",
                           kMostBytes >> 20, " MiB of pixels"));
      break;
    }
    const GridSize grid = source.type == SourceType::image
                              ? grid_of(source.image, source.stem)
                              : GridSize{1, static_cast<int>(pair.source.size())};
    pictures.push_back({std::move(picture), grid, std::move(pair)});
  }
  return pictures;
}

}  // namespace gloss
