// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// What `gloss --version` prints: "gloss VERSION", the commit of the build, the libraries with their
/// versions, the instruction sets in use, and how the program was built.
std::string version_text();

/// The same without the commit and MPI, which results do not depend on; loading MPI also takes time.
std::string computing_version_text();

}  // namespace gloss
