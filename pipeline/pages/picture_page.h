// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "model/networks/parts/image_settings.h"
#include "pipeline/pages/alignment_page.h"
#include "pipeline/reading/image.h"

namespace gloss {

/// A picture, its description, and the attention of the model on its places.
struct DescribedPicture {
  Image picture;
  GridSize grid;  ///< of the places, which are the sources of the pair
  AlignedPair pair;
};

/// The introductions of a page of descriptions, of one of the places that an encoder reads, and of one of
/// labels.
extern const char* const kDescriptionsIntroduction;
extern const char* const kPlacesIntroduction;
extern const char* const kLabelsIntroduction;

/// A self-contained HTML page that shows, for each word of a description, the picture with the places that
/// the model looked at (Xu et al. 2015). Skips pictures without maps.
std::string picture_page(std::span<const DescribedPicture>, const std::string& title,
                         AlignmentView first_view,
                         const std::string& introduction = kDescriptionsIntroduction);

}  // namespace gloss
