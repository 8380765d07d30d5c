// SPDX-License-Identifier: Apache-2.0

#include "base/open_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/same_inode.h"

namespace gloss {
namespace {

constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

OpenDirectory::OpenDirectory(const std::string& path) : descriptor_(::open(path.c_str(), kDirectory)) {}

OpenDirectory::~OpenDirectory() { close(); }

OpenDirectory::OpenDirectory(OpenDirectory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenDirectory& OpenDirectory::operator=(OpenDirectory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void OpenDirectory::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

OpenDirectory OpenDirectory::directory(const std::string& name) const {
  OpenDirectory found;
  found.descriptor_ = ::openat(descriptor_, name.c_str(), kDirectory | O_NOFOLLOW | O_NONBLOCK);
  return found;
}

std::vector<std::string> OpenDirectory::names() const {
  std::vector<std::string> names;
  const int again = ::openat(descriptor_, ".", kDirectory);  // reading must not move our own descriptor
  DIR* const stream = again < 0 ? nullptr : ::fdopendir(again);
  if (stream == nullptr) {
    if (again >= 0) ::close(again);
    return names;
  }
  while (const dirent* const entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  ::closedir(stream);
  return names;
}

bool OpenDirectory::status(struct stat& status) const { return ::fstat(descriptor_, &status) == 0; }

bool OpenDirectory::status(const std::string& name, struct stat& status) const {
  return ::fstatat(descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

bool OpenDirectory::has(const std::string& name, const OpenDirectory& directory) const {
  struct stat named {
  }, open{};
  return status(name, named) && directory.status(open) && same_inode(named, open);
}

bool OpenDirectory::is_mount_point() const {
  struct statx status {};
  return ::statx(descriptor_, "", AT_EMPTY_PATH, 0, &status) != 0 ||
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool OpenDirectory::has_access_list() const {
  return std::ranges::any_of(
      std::array{"system.posix_acl_access", "system.posix_acl_default"},
      [&](const char* name) { return ::fgetxattr(descriptor_, name, nullptr, 0) > 0; });
}

bool OpenDirectory::lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

void OpenDirectory::sync() const { ::fsync(descriptor_); }

bool OpenDirectory::remove_file(const std::string& name) const {
  return ::unlinkat(descriptor_, name.c_str(), 0) == 0;
}

bool OpenDirectory::remove_directory(const std::string& name) const {
  return ::unlinkat(descriptor_, name.c_str(), AT_REMOVEDIR) == 0;
}

bool OpenDirectory::move_file(const std::string& name, const OpenDirectory& other) const {
  return ::renameat(descriptor_, name.c_str(), other.descriptor_, name.c_str()) == 0;
}

bool linked(const OpenDirectory& a, const OpenDirectory& b, const std::string& name) {
  struct stat first {
  }, second{};
  return a.status(name, first) && b.status(name, second) && same_inode(first, second);
}

}  // namespace gloss
