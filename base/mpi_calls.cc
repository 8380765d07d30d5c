// SPDX-License-Identifier: Apache-2.0
// The module gloss_mpi.so: the only file that calls MPI.
#include <mpi.h>

#include <array>

#include "base/mpi_operations.h"

namespace gloss {

struct MpiRequest {
  MPI_Request started = MPI_REQUEST_NULL;
};

namespace {

MPI_Comm sums = MPI_COMM_NULL;  // a communicator of its own, since MPI orders the operations of each

template <class Start>
MpiRequest* started(const Start& start) {
  auto* request = new MpiRequest;
  start(&request->started);
  return request;
}

const char* version() {
  static std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text;
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return text.data();
}

MpiProcess join() {
  MpiProcess place{};
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.size);
  MPI_Comm_dup(MPI_COMM_WORLD, &sums);
  place.threads = level >= MPI_THREAD_SERIALIZED;
  return place;
}

MpiRequest* gather_number(const std::int64_t* own, std::int64_t* all) {
  return started([&](MPI_Request* request) {
    MPI_Iallgather(own, 1, MPI_INT64_T, all, 1, MPI_INT64_T, MPI_COMM_WORLD, request);
  });
}

MpiRequest* gather_bytes(const char* own, int own_size, char* all, const int* sizes, const int* starts) {
  return started([&](MPI_Request* request) {
    MPI_Iallgatherv(own, own_size, MPI_CHAR, all, sizes, starts, MPI_CHAR, MPI_COMM_WORLD, request);
  });
}

MpiRequest* sum_doubles(double* values, std::size_t count) {
  return started([&](MPI_Request* request) {
    MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                   request);
  });
}

MpiRequest* sum_floats(float* values, std::size_t count) {
  return started([&](MPI_Request* request) {
    MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_FLOAT, MPI_SUM, sums, request);
  });
}

bool ended(MpiRequest* request) {
  int done = 0;
  MPI_Test(&request->started, &done, MPI_STATUS_IGNORE);
  if (done != 0) delete request;
  return done != 0;
}

void leave() {
  MPI_Comm_free(&sums);
  MPI_Finalize();
}

constexpr MpiOperations kOperations{version,     join,       gather_number, gather_bytes,
                                    sum_doubles, sum_floats, ended,         leave};

}  // namespace
}  // namespace gloss

extern "C" const gloss::MpiOperations* GLOSS_MPI_FUNCTION() { return &gloss::kOperations; }
