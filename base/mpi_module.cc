// SPDX-License-Identifier: Apache-2.0

#include "base/mpi_module.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/text.h"

#define GLOSS_QUOTED(name) #name
#define GLOSS_NAME_OF(macro) GLOSS_QUOTED(macro)

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "gloss_mpi.so";
// The name contains a checksum of mpi_operations.h, so that a module with another table is not used.
constexpr const char* kFunction = GLOSS_NAME_OF(GLOSS_MPI_FUNCTION);

MpiModule without(const std::string& problem) { return {nullptr, problem}; }

/// True if the file is as long as its header says. Loading a shorter one would end the program by a signal.
bool is_whole(const std::string& path) {
  ElfW(Ehdr) header{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  std::error_code error;
  return fs::file_size(path, error) >= header.e_shoff + std::uintmax_t{header.e_shnum} * header.e_shentsize;
}

MpiModule load_file(const std::string& path) {
  if (!is_whole(path)) return without(concat(path, " is damaged; install gloss again"));
  // Plugins of Open MPI use functions of its library without saying so: they must be global.
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    const std::string error = dlerror();  // starts with the name of the file that it is about
    return without(concat(path, " cannot be loaded (", error, "); ",
                          error.starts_with(path) ? "install gloss again"
                                                  : "install Open MPI with 'apt-get install openmpi-bin'"));
  }
  const auto function = reinterpret_cast<const MpiOperations* (*)()>(dlsym(handle, kFunction));
  if (function == nullptr) {
    return without(concat(path, " belongs to another build of gloss; install gloss again"));
  }
  return {function(), ""};
}

MpiModule load_module() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = folder.parent_path() / "lib/gloss";
  for (const fs::path& place : {folder, installed}) {
    if (fs::exists(place / kFile, error)) return load_file(place / kFile);
  }
  return without(concat("this gloss was built without MPI: ", kFile, " is neither in ", folder.string(),
                        " nor in ", installed.string(), "; install libopenmpi-dev and build gloss again"));
}

}  // namespace

const MpiModule& mpi_module() {
  static const MpiModule module = load_module();
  return module;
}

}  // namespace gloss
