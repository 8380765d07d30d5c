// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/run_memory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/checksum.h"
#include "base/descriptors.h"
#include "base/error.h"
#include "base/file_to_write.h"
#include "base/files.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/resumable_file.h"

namespace gloss {
namespace {

// A file: this line, then for each block its size, its sum in hexadecimal, and its bytes.
constexpr std::string_view kMagic = "gloss memory of an unfinished output, format 1\n";
constexpr std::size_t kSumSize = 32, kHeadSize = sizeof(std::uint64_t) + kSumSize;
// Far more than a generation has.
constexpr std::int64_t kMostBytes = 256 << 20;

/// True if there is a regular file that begins like a memory, as far as it goes.
bool is_memory(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::string start(kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return kMagic.starts_with(std::string_view(start).substr(0, static_cast<std::size_t>(file.gcount())));
}

/// The content of a memory; empty if there is none.
std::string content_of(const std::string& path) {
  struct stat status {};
  if (!is_memory(path) || ::stat(path.c_str(), &status) != 0 || status.st_size > kMostBytes) return "";
  try {
    return read_file(path);
  } catch (const InputError&) {
    return "";
  }
}

}  // namespace

std::vector<std::string> RunMemory::paths(const std::string& output) {
  const std::string recent = ResumableFile::partial_path(output) + ".memory";
  return {recent, recent + ".old"};
}

RunMemory::RunMemory(const std::string& output, const nlohmann::json& identity)
    : old_(paths(output).back()),
      recent_(paths(output).front()),
      identity_(json_line(identity)),
      permissions_(permissions_for(output)) {}

RunMemory::~RunMemory() { close(); }

std::string RunMemory::sum_of(std::string_view block) const {
  Checksum sum;
  sum.add(identity_);
  sum.add(block);
  return sum.text();
}

void RunMemory::read(Generation generation, const std::function<bool(std::string_view block)>& take) {
  const std::string bytes = content_of(generation == Generation::recent ? recent_ : old_);
  std::string_view rest = bytes;
  if (rest.size() < kMagic.size()) return;
  rest.remove_prefix(kMagic.size());
  const auto taken = [&] {
    if (rest.size() < kHeadSize) return false;
    std::uint64_t size = 0;
    std::memcpy(&size, rest.data(), sizeof size);
    if (size > rest.size() - kHeadSize) return false;
    const std::string_view block = rest.substr(kHeadSize, size);
    if (rest.substr(sizeof size, kSumSize) != sum_of(block) || !take(block)) return false;
    rest.remove_prefix(kHeadSize + size);
    return true;
  };
  while (taken()) continue;
  if (generation == Generation::recent) kept_ = bytes.size() - rest.size();
}

void RunMemory::add(std::string_view block) {
  if (descriptor_ < 0 && !open()) return;
  const std::uint64_t size = block.size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes += sum_of(block);
  bytes += block;
  if (write_all(descriptor_, bytes)) return;
  writable_ = false;  // what is torn must be the end
  close();
}

bool RunMemory::open() {
  if (!writable_) return false;
  struct stat status {};
  writable_ = ::lstat(recent_.c_str(), &status) != 0 || is_memory(recent_);  // no file of another program
  if (!writable_) return false;
  descriptor_ = ::open(recent_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                       permissions_);
  writable_ = descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(kept_)) == 0 &&
              (kept_ > 0 || write_all(descriptor_, kMagic));
  if (!writable_) close();
  return writable_;
}

void RunMemory::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void RunMemory::age() {
  close();
  kept_ = 0;
  if (is_memory(old_)) ::unlink(old_.c_str());
  struct stat status {};
  if (is_memory(recent_) && ::lstat(old_.c_str(), &status) != 0) ::rename(recent_.c_str(), old_.c_str());
}

void RunMemory::remove() {
  const bool foreign = descriptor_ >= 0 && !same_file(descriptor_, recent_);  // of another run by now
  close();
  if (foreign) return;
  kept_ = 0;
  for (const std::string& path : {recent_, old_}) {
    if (is_memory(path)) ::unlink(path.c_str());
  }
}

}  // namespace gloss
