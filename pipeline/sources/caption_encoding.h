// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/data/pair_encoding.h"
#include "pipeline/sources/example_images.h"

namespace gloss {

/// Turns images and their captions into examples: images of the size of the network are the source, tokens
/// the target. Skips blank and overlong captions, lines without an image and pairs of weight 0. A caption
/// that becomes too long by subword dropout is encoded without dropout.
class CaptionEncoder : public ExampleEncoder {
 public:
  /// `dropout`: whether `captions` draws random numbers.
  CaptionEncoder(const NetworkSettings&, const ImageReading&, LineEncoder captions, const CorpusSettings&,
                 bool dropout);

  /// Throws InputError with list, line and file if an image cannot be read.
  void encode(const PairView&, std::int64_t line, Random*, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return dropout_ || images_.varies(); }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  ExampleImages images_;
  PairSide captions_;
  CorpusSettings settings_;
  bool dropout_;
};

}  // namespace gloss
