// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/data/example_encoding.h"
#include "pipeline/sources/image_noise.h"

namespace gloss {

/// The numbers of the vectors of an image, with the class token if the network has one: the tokens of a row.
std::vector<TokenId> row_of_vectors(const NetworkSettings&);

/// How labelled images become examples.
struct LabelledImages {
  std::vector<std::string> labels;
  ImageNoise noise;
  bool skip_broken = false;  ///< images that cannot be read are counted, not errors
};

/// Turns labelled images into examples: images of the size of the network are the source, and the number of
/// the label's class is the only token of the target.
class ImageEncoder : public ExampleEncoder {
 public:
  ImageEncoder(const NetworkSettings&, LabelledImages);

  /// The label must be known. Throws InputError with list, line and file.
  void encode(const PairView&, std::int64_t line, Random*, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return images_.noise.any(); }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  ImageSettings settings_;
  LabelledImages images_;
  std::vector<TokenId> row_;
};

}  // namespace gloss
