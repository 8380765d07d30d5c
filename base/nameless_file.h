#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// Where temporary files go: TMPDIR, or else /tmp. Throws Error if that is no folder.
std::string temporary_folder();

/// A temporary file without a name: gone when this object or the program is.
class NamelessFile {
 public:
  /// Throws Error if none can be made in `folder`.
  explicit NamelessFile(std::string folder);
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Throws Error if there is no room.
  void append(std::string_view bytes);
  std::int64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string folder_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace gloss
