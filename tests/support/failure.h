// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace gloss {

/// Expects that a program ended with this status and that its messages contain these parts.
inline void expect_failure(const ProgramResult& result, int status, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.status, status) << result.errors;
  for (const std::string& part : parts)
    EXPECT_NE(result.errors.find(part), std::string::npos) << part << " is not in " << result.errors;
}

}  // namespace gloss
