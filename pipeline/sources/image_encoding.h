// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/sources/example_images.h"

namespace gloss {

/// Turns labelled images into examples: images of the size of the network are the source, and the number of
/// the label's class is the only token of the target.
class ImageEncoder : public ExampleEncoder {
 public:
  ImageEncoder(const NetworkSettings&, std::vector<std::string> labels, const ImageReading&);

  /// The label must be known. Throws InputError with list, line and file.
  void encode(const PairView&, std::int64_t line, Random*, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return images_.varies(); }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  ExampleImages images_;
  std::vector<std::string> labels_;
};

}  // namespace gloss
