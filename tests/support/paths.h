#pragma once

namespace gloss {

/// Where things are on this machine; known when the build is configured.
extern const char* const kGlossBinary;
extern const char* const kSourceFolder;
extern const char* const kMpirun;  ///< null: the program was built without MPI

}  // namespace gloss
