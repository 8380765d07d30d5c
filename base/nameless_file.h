#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
  /// How many bytes could be read from a place on; fewer than asked for at the end. Throws Error.
  std::size_t read(std::int64_t offset, std::span<char> bytes) const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace gloss
