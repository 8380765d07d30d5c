// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/image_items.h"

#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "pipeline/media/image_file.h"
#include "pipeline/media/image_scaling.h"

namespace gloss {
namespace {

class ImageReader : public SourceReader {
 public:
  ImageReader(const NetworkSettings& network, const ImageNoise& noise)
      : settings_(network.source.image), noise_(noise), row_(index(row_length(network))) {
    std::iota(row_.begin(), row_.end(), 0);
  }
  SourceItem read(const ItemList& list, std::string_view item, Random* random) const override {
    Image image = fitted(read_image_item(list, item), settings_);
    if (random != nullptr) add_noise(image, noise_, *random);
    return {row_, {.bytes = std::move(image.pixels)}};
  }
  std::string description() const override {
    return concat(row_.size(), " vectors for each image of ", settings_.width, " x ", settings_.height,
                  settings_.channels == 1 ? " grey" : " coloured", " pixels");
  }

 private:
  ImageSettings settings_;
  ImageNoise noise_;
  std::vector<TokenId> row_;
};

}  // namespace

Image read_image_item(const ItemList& list, std::string_view item) {
  if (list.archive == nullptr) return read_image(list.path_of(item));
  const IdxArchive& archive = *list.archive;
  const std::vector<int>& sizes = archive.sizes();
  const bool coloured = sizes.size() == 3 && (sizes[2] == 1 || sizes[2] == 3);
  if (sizes.size() != 2 && !coloured) {
    throw InputError(concat(archive.name(), ": the items have ", sizes.size(),
                            " dimensions; expected images: height and width, or height, width and 1 or 3"));
  }
  check_image_size(sizes[0], sizes[1], archive.name());
  std::int64_t number = 0;
  expects(parse_number(item, number), shown(item), " is not the number of an item");
  return {sizes[0], sizes[1], coloured ? sizes[2] : 1, archive.item(number)};
}

std::unique_ptr<const SourceReader> image_reader(const NetworkSettings& network, const ImageNoise& noise) {
  return std::make_unique<ImageReader>(network, noise);
}

}  // namespace gloss
