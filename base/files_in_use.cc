// SPDX-License-Identifier: Apache-2.0

#include "base/files_in_use.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// What the signal handler reads: it may neither lock nor allocate.
struct WatchedMemory {
  std::atomic<const std::byte*> begin = nullptr;  // null: a free place
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> path{};  // cut if it is longer
};
std::array<WatchedMemory, 256> watched;  // files beyond them end the program without their name

void write_error(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nothing else can be done
}

void end_after_cut_file(int signal, siginfo_t* info, void*) {
  const auto* const place = static_cast<const std::byte*>(info->si_addr);
  for (const WatchedMemory& memory : watched) {
    const std::byte* const begin = memory.begin;
    if (begin == nullptr || place < begin || place >= begin + memory.size) continue;
    write_error("gloss: ");
    write_error(memory.path.data());
    write_error(
        " was cut or cannot be read any more while it was in use; restore it and run the same command "
        "again\n");
    ::_exit(3);
  }
  ::signal(signal, SIG_DFL);  // not a mapped file: the same instruction fails again
}

bool same_state(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

void watch(std::size_t number, const FileInUse& file) {
  if (number >= watched.size()) return;
  WatchedMemory& memory = watched[number];
  const std::size_t length = std::min(file.path.size(), memory.path.size() - 1);
  std::memcpy(memory.path.data(), file.path.data(), length);
  memory.path[length] = '\0';
  memory.size = file.size;
  memory.begin = file.begin;
}

}  // namespace

FilesInUse::FilesInUse() {
  struct sigaction action {};
  action.sa_sigaction = end_after_cut_file;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

std::size_t FilesInUse::add(FileInUse file) {
  const std::lock_guard lock(guard_);
  auto place = std::ranges::find(files_, -1, &FileInUse::descriptor);
  if (place == files_.end()) place = files_.insert(place, FileInUse());
  *place = std::move(file);
  const auto number = index(place - files_.begin());
  watch(number, *place);
  return number;
}

void FilesInUse::remove(std::size_t number) {
  const std::lock_guard lock(guard_);
  FileInUse& file = files_[number];
  check(file);
  if (number < watched.size()) watched[number].begin = nullptr;
  ::close(file.descriptor);
  file.descriptor = -1;
}

void FilesInUse::expect_unchanged() {
  const std::lock_guard lock(guard_);
  for (const FileInUse& file : files_) {
    if (file.descriptor >= 0) check(file);
  }
  if (changed_.empty()) return;
  throw InputError(
      concat(changed_,
             " was changed while it was in use, so the output may be wrong; run the same command "
             "again"));
}

void FilesInUse::check(const FileInUse& file) {
  struct stat now {};
  if (::fstat(file.descriptor, &now) != 0 || !same_state(file.status, now)) changed_ = file.path;
}

FilesInUse& files_in_use() {
  static FilesInUse files;
  return files;
}

}  // namespace gloss
