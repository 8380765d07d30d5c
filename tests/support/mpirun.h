// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/text.h"

namespace gloss {

/// Lets mpirun accept root and fewer processors than ranks.
inline void let_mpirun_start_here() {
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  // Open MPI leaks memory in plugins that are unloaded before the leak check, so that they cannot be
  // suppressed by name; other tests detect leaks of gloss itself.
  const char* const options = getenv("ASAN_OPTIONS");
  setenv("ASAN_OPTIONS", concat(options == nullptr ? "" : options, ":detect_leaks=0").c_str(), 1);
}

/// Lets programs of other tests in the same process detect leaks again.
inline void detect_leaks_again() {
  const char* const options = getenv("ASAN_OPTIONS");
  if (options != nullptr) setenv("ASAN_OPTIONS", concat(options, ":detect_leaks=1").c_str(), 1);
}

/// The process of a rank among those that mpirun started; 0 if it is not there.
inline pid_t process_of_rank(pid_t mpirun, int rank) {
  const auto content = [](const std::filesystem::path& path) {  // of /proc, where sizes are unknown
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string parent = concat("PPid:\t", mpirun, "\n");
  const std::string variable = concat("OMPI_COMM_WORLD_RANK=", rank) + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::int64_t process = 0;
    if (!parse_number(entry.path().filename().string(), process)) continue;
    if (content(entry.path() / "status").find(parent) != std::string::npos &&
        content(entry.path() / "environ").find(variable) != std::string::npos) {
      return static_cast<pid_t>(process);
    }
  }
  return 0;
}

inline std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

}  // namespace gloss
