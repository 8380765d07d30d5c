// SPDX-License-Identifier: Apache-2.0

#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "base/same_inode.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

}  // namespace

void AtomicFile::write(std::string_view bytes) {
  if (!file_.write(bytes)) fail_to_write(file_.path());
  sum_.add(bytes);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::commit() {
  file_.finish();
  file_.give_name();
}

void AtomicFiles::commit() {
  for (AtomicFile& file : files_) file.finish();
  for (AtomicFile& file : files_) file.commit();
}

std::string read_file(const std::string& path) { return std::string(MappedFile(path).text()); }

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void append_text(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written = descriptor >= 0 && write_all(descriptor, text);
  const std::string message = system_message();
  if (descriptor >= 0) ::close(descriptor);
  if (!written) throw Error(concat("cannot write ", path, ": ", message));
}

void make_writable_directory(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) {
    throw Error(concat("cannot write into ", path, ": it is not a directory; name a directory"));
  }
  fs::create_directories(path, error);
  if (error) throw Error(concat("cannot create the directory ", path, ": ", error.message()));
  if (::access(path.c_str(), W_OK | X_OK) != 0) {
    throw Error(concat("cannot write into the directory ", path, ": ", system_message()));
  }
}

void sync_directory(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

void replace_link(const std::string& target, const std::string& link) {
  const std::string partial = link + ".partial";
  std::error_code missing;
  if (fs::is_symlink(partial, missing)) ::unlink(partial.c_str());  // left by a crash
  const bool made = ::symlink(target.c_str(), partial.c_str()) == 0;
  if (!made || ::rename(partial.c_str(), link.c_str()) != 0) {
    const std::string reason = system_message();
    if (made) ::unlink(partial.c_str());
    throw Error(concat("cannot create the link ", link, ": ", reason));
  }
  sync_directory(folder_of(link));
}

bool same_regular_file(const std::string& written, const std::string& read) {
  struct stat to {
  }, from{};
  const auto known = [](const std::string& path, int standard, struct stat& status) {
    return path == "-" ? ::fstat(standard, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  };
  if (!known(written, STDOUT_FILENO, to) || !known(read, STDIN_FILENO, from)) return false;
  if (!S_ISREG(to.st_mode) || !same_inode(to, from)) return false;
  return written != "-" || to.st_size > 0;  // the shell emptied the file of '> FILE' already
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

}  // namespace gloss
