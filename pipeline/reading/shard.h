// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// One of several parts of a job, each for another process.
struct Shard {
  int number = 1;  ///< from 1
  int count = 1;

  bool whole() const { return count == 1; }
  /// "3/10".
  std::string text() const;
  bool operator==(const Shard&) const = default;
};

/// Reads "I/N"; "auto/N" takes I from the environment of an array job (Slurm, Grid Engine, AWS Batch,
/// Kubernetes) or of mpirun, and "auto" N as well. Empty: the whole. Throws UsageError.
Shard shard_of(const std::string& text);

/// The file for a shard of the output `path`, such as "text.de.shard-03-of-10"; the names sort by number.
std::string shard_path(const std::string& path, const Shard&);

}  // namespace gloss
