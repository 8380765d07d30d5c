// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"
#include "tests/support/paths.h"

namespace gloss {

/// Makes a copy of the program whose build id is another one, as if it had other code.
inline void write_another_build(const std::string& path) {
  using namespace std::string_view_literals;
  std::string program = read_file(kGlossBinary);
  // The header of the note, its owner, and the 20 bytes of the id.
  constexpr std::string_view kNote = "\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0"sv;
  const std::size_t note = program.find(kNote);
  ASSERT_NE(note, std::string::npos);
  program[note + kNote.size()] ^= 1;
  write_file(path, program);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace gloss
