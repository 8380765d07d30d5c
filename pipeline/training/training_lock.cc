// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "model/model_paths.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The folders that creating `path` would create, innermost first.
std::vector<std::string> missing_folders(const std::string& path) {
  std::vector<std::string> missing;
  std::error_code unknown;
  for (fs::path folder = path; !folder.empty() && !fs::exists(folder, unknown);
       folder = folder.parent_path()) {
    missing.push_back(folder.string());
  }
  return missing;
}

}  // namespace

TrainingLock::TrainingLock(std::string directory, std::vector<std::string> new_folders)
    : directory_(std::move(directory)), file_(directory_ + "/.lock"), new_folders_(std::move(new_folders)) {}

// After the first constructor, the destructor runs even if the rest fails.
TrainingLock::TrainingLock(const std::string& directory)
    : TrainingLock(directory, missing_folders(directory)) {
  make_writable_directory(directory_);
  lock();
}

TrainingLock::~TrainingLock() {
  if (list_checkpoints(directory_).empty()) {
    if (is_new_ && same_file(descriptor_, file_)) ::unlink(file_.c_str());
    lock_.release();
    for (const std::string& folder : new_folders_)
      ::rmdir(folder.c_str());  // fails if others have files there
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TrainingLock::lock() {
  // Another training may remove the file before it is locked; then a new one is tried.
  constexpr int kAttempts = 6, kFlags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    descriptor_ = ::open(file_.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
    const bool made = descriptor_ >= 0;
    if (!made && errno == EEXIST) {
      descriptor_ = ::open(file_.c_str(), kFlags);
      if (descriptor_ < 0 && errno == ENOENT) continue;
    }
    if (descriptor_ < 0 && errno == ELOOP) {
      throw Error(concat("cannot lock ", file_, ": it is a link; expected a file or nothing, remove it"));
    }
    if (descriptor_ < 0) throw Error(concat("cannot write ", file_, ": ", system_message()));
    const bool locked = lock_.take(descriptor_, directory_ + "/");
    if (locked && same_file(descriptor_, file_)) {
      is_new_ = made;
      return;
    }
    ::close(std::exchange(descriptor_, -1));
    lock_.release();
    if (!locked) break;
  }
  throw Error(concat("cannot train in ", directory_, ": ", lock_.refusal("another --output")));
}

void TrainingLock::expect_held() const {
  std::error_code missing;
  if (!fs::exists(fs::symlink_status(file_, missing)) || same_file(descriptor_, file_)) return;
  throw Error(concat("cannot write to ", directory_,
                     ": it was replaced by the directory of another training; ", "this one ends"));
}

}  // namespace gloss
