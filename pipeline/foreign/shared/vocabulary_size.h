// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Throws InputError, naming both files, unless the vocabulary in `path` has one piece for each of the
/// embeddings in `weights`.
void expect_vocabulary_size(const std::string& path, int pieces, const std::string& weights, int embeddings);

}  // namespace gloss
