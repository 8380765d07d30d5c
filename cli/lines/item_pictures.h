// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "base/listener.h"
#include "pipeline/media/source_reader.h"
#include "pipeline/pages/picture_page.h"

namespace gloss {

/// Adds the picture of its item, as the network reads it, to each pair, whose name is the item of the list; a
/// recording has its spectrogram. Notes how many pairs are left out, so that a page does not become too
/// large.
std::vector<DescribedPicture> with_pictures(std::vector<AlignedPair>, const NetworkSettings&, const ItemList&,
                                            Listener&);

}  // namespace gloss
