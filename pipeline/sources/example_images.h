// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/data/example_encoding.h"
#include "pipeline/sources/image.h"
#include "pipeline/sources/image_noise.h"

namespace gloss {

/// The numbers of the vectors of an image, with the class token if the network has one: the tokens of a row.
std::vector<TokenId> row_of_vectors(const NetworkSettings&);

/// How training images are read.
struct ImageReading {
  ImageNoise noise;
  bool skip_broken = false;  ///< images that cannot be read are counted, not errors
};
Fields fields_of(ImageReading&);

/// Reads the images of examples, with the size of a network.
class ExampleImages {
 public:
  ExampleImages(const NetworkSettings&, const ImageReading&);

  /// The image of a pair, changed at random if `random` is given; nothing if it cannot be read and is
  /// skipped, which is counted. Throws InputError with list, line and file.
  std::optional<Image> read(const PairView&, std::int64_t line, Random* random, Findings&) const;
  const std::vector<TokenId>& row() const { return row_; }
  bool varies() const { return reading_.noise.any(); }
  /// Warns of images that were skipped.
  void report_broken(const Findings&, const std::string& text, Listener&) const;
  /// "16 vectors for each image of 32 x 32 grey pixels".
  std::string description() const;

 private:
  ImageSettings settings_;
  ImageReading reading_;
  std::vector<TokenId> row_;
};

}  // namespace gloss
