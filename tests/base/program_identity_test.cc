// SPDX-License-Identifier: Apache-2.0

#include "base/program_identity.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace gloss {
namespace {

TEST(ProgramIdentity, IsInTheProgram) {
  const std::string& identity = program_identity();
  ASSERT_EQ(identity.size(), 40u) << "a SHA-1 sum";
  std::string bytes;
  for (std::size_t i = 0; i < identity.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(identity.substr(i, 2), nullptr, 16));
  }
  EXPECT_NE(read_file("/proc/self/exe").find(bytes), std::string::npos);
}

}  // namespace
}  // namespace gloss
