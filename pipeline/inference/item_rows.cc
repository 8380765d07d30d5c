// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/item_rows.h"

#include "base/error.h"
#include "pipeline/sources/example_images.h"
#include "pipeline/sources/image_scaling.h"

namespace gloss {

ItemRows image_rows(const NetworkSettings& network, ReadImage read) {
  expects(network.source.type == SourceType::image, "the network reads no images");
  return {row_of_vectors(network), [settings = network.source.image, read = std::move(read)](
                                       const std::string& line, std::vector<float>& numbers) {
            const Image image = fitted(read(line), settings);
            numbers.insert(numbers.end(), image.pixels.begin(), image.pixels.end());
          }};
}

}  // namespace gloss
