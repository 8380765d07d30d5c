// SPDX-License-Identifier: Apache-2.0

#include "base/unfinished_file.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace gloss {
namespace {

enum class State { free, written, marked };

/// A file of the table. Its memory is never freed, since a signal handler may read it at any time.
struct Place {
  std::atomic<State> state = State::free;
  std::array<char, PATH_MAX> path{};
};

/// More than a program writes at a time: the files of a model directory. What does not fit is not removed.
constexpr std::size_t kPlaces = 16;
std::array<Place, kPlaces> places;

}  // namespace

void mark_unfinished_file(const std::string& path) {
  for (Place& place : places) {
    State expected = State::free;
    if (path.size() >= PATH_MAX || !place.state.compare_exchange_strong(expected, State::written)) continue;
    std::memcpy(place.path.data(), path.c_str(), path.size() + 1);
    place.state = State::marked;
    return;
  }
}

void forget_unfinished_file(const std::string& path) {
  for (Place& place : places) {
    State expected = State::marked;
    // Written, so that no other thread takes the place while its path is compared.
    if (!place.state.compare_exchange_strong(expected, State::written)) continue;
    place.state = path == place.path.data() ? State::free : State::marked;
  }
}

void remove_unfinished_files() {
  for (Place& place : places) {
    if (place.state == State::marked) ::unlink(place.path.data());
  }
}

}  // namespace gloss
