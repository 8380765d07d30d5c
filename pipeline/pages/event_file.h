// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/pages/logged_training.h"

namespace gloss {

/// The bytes of a TensorBoard event file with all numbers of the log, as train/NAME and valid/NAME by update.
/// Times are seconds since the start of the training, so the same log gives the same bytes.
std::string event_file(const LoggedTraining&);
/// The folder name for a run; it cannot lead outside the parent folder.
std::string event_folder(const std::string& label);

/// The checksum CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

}  // namespace gloss
