// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/model_directory.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The paths of the tokenizers of a model directory: one file for both sides, or one for each.
struct TokenizerPaths {
  std::string source, target;
  bool shared() const { return source == target; }
};
/// Throws InputError if the directory has none.
TokenizerPaths tokenizer_paths(const std::string& directory);

/// Throws InputError if the tokenizers, read from `paths`, are not those with which the model was written.
void expect_sums(const std::string& directory, const TokenizerPaths& paths, const Subwords& source,
                 const Subwords& target);

/// The files of a model without tokenizers for write_model.
FilesBeside no_tokenizer_files();
/// The tokenizers as files for write_model: one file if both are the same.
FilesBeside tokenizer_files(const Subwords& source, const Subwords& target);
/// The tokenizer files of a model directory for write_model.
FilesBeside read_tokenizer_files(const std::string& directory);

}  // namespace gloss
