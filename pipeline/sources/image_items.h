// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/networks/image_settings.h"
#include "pipeline/data/item_list.h"
#include "pipeline/data/text_windows.h"
#include "pipeline/sources/image.h"

namespace gloss {

/// The image of an item: a file, or a part of an archive. Throws InputError with its name.
Image read_item(const ItemList&, std::string_view item);

/// Fills in what the settings leave to the training images: sizes and channels of the first one, then mean
/// and deviation of up to 1,000 images at equal distances. Throws InputError, with list and line, if an image
/// cannot be read, unless `skip_broken`.
void learn_from_images(std::span<const WeightedText>, bool skip_broken, ImageSettings&);
/// Takes from the settings of a trained network what the settings leave to the training images.
void take_learned(const ImageSettings& learned, ImageSettings&);

}  // namespace gloss
