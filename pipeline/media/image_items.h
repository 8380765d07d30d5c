// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string_view>

#include "pipeline/media/source_reader.h"
#include "pipeline/reading/image.h"

namespace gloss {

/// The image of an item: a file, or a part of an archive. Throws InputError with its name.
Image read_image_item(const ItemList&, std::string_view item);

/// Reads images with the size of the network.
std::unique_ptr<const SourceReader> image_reader(const NetworkSettings&, const ImageNoise&);

}  // namespace gloss
