// SPDX-License-Identifier: Apache-2.0
// Replaces ranks_mpi.cc in builds without MPI.
#include "base/error.h"
#include "base/ranks.h"

namespace gloss {

std::unique_ptr<Ranks> join_ranks() {
  if (launched_processes() > 1) {
    throw Error(
        concat("was started as one of ", launched_processes(),
               " processes, but this gloss was built without MPI; install libopenmpi-dev and build it "
               "again, or start it without mpirun"));
  }
  return std::make_unique<SingleRank>();
}

std::string mpi_version() { return ""; }

}  // namespace gloss
