// SPDX-License-Identifier: Apache-2.0

#include "base/file_to_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/output_file.h"
#include "base/paths.h"
#include "base/text.h"

namespace gloss {

std::string followed_link(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  // The kernel follows it first, and knows which links must not be followed.
  const int opened = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const bool refused = opened < 0 && errno != ENXIO;  // ENXIO: a pipe that nobody reads yet
  const std::string message = system_message();
  if (opened >= 0) ::close(opened);
  if (refused) throw Error(concat("cannot write ", path, ", which is a link: ", message));
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

unsigned permissions_for(const std::string& path) {
  constexpr unsigned kPermissionBits = 0777, kOfNewFiles = 0666;
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & kPermissionBits : kOfNewFiles;
}

int named_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  int number = -1;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.starts_with(folder) && parse_number(std::string_view(path).substr(folder.size()), number)) {
      return number;
    }
  }
  return -1;
}

bool written_directly(const std::string& path) {
  if (path == "-" || named_descriptor(path) >= 0) return true;
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

void give_final_name(int descriptor, const std::string& temporary, const std::string& path) {
  const auto fail_if = [&](bool lost) {
    if (!lost) return;
    throw Error(
        concat("cannot write ", path, ": ", temporary, " was removed or replaced while it was written"));
  };
  fail_if(!same_file(descriptor, temporary));
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail_to_write(path);
  // The file without a name was replaced between the check and the renaming. With one, it may have been
  // moved.
  struct stat written {
  }, named{};
  fail_if(::fstat(descriptor, &written) == 0 && written.st_nlink == 0 && ::lstat(path.c_str(), &named) == 0);
  sync_directory(folder_of(path));
}

}  // namespace gloss
