// SPDX-License-Identifier: Apache-2.0

#include "base/nameless_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"

namespace gloss {

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  const bool has_name = named != nullptr && *named != '\0';
  const std::string folder = has_name ? named : "/tmp";
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return folder;
  throw Error(concat("no directory for temporary files", has_name ? " in TMPDIR, " : ": ", folder, ": ",
                     error ? error.message() : "not a directory", "; set TMPDIR to a writable directory"));
}

NamelessFile::NamelessFile(std::string folder) : folder_(std::move(folder)) {
  std::string name = folder_ + "/gloss.XXXXXX.partial";
  descriptor_ = ::mkostemps(name.data(), static_cast<int>(std::string_view(".partial").size()), O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Error(concat("cannot create a temporary file in ", folder_, ": ", system_message()));
  }
  ::unlink(name.c_str());
}

NamelessFile::~NamelessFile() { ::close(descriptor_); }

void NamelessFile::append(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) {
    throw Error(concat("cannot write a temporary file in ", folder_, ": ", system_message()));
  }
}

std::size_t NamelessFile::read(std::int64_t offset, std::span<char> bytes) const {
  return read_at(descriptor_, offset, bytes, concat("a temporary file in ", folder_));
}

}  // namespace gloss
