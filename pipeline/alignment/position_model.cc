// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/position_model.h"

namespace gloss {

void UniformPositions::weigh(LinkWeights& links, Counting) {
  for (int word = 0; word < links.generated; ++word) {
    const std::span<float> row = links.row(word);
    double sum = 0;
    for (const float weight : row) sum += static_cast<double>(weight);
    for (float& weight : row) weight = static_cast<float>(static_cast<double>(weight) / sum);
  }
}

}  // namespace gloss
