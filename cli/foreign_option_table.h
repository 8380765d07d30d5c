// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace gloss {

/// One answer: for options with any of the `spellings` in any of the `commands`, both separated by spaces.
/// Words without hyphens are programs that have the options that follow; options before them are of none in
/// particular.
struct ForeignOption {
  std::string_view commands;
  std::string_view spellings;
  std::string_view answer;
};

/// Those of training and computing.
std::span<const ForeignOption> foreign_training_options();
/// Those of translating, evaluating and vocabularies.
std::span<const ForeignOption> foreign_use_options();

}  // namespace gloss
