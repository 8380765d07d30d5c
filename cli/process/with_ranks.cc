// SPDX-License-Identifier: Apache-2.0

#include "cli/process/with_ranks.h"

#include <unistd.h>

#include "base/error.h"

namespace gloss {
namespace {

// Much longer than mpirun takes to end a job.
constexpr unsigned kSecondsToBeEnded = 10;

std::unique_ptr<Ranks> join_job() {
  try {
    return join_ranks();
  } catch (const Error&) {
    if (launched_rank() > 0) wait_for_first_rank();  // which usually lacks the same
    throw;
  }
}

}  // namespace

int with_ranks(const std::function<int(Ranks&)>& work) {
  const std::unique_ptr<Ranks> ranks = join_job();
  try {
    const int status = work(*ranks);
    ranks->leave();
    return status;
  } catch (const OtherRankFailed&) {
    throw;
  } catch (...) {
    // If the first rank fails alike, it says so at once, and mpirun ends this one meanwhile.
    if (!ranks->left() && !ranks->first()) wait_for_first_rank();
    throw;
  }
}

void wait_for_first_rank() {
  if (::sleep(kSecondsToBeEnded) > 0) throw OtherRankFailed();
}

}  // namespace gloss
