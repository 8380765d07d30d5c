// SPDX-License-Identifier: Apache-2.0

#include "base/temporary_name.h"

#include <sys/random.h>

#include <filesystem>

#include "base/error.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryMark = ".gloss-", kTemporaryEnding = ".partial";
constexpr std::size_t kRandomDigits = 16, kLongestName = 255;

/// The start of the temporary names for `path`, without the folder.
std::string temporary_start(const std::string& path) {
  const std::size_t longest = kLongestName - kTemporaryMark.size() - kRandomDigits - kTemporaryEnding.size();
  return concat(fs::path(path).filename().string().substr(0, longest), kTemporaryMark);
}

std::string name_with(const std::string& path, std::string_view word) {
  return fs::path(path).replace_filename(concat(temporary_start(path), word, kTemporaryEnding)).string();
}

}  // namespace

std::string temporary_name(const std::string& path, std::uint64_t random) {
  return name_with(path, hexadecimal(random));
}

std::string lock_name(const std::string& path) { return name_with(path, "lock"); }

std::string takeover_name(const std::string& path) { return name_with(path, "takeover"); }

bool is_lock_name(std::string_view name, const std::string& path) {
  return name == fs::path(lock_name(path)).filename() || name == fs::path(takeover_name(path)).filename();
}

bool is_temporary_name(std::string_view name, const std::string& path) {
  const std::string start = temporary_start(path);
  if (name.size() != start.size() + kRandomDigits + kTemporaryEnding.size()) return false;
  if (!name.starts_with(start) || !name.ends_with(kTemporaryEnding)) return false;
  return name.substr(start.size(), kRandomDigits).find_first_not_of("0123456789abcdef") ==
         std::string_view::npos;
}

std::uint64_t system_random() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) {
    throw Error(concat("no random numbers for a temporary name: ", system_message()));
  }
  return number;
}

}  // namespace gloss
