// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// A table of text: the first column to the right, the others centred. A cell may have several lines and
/// terminal colours.
struct ScoreTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// The table in a frame of line characters.
std::string framed(const ScoreTable&);
/// The table for LaTeX with the package booktabs.
std::string latex(const ScoreTable&);

}  // namespace gloss
