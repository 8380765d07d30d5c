// SPDX-License-Identifier: Apache-2.0

#include "base/files_in_use.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "base/same_inode.h"

namespace gloss {
namespace {

/// What the signal handler reads: it may neither lock nor allocate.
struct WatchedMemory {
  std::atomic<const std::byte*> begin = nullptr;  // null: a free place
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> path{};  // cut if it is longer
};
std::array<WatchedMemory, 256> watched;  // files beyond them have no name in the handler

bool same_state(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// The state of the regular file that a path leads to, "-" that of standard output; false if there is none.
bool find_file(const std::string& path, struct stat& status) {
  const int failed = path == "-" ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status);
  return failed == 0 && S_ISREG(status.st_mode);
}

void watch(const FileInUse& file) {
  const auto place =
      std::ranges::find_if(watched, [](const auto& memory) { return memory.begin == nullptr; });
  if (file.begin == nullptr || place == watched.end()) return;
  WatchedMemory& memory = *place;
  const std::size_t length = std::min(file.path.size(), memory.path.size() - 1);
  std::memcpy(memory.path.data(), file.path.data(), length);
  memory.path[length] = '\0';
  memory.size = file.size;
  memory.begin = file.begin;
}

void end_watch(const FileInUse& file) {
  for (WatchedMemory& memory : watched) {
    if (file.begin != nullptr && memory.begin == file.begin) memory.begin = nullptr;
  }
}

}  // namespace

std::size_t FilesInUse::add(FileInUse file) {
  const std::lock_guard lock(guard_);
  const std::size_t number = index(file.descriptor);
  try {
    expect_only_read(file);
  } catch (...) {
    ::close(file.descriptor);
    throw;
  }
  watch(file);
  files_[number] = std::move(file);
  return number;
}

void FilesInUse::remove(std::size_t number) {
  const std::lock_guard lock(guard_);
  const auto place = files_.find(number);
  check(place->second);
  end_watch(place->second);
  ::close(place->second.descriptor);
  files_.erase(place);
}

void FilesInUse::expect_unchanged() {
  const std::lock_guard lock(guard_);
  for (const auto& [number, file] : files_) check(file);
  if (change_.empty()) return;
  throw InputError(concat(change_, ", so the output may be wrong; run the same command again"));
}

void FilesInUse::check(const FileInUse& file) {
  struct stat now {};
  const bool open = ::fstat(file.descriptor, &now) == 0;
  if (open && same_state(file.status, now)) return;
  const bool growing = std::ranges::any_of(growing_, [&](const auto& one) { return same_inode(one, now); });
  if (open && growing && now.st_size > file.status.st_size) return;
  change_ = concat(file.path, " was changed while it was in use");
  if (open && now.st_size != file.status.st_size) {
    change_ += concat(" (from ", file.status.st_size, " to ", now.st_size, " bytes)");
  }
}

void FilesInUse::refuse(const std::string& option, const std::string& path) {
  const std::lock_guard lock(guard_);
  struct stat status {};
  if (!find_file(path, status)) return;
  if (path == "-" && status.st_size == 0) return;  // the shell emptied the file of '> FILE' already
  written_.push_back({option, path, status});
}

void FilesInUse::expect_only_read(const FileInUse& file) const {
  for (const auto& [option, path, status] : written_) {
    struct stat now {};  // the number of a file that was replaced may be that of another one now
    if (!same_inode(file.status, status) || !find_file(path, now) || !same_inode(file.status, now)) continue;
    throw UsageError(concat(option, ": ", path == "-" ? "standard output" : path,
                            path == file.path ? "" : " is the same file as " + file.path + ", which",
                            path == file.path ? " is also read" : " is read",
                            ", so that the command would overwrite an input; choose another file"));
  }
}

void FilesInUse::let_grow(const std::string& path) {
  const std::lock_guard lock(guard_);
  if (struct stat status{}; find_file(path, status)) growing_.push_back(status);
}

FilesInUse& files_in_use() {
  static FilesInUse files;
  return files;
}

const char* mapped_path_at(const void* address) {
  const auto* const place = static_cast<const std::byte*>(address);
  for (const WatchedMemory& memory : watched) {
    const std::byte* const begin = memory.begin;
    if (begin != nullptr && place >= begin && place < begin + memory.size) return memory.path.data();
  }
  return nullptr;
}

}  // namespace gloss
