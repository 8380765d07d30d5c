// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sources/image_encoding.h"

#include <numeric>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "pipeline/data/label_set.h"
#include "pipeline/sources/image_items.h"
#include "pipeline/sources/image_scaling.h"

namespace gloss {

std::vector<TokenId> row_of_vectors(const NetworkSettings& network) {
  std::vector<TokenId> row(index(row_length(network)));
  std::iota(row.begin(), row.end(), 0);
  return row;
}

ImageEncoder::ImageEncoder(const NetworkSettings& network, LabelledImages images)
    : settings_(network.source.image), images_(std::move(images)), row_(row_of_vectors(network)) {}

void ImageEncoder::encode(const PairView& pair, std::int64_t line, Random* random, EncodedPairs& to) const {
  ++to.found.lines;
  if (pair.too_long) {
    to.found.long_lines.add(1, line);
    return;
  }
  expects(pair.items != nullptr, "text given to an encoder of images");
  try {
    Image image = fitted(read_item(*pair.items, pair.source), settings_);
    if (random != nullptr) add_noise(image, images_.noise, *random);
    to.pairs.add_item(row_, image.pixels, std::vector<TokenId>{class_of(images_.labels, pair.target)},
                      pair.weight);
  } catch (const InputError& error) {
    if (!images_.skip_broken) throw InputError(concat(pair.items->name, ":", line, ": ", error.what()));
    to.found.broken.add(1, line);
    return;
  }
  ++to.found.pairs;
  ++to.found.target_tokens;
  to.found.source_tokens += std::ssize(row_);
}

void ImageEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped(found.broken, text, "image", "that cannot be read", listener);
  report_long_lines(found, text, "line", listener);
  if (found.pairs == 0) throw InputError(text + ": no image can be read; expected lines 'path TAB label'");
  listener.note(concat(text, ": ", counted(found.pairs, "image"), ", ", images_.labels.size(), " labels, ",
                       row_.size(), " vectors for each image of ", settings_.width, " x ", settings_.height,
                       settings_.channels == 1 ? " grey" : " coloured", " pixels"));
}

}  // namespace gloss
