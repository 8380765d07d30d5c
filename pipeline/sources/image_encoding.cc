// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sources/image_encoding.h"

#include "base/counted.h"
#include "base/error.h"
#include "pipeline/data/label_set.h"

namespace gloss {

ImageEncoder::ImageEncoder(const NetworkSettings& network, std::vector<std::string> labels,
                           const ImageReading& reading)
    : images_(network, reading), labels_(std::move(labels)) {}

void ImageEncoder::encode(const PairView& pair, std::int64_t line, Random* random, EncodedPairs& to) const {
  ++to.found.lines;
  if (pair.too_long) {
    to.found.long_lines.add(1, line);
    return;
  }
  const std::optional<Image> image = images_.read(pair, line, random, to.found);
  if (!image) return;
  to.pairs.add_item(images_.row(), image->pixels, std::vector<TokenId>{class_of(labels_, pair.target)},
                    pair.weight);
  ++to.found.pairs;
  ++to.found.target_tokens;
  to.found.source_tokens += std::ssize(images_.row());
}

void ImageEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  images_.report_broken(found, text, listener);
  report_long_lines(found, text, "line", listener);
  if (found.pairs == 0) throw InputError(text + ": no image can be read; expected lines 'path TAB label'");
  listener.note(concat(text, ": ", counted(found.pairs, "image"), ", ", labels_.size(), " labels, ",
                       images_.description()));
}

}  // namespace gloss
