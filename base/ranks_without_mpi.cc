// In place of ranks_mpi.cc where MPI is not installed.
#include "base/error.h"
#include "base/ranks.h"

namespace gloss {

std::unique_ptr<Ranks> join_ranks() {
  if (launched_processes() > 1) {
    throw Error(concat("was started as one of ", launched_processes(),
                       " processes, but this gloss was built without MPI; build it where libopenmpi-dev is "
                       "installed, or start it without mpirun"));
  }
  return std::make_unique<SingleRank>();
}

}  // namespace gloss
