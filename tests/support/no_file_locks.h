// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// A library to load before all others (LD_PRELOAD): the program finds no file locks.
extern const char* const kNoFileLocks;

}  // namespace gloss
