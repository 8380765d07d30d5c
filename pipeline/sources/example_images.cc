// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sources/example_images.h"

#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/sources/image_items.h"
#include "pipeline/sources/image_scaling.h"

namespace gloss {

Fields fields_of(ImageReading& reading) {
  Fields fields = fields_of(reading.noise);
  fields.push_back({"skip_broken", &reading.skip_broken,
                    "skip and count images that cannot be read, instead of stopping at the first one"});
  return fields;
}

std::vector<TokenId> row_of_vectors(const NetworkSettings& network) {
  std::vector<TokenId> row(index(row_length(network)));
  std::iota(row.begin(), row.end(), 0);
  return row;
}

ExampleImages::ExampleImages(const NetworkSettings& network, const ImageReading& reading)
    : settings_(network.source.image), reading_(reading), row_(row_of_vectors(network)) {}

std::optional<Image> ExampleImages::read(const PairView& pair, std::int64_t line, Random* random,
                                         Findings& found) const {
  expects(pair.items != nullptr, "text given to an encoder of images");
  try {
    Image image = fitted(read_item(*pair.items, pair.source), settings_);
    if (random != nullptr) add_noise(image, reading_.noise, *random);
    return image;
  } catch (const InputError& error) {
    if (!reading_.skip_broken) throw InputError(concat(pair.items->name, ":", line, ": ", error.what()));
    found.broken.add(1, line);
    return std::nullopt;
  }
}

void ExampleImages::report_broken(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped(found.broken, text, "image", "that cannot be read", listener);
}

std::string ExampleImages::description() const {
  return concat(row_.size(), " vectors for each image of ", settings_.width, " x ", settings_.height,
                settings_.channels == 1 ? " grey" : " coloured", " pixels");
}

}  // namespace gloss
