// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// A title or name that would run a script in a page that does not escape it.
inline constexpr const char* kHostile =
    "</script><script>document.title='owned'</script><img src=x onerror=1>&amp;";

/// Draws training logs in a temporary folder.
struct PlotCommand : testing::Test {
  /// A training directory whose log has `reports` reports and a validation for every 20 of them.
  std::string run(const std::string& name, int reports, double floor, const std::string& more = "") {
    std::string log;
    for (int i = 1; i <= reports; ++i) {
      const double loss = floor + 8 * std::exp(-i / 50.0);
      const std::string place = concat("\"update\":", i * 10, ",\"epoch\":", 1 + i / 100,
                                       ",\"tokens\":", i * 4000, ",\"seconds\":", i * 1.5);
      log += concat(R"({"event":"report",)", place, ",\"loss\":", loss + 1, ",\"cross_entropy\":", loss,
                    ",\"learning_rate\":", 0.001 / i, ",\"gradient_norm\":", 1 + i % 7,
                    ",\"tokens_per_second\":", 4000 + i % 50, "}\n");
      if (i % 20 == 0) {
        log += concat(R"({"event":"validation",)", place, ",\"cross_entropy\":", loss + 0.1,
                      ",\"bleu\":", 40 - loss, ",\"best\":true}\n");
      }
    }
    std::filesystem::create_directories(folder / name);
    folder.write(name + "/train.log.jsonl", log + more);
    return folder / name;
  }
  ProgramResult plot(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {kGlossBinary, "plot"});
    return run_program(arguments, input);
  }
  void refused(const std::vector<std::string>& arguments, int status, const std::string& message) {
    const ProgramResult result = plot(arguments);
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }

  TemporaryDirectory folder;
};

}  // namespace gloss
