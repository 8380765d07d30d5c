// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// A file that a fuzzing program starts from.
struct ForeignSeed {
  std::string program, name, bytes;
};
/// Small files of every format that other programs write.
std::vector<ForeignSeed> foreign_seeds();

}  // namespace gloss
