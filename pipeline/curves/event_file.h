#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/curves/run_log.h"

namespace gloss {

/// The bytes of a TensorBoard event file with every number of the log: train/NAME and valid/NAME by update.
/// Times are seconds since the start of the training, so that the same log gives the same bytes.
std::string event_file(const RunLog&);
/// A name for the folder of a run that stays within the folder above it.
std::string event_folder(const std::string& label);

/// The check sum CRC-32C (Castagnoli; RFC 3720, appendix B.4).
std::uint32_t crc32c(std::string_view bytes);

}  // namespace gloss
