// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <vector>

#include "base/index.h"
#include "tests/support/table_decoder.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// A vocabulary that can spell every text.
inline const Subwords& spelling_vocabulary() {
  static const Subwords subwords = small_vocabulary(330, true);
  return subwords;
}

/// Copies its source: translates every row into itself.
class SourceCopier : public TableDecoder {
 public:
  explicit SourceCopier(int further_tokens = 0)
      : TableDecoder(spelling_vocabulary().size() + further_tokens) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row(index(vocabulary_size()), 0.0f);
    row[index(source.at(std::min(prefix.size(), source.size()) - 1))] = 20;
    return row;
  }
  std::vector<float> attention(const Row& source, const Row& prefix) const override {
    std::vector<float> row(source.size());
    row[std::min(prefix.size(), source.size()) - 1] = 1;
    return row;
  }
};

}  // namespace gloss
