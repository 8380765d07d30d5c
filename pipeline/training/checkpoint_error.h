// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/error.h"

namespace gloss {

/// The checkpoint to continue from cannot be read.
class CheckpointError : public InputError {
 public:
  using InputError::InputError;
};

/// Calls `read`, which reads the checkpoint to continue from. Throws CheckpointError instead of InputError.
template <class Read>
auto from_checkpoint(const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw CheckpointError(error.what());
  }
}

}  // namespace gloss
