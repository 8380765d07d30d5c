// SPDX-License-Identifier: Apache-2.0

#include "base/unfinished_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/index.h"

namespace gloss {
namespace {

enum class DirectoryState { free, written, marked };

/// A directory of the table. Its memory is never freed, since a signal handler may read it at any time.
struct DirectoryPlace {
  std::atomic<DirectoryState> state = DirectoryState::free;
  bool with_files = false;
  std::array<char, PATH_MAX> path{};
};

/// More than a program has at a time: two for an output, one for each model that is being converted.
constexpr std::size_t kDirectoryPlaces = 16;
std::array<DirectoryPlace, kDirectoryPlaces> directory_places;

std::atomic<int> delays = 0;

/// Waits for other threads; the own one has blocked its signals while it delays the end. Not for ever: a
/// network file system may hang.
void wait_for_delays() {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 1'000'000};
  constexpr int kPauses = 10'000;
  for (int i = 0; i < kPauses && delays != 0; ++i) ::nanosleep(&kPause, nullptr);
}

void remove_files(const char* path) {
  const int directory = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) return;
  alignas(dirent64) std::array<char, 8192> entries{};  // readdir allocates memory, which no handler may
  for (ssize_t size = 0; (size = ::getdents64(directory, entries.data(), entries.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      ::unlinkat(directory, entry->d_name, 0);  // fails for directories
      at += entry->d_reclen;
    }
  }
  ::close(directory);
}

void remove_directory(const DirectoryPlace& place) {
  constexpr int kAttempts = 10;  // another thread may create a file after the others were removed
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (place.with_files) remove_files(place.path.data());
    if (::rmdir(place.path.data()) == 0 || errno != ENOTEMPTY || !place.with_files) return;
  }
}

}  // namespace

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : kEndingSignals) sigaddset(&signals, signal);
  return signals;
}

EndDelayed::EndDelayed() {
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  ++delays;
}

EndDelayed::~EndDelayed() {
  --delays;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

UnfinishedDirectory::UnfinishedDirectory(const std::string& path, bool with_files) {
  for (std::size_t i = 0; i < directory_places.size() && path.size() < PATH_MAX; ++i) {
    DirectoryState expected = DirectoryState::free;
    if (!directory_places[i].state.compare_exchange_strong(expected, DirectoryState::written)) continue;
    directory_places[i].with_files = with_files;
    std::memcpy(directory_places[i].path.data(), path.c_str(), path.size() + 1);
    directory_places[i].state = DirectoryState::marked;
    place_ = static_cast<int>(i);
    return;
  }
}

UnfinishedDirectory::UnfinishedDirectory(UnfinishedDirectory&& other) noexcept
    : place_(std::exchange(other.place_, -1)) {}

UnfinishedDirectory& UnfinishedDirectory::operator=(UnfinishedDirectory&& other) noexcept {
  std::swap(place_, other.place_);
  other.finish();
  return *this;
}

void UnfinishedDirectory::finish() {
  if (place_ >= 0) directory_places[index(place_)].state = DirectoryState::free;
  place_ = -1;
}

bool remove_unfinished_directories() {
  wait_for_delays();
  bool found = false;
  for (DirectoryPlace& place : directory_places) {
    if (place.state != DirectoryState::marked) continue;
    found = true;
    remove_directory(place);
  }
  return found;
}

}  // namespace gloss
