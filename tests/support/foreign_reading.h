// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/stored_arrays.h"
#include "tests/support/has.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// All numbers of an array.
inline std::vector<float> numbers_of(const StoredArray& array) {
  std::vector<float> numbers(array.count());
  array.read(numbers);
  return numbers;
}

/// Reads every array of a file to the end.
template <class Read>
void read_all(Read read, const std::string& path) {
  const StoredArrays arrays = read(path);
  for (const auto& [name, array] : arrays.all()) numbers_of(array);
}

/// The message of the InputError with which an input is refused; empty: it is accepted.
template <class Read>
std::string refusal_of(Read read) {
  try {
    read();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// Expects that a reader refuses these bytes with a message that names the file and all `parts`.
template <class Read>
void expect_refused(Read read, const std::string& bytes, const std::vector<std::string>& parts) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("foreign.file", bytes);
  const std::string message = refusal_of([&] { read_all(read, path); });
  EXPECT_TRUE(has(message, "foreign.file")) << message;
  for (const std::string& part : parts) EXPECT_TRUE(has(message, part)) << message << "\nlacks " << part;
}

/// Expects that a reader refuses a file that is cut anywhere, and that a file with any one byte changed is
/// read or refused, but nothing worse.
template <class Read>
void expect_robust(Read read, const std::string& bytes) {
  const TemporaryDirectory folder;
  const auto outcome = [&](const std::string& damaged) {
    std::filesystem::remove(folder / "foreign.file");  // ext4 flushes what overwrites a file: milliseconds
    const std::string path = folder.write("foreign.file", damaged);
    return refusal_of([&] { read_all(read, path); });
  };
  ASSERT_EQ(outcome(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string message = outcome(bytes.substr(0, size));
    EXPECT_TRUE(has(message, "foreign.file")) << "the first " << size << " bytes: " << message;
  }
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char flipped : {'\x01', '\x80', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flipped);
      const std::string message = outcome(damaged);
      if (message.empty()) continue;
      ++refused;
      EXPECT_TRUE(has(message, "foreign.file")) << "byte " << i << ": " << message;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace gloss
