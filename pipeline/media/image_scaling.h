// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/parts/image_settings.h"
#include "pipeline/reading/image.h"

namespace gloss {

/// The image with the size and the channels of a network. Its proportions stay with ImageFit::crop, which
/// leaves out what is too much at two opposite sides; ImageFit::stretch takes all of it. An image of that
/// size is unchanged. Smaller sizes average over pixels, larger ones interpolate between them.
Image fitted(const Image&, const ImageSettings&);

}  // namespace gloss
