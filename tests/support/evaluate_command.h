// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

inline ProgramResult evaluate(std::vector<std::string> arguments, const std::string& input = "",
                              const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {kGlossBinary, "evaluate"});
  return run_program(arguments, input, environment);
}

/// A reference of twelve lines and two systems.
class EvaluateCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string reference, first, second;
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i % 5);
      reference += "the cat number " + number + " sat on the mat.\n";
      first += "the cat number " + number + " sat on a mat.\n";
      second += i % 2 == 0 ? "the cat number " + number + " sat on the mat.\n" : "a dog sat there.\n";
    }
    reference_ = folder_.write("reference", reference);
    first_ = folder_.write("first", first);
    second_ = folder_.write("second", second);
    first_text_ = first;
  }
  TemporaryDirectory folder_;
  std::string reference_, first_, second_, first_text_;
};

}  // namespace gloss
