// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// Paths on this machine, set when the build is configured.
extern const char* const kGlossBinary;
extern const char* const kSourceFolder;
extern const char* const kMpirun;  ///< null in builds without MPI

}  // namespace gloss
