// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/source_reader.h"

#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/media/feature_items.h"
#include "pipeline/media/image_items.h"
#include "pipeline/media/recording_items.h"

namespace gloss {

Fields fields_of(SourceNoise& noise, SourceType type) {
  if (type == SourceType::image) return fields_of(noise.image);
  return type == SourceType::audio ? fields_of(noise.audio) : Fields();
}

SourceItem plain_item(const NetworkSettings& network) {
  const SourceSettings& source = network.source;
  const bool image = source.type == SourceType::image;
  SourceItem item{std::vector<TokenId>(index(image ? row_length(network) : 1)), {}};
  std::iota(item.row.begin(), item.row.end(), 0);
  if (image) {
    item.numbers.bytes.resize(index(item_bytes(source)));
  } else {
    item.numbers.floats.resize(index(windows_of_vector(source)) * index(numbers_of_window(source)));
  }
  return item;
}

std::unique_ptr<const SourceReader> make_source_reader(const NetworkSettings& network,
                                                       const SourceNoise& noise) {
  if (network.source.type == SourceType::image) return image_reader(network, noise.image);
  if (network.source.type == SourceType::audio) return recording_reader(network, noise.audio);
  expects(network.source.type == SourceType::features, "a text has no items");
  return feature_reader(network);
}

}  // namespace gloss
