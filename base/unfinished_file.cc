// SPDX-License-Identifier: Apache-2.0

#include "base/unfinished_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace gloss {
namespace {

enum class FileState { free, written, marked };

/// A file of the table. Its memory is never freed, since a signal handler may read it at any time.
struct FilePlace {
  std::atomic<FileState> state = FileState::free;
  std::array<char, PATH_MAX> path{};
};

/// More than a program writes at a time: the files of a model directory, which may have lock files. What does
/// not fit is not removed.
constexpr std::size_t kFilePlaces = 32;
std::array<FilePlace, kFilePlaces> file_places;

}  // namespace

void mark_unfinished_file(const std::string& path) {
  for (FilePlace& place : file_places) {
    FileState expected = FileState::free;
    if (path.size() >= PATH_MAX || !place.state.compare_exchange_strong(expected, FileState::written))
      continue;
    std::memcpy(place.path.data(), path.c_str(), path.size() + 1);
    place.state = FileState::marked;
    return;
  }
}

void forget_unfinished_file(const std::string& path) {
  for (FilePlace& place : file_places) {
    FileState expected = FileState::marked;
    // Written, so that no other thread takes the place while its path is compared.
    if (!place.state.compare_exchange_strong(expected, FileState::written)) continue;
    place.state = path == place.path.data() ? FileState::free : FileState::marked;
  }
}

void remove_unfinished_files() {
  for (FilePlace& place : file_places) {
    if (place.state == FileState::marked) ::unlink(place.path.data());
  }
}

}  // namespace gloss
