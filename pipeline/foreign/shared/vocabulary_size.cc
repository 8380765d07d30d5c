// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/vocabulary_size.h"

#include "base/error.h"

namespace gloss {

void expect_vocabulary_size(const std::string& path, int pieces, const std::string& weights, int embeddings) {
  if (pieces == embeddings) return;
  throw InputError(concat(path, " has ", pieces, " pieces, but ", weights, " has embeddings of ", embeddings,
                          "; expected the vocabulary with which the model was trained"));
}

}  // namespace gloss
