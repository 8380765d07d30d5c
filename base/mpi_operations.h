// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace gloss {

/// A process among those that mpirun started.
struct MpiProcess {
  int rank, size;
  bool threads;  ///< whether several threads may call MPI in turn
};

/// An operation that was started and has not ended.
struct MpiRequest;

/// The functions of MPI that ranks need. The module gloss_mpi.so contains them, and it alone needs the MPI
/// library, so that the program also runs where there is none. Nothing here throws, and only one function may
/// run at a time.
struct MpiOperations {
  /// The name and version of the MPI library, such as "Open MPI v4.1.4, package: ...".
  const char* (*version)();
  MpiProcess (*join)();

  // Each starts an operation of all ranks, whose arguments must stay in place until it has ended.
  MpiRequest* (*gather_number)(const std::int64_t* own, std::int64_t* all);
  MpiRequest* (*gather_bytes)(const char* own, int own_size, char* all, const int* sizes, const int* starts);
  MpiRequest* (*sum_doubles)(double* values, std::size_t count);
  /// Ordered relative to one another, not to the other operations.
  MpiRequest* (*sum_floats)(float* values, std::size_t count);

  /// True if the operation has ended; `request` is then deleted.
  bool (*ended)(MpiRequest* request);
  /// Waits until all ranks have called it.
  void (*leave)();
};

}  // namespace gloss
