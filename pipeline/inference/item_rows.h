// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/sources/image.h"

namespace gloss {

/// Lines that name items of a source that is not text, as rows of a network.
struct ItemRows {
  std::vector<TokenId> row;  ///< the tokens of every item
  /// Appends the numbers of the item that a line names. Throws InputError if it cannot be read. Called on
  /// many threads at once.
  std::function<void(const std::string& line, std::vector<float>& numbers)> read;
};

/// Returns the image that a line names; throws InputError.
using ReadImage = std::function<Image(const std::string& line)>;
/// Rows of a network that reads images.
ItemRows image_rows(const NetworkSettings&, ReadImage);

}  // namespace gloss
