// SPDX-License-Identifier: Apache-2.0

#include "base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

constexpr std::size_t kOutputBuffer = 1 << 16;

/// Regular and missing files are written as NAME.partial first. Symbolic links are resolved, so that the link
/// is kept.
WriteTarget target_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return {path, path + ".partial"};
  if (!fs::is_regular_file(status)) return {path, ""};
  const std::string resolved = fs::canonical(path, error).string();
  const std::string real = error ? path : resolved;
  return {real, real + ".partial"};
}

/// Flushes and closes a written target; false on failure with errno set.
bool finish_writing(const WriteTarget& target, int descriptor) {
  const bool flushed = target.partial.empty() || ::fsync(descriptor) == 0;
  const bool closed = ::close(descriptor) == 0;
  return flushed && closed;
}

/// Renames a finished target to its final name; false on failure with errno set.
bool give_name(const WriteTarget& target) {
  if (target.partial.empty()) return true;
  if (::rename(target.partial.c_str(), target.path.c_str()) != 0) return false;
  sync_directory(folder_of(target.path));
  return true;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw InputError(concat(path, " is not a regular file"));
  }
  size_ = index(status.st_size);
  if (size_ > 0) {
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const std::string message = system_message();
      const bool short_of_memory = errno == ENOMEM;
      ::close(descriptor);
      if (short_of_memory) throw std::bad_alloc();
      throw InputError(concat("cannot read ", path, ": ", message));
    }
    data_ = static_cast<const std::byte*>(mapped);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::drop_pages() const {
  if (data_ != nullptr) ::madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED);
}

AtomicFile::AtomicFile(const std::string& path) : target_(target_of(path)) {
  descriptor_ = ::open(target_.opened().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (unnamed_ && !target_.partial.empty()) ::unlink(target_.partial.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) fail();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::finish() {
  if (descriptor_ >= 0 && !finish_writing(target_, std::exchange(descriptor_, -1))) fail();
}

void AtomicFile::commit() {
  finish();
  if (!give_name(target_)) fail();
  unnamed_ = false;
}

void AtomicFile::fail() const { throw Error(concat("cannot write ", target_.path, ": ", system_message())); }

void AtomicFiles::commit() {
  for (AtomicFile& file : files_) file.finish();
  for (AtomicFile& file : files_) file.commit();
}

std::string read_file(const std::string& path) {
  const MappedFile file(path);
  return std::string(file.text());
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void append_line(const std::string& path, std::string_view line) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const std::string bytes = concat(line, '\n');
  const bool written = descriptor >= 0 && write_all(descriptor, bytes);
  const std::string message = system_message();
  if (descriptor >= 0) ::close(descriptor);
  if (!written) throw Error(concat("cannot write ", path, ": ", message));
}

void make_writable_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(concat("cannot create the folder ", path, ": ", error.message()));
  if (!fs::is_directory(path, error)) throw Error(concat(path, " is not a folder"));
  if (::access(path.c_str(), W_OK | X_OK) != 0) {
    throw Error(concat("cannot write into the folder ", path, ": ", system_message()));
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
  ::unlink(partial.c_str());
  if (::symlink(target.c_str(), partial.c_str()) != 0 || ::rename(partial.c_str(), link.c_str()) != 0) {
    throw Error(concat("cannot create the link ", link, ": ", system_message()));
  }
  sync_directory(folder_of(link));
}

Output::Output(const std::string& path) : name_(path), descriptor_(STDOUT_FILENO), standard_(path == "-") {
  if (standard_) {
    name_ = "standard output";
    return;
  }
  target_ = target_of(path);
  descriptor_ = ::open(target_.opened().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
}

Output::~Output() {
  if (!standard_ && descriptor_ >= 0) ::close(descriptor_);
}

void Output::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kOutputBuffer) flush();
}

void Output::flush() {
  const bool written = write_all(descriptor_, buffer_);
  buffer_.clear();
  if (written) return;
  if (errno == EPIPE) throw ClosedPipe();
  fail();
}

void Output::close() {
  flush();
  if (standard_ || descriptor_ < 0) return;
  if (!finish_writing(target_, std::exchange(descriptor_, -1)) || !give_name(target_)) fail();
}

void Output::fail() const { throw Error(concat("cannot write ", name_, ": ", system_message())); }

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

}  // namespace gloss
