// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/mpi_operations.h"

namespace gloss {

/// The module gloss_mpi.so of this program, loaded by the first call. Its file is beside the program, as in
/// the folder of a build, or in ../lib/gloss from there, as installed.
struct MpiModule {
  const MpiOperations* operations = nullptr;  ///< null if the module or the MPI library is missing
  std::string problem;                        ///< what is missing and what to install; empty if nothing
};
const MpiModule& mpi_module();

}  // namespace gloss
