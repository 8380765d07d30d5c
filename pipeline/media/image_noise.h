// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "base/random.h"
#include "pipeline/reading/image.h"

namespace gloss {

/// Random changes of training images.
struct ImageNoise {
  int shift = 0;      ///< pixels by which an image moves at most, in each direction
  bool flip = false;  ///< mirrors half of the images
  double erase = 0;   ///< probability of erasing a rectangle (Zhong et al. 2020)

  bool any() const { return shift > 0 || flip || erase > 0; }
};
Fields fields_of(ImageNoise&);

/// Changes an image at random. Pixels at the edges are repeated where it was moved away from; an erased
/// rectangle of 2 to 33 % of the image has random numbers.
void add_noise(Image&, const ImageNoise&, Random&);

}  // namespace gloss
