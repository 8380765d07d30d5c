// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace gloss {

/// One answer: for options with any of the `spellings` in any of the `commands`, both separated by spaces.
/// Words without hyphens are programs that have the options that follow; options before the first program are
/// general.
struct ForeignOption {
  std::string_view commands;
  std::string_view spellings;
  std::string_view answer;
};

/// The commands that apply a model to text.
inline constexpr std::string_view kReading = "translate generate fill classify embed align score";

/// Answers for options of training and of computing.
std::span<const ForeignOption> foreign_training_options();
/// Answers for options of translating, evaluating and vocabularies.
std::span<const ForeignOption> foreign_use_options();

}  // namespace gloss
