// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "model/networks/parts/stem_settings.h"

namespace gloss {

/// How an image gets the proportions of a network: its middle is cut out, or it is stretched.
enum class ImageFit { crop, stretch };

/// Settings of images and of the vectors that a network makes of them.
struct ImageSettings {
  int height = 0, width = 0;  ///< in pixels; 0: those of the first training image
  int channels = 0;           ///< 1: grey; 3: colours; 0: as the first training image
  ImageFit fit = ImageFit::crop;
  /// Of the numbers of each channel in the training images, from 0 to 255: what the network reads has mean 0
  /// and variance 1.
  std::vector<std::string> mean, deviation;
  int patch_size = 4;  ///< side of the squares that become one vector
};
/// The fields that users choose.
Fields fields_of(ImageSettings&);
/// The fields that follow from the training images, besides.
Fields learned_fields_of(ImageSettings&);

/// The grid of vectors that are made of an image with a known size.
GridSize grid_of(const ImageSettings&, const StemSettings&);
/// Mean or deviation as numbers, one for each channel. Throws UsageError if they are not.
std::vector<float> channel_numbers(const std::vector<std::string>&, const std::string& name, int channels);

/// Throws UsageError if the settings conflict or, with a known size, patches do not fit into the grid.
void check(const ImageSettings&, const StemSettings&);

}  // namespace gloss
