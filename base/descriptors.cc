// SPDX-License-Identifier: Apache-2.0

#include "base/descriptors.h"

#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(index(written));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::size_t read_at(int descriptor, std::int64_t offset, std::span<char> bytes, const std::string& name) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset + static_cast<std::int64_t>(done)));
    if (got == 0) break;
    if (got > 0) {
      done += index(got);
    } else if (errno != EINTR) {
      throw InputError(concat("cannot read ", name, ": ", system_message()));
    }
  }
  return done;
}

}  // namespace gloss
