// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/image.h"

#include "base/error.h"

namespace gloss {

void check_image_size(std::int64_t height, std::int64_t width, const std::string& name) {
  const bool sides = height >= 1 && width >= 1 && height <= kLongestImageSide && width <= kLongestImageSide;
  if (sides && height * width <= kMostImagePixels) return;
  throw InputError(concat(name, ": an image of ", width, " x ", height, " pixels; expected 1 to ",
                          kLongestImageSide, " on each side and at most ", kMostImagePixels,
                          " pixels; resize the image"));
}

}  // namespace gloss
