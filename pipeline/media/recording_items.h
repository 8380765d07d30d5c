// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string_view>

#include "pipeline/media/log_mel.h"
#include "pipeline/media/source_reader.h"

namespace gloss {

/// The recording of an item at this rate; 0: its own. Throws InputError with its name.
Recording read_recording_item(const ItemList&, std::string_view item, int rate);

/// Reads recordings as normalised spectrograms, whose windows are a multiple of those of a vector. Those with
/// more vectors than the network has positions cannot be read.
std::unique_ptr<const SourceReader> recording_reader(const NetworkSettings&, const AudioNoise&);

}  // namespace gloss
