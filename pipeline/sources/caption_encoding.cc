// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sources/caption_encoding.h"

#include "base/counted.h"
#include "base/error.h"

namespace gloss {

CaptionEncoder::CaptionEncoder(const NetworkSettings& network, const ImageReading& reading,
                               LineEncoder captions, const CorpusSettings& settings, bool dropout)
    : images_(network, reading),
      captions_(std::move(captions), settings.max_length),
      settings_(settings),
      dropout_(dropout) {}

void CaptionEncoder::encode(const PairView& pair, std::int64_t line, Random* random, EncodedPairs& to) const {
  Findings& found = to.found;
  ++found.lines;
  if (pair.too_long) {
    found.long_lines.add(1, line);
    return;
  }
  const EncodedLine caption = captions_(pair.target, random, 1);
  found.invalid.add(caption.replaced, line);
  if (caption.tokens.size() <= 1 || is_blank(pair.source)) {
    found.blank.add(1, line);
  } else if (captions_.too_long(caption)) {
    found.overlong.add(1, line);
  } else if (pair.weight == 0) {
    found.weightless.add(1, line);
  } else {
    Random of_image = random != nullptr ? random->derive(0) : Random(0);
    const std::optional<Image> image =
        images_.read(pair, line, random != nullptr ? &of_image : nullptr, found);
    if (!image) return;
    to.pairs.add_item(images_.row(), image->pixels, caption.tokens, pair.weight);
    ++found.pairs;
    found.source_tokens += std::ssize(images_.row());
    found.target_tokens += std::ssize(caption.tokens);
    found.target_lengths.add(caption.text_tokens);
  }
}

void CaptionEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped_pairs(found, text, settings_, listener);
  listener.note(concat(text, ": ", counted(found.pairs, "image"), ", ", images_.description(), ", ",
                       found.target_tokens, " target tokens"));
}

}  // namespace gloss
