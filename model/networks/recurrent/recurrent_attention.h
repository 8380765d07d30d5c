// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/layers/norm.h"
#include "model/layers/parameters.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// The query rows of an attention: their spans and positions.
struct QueryRows {
  std::vector<AttentionSpan> spans;  ///< source span of each sentence's queries
  std::vector<int> places;           ///< position of each row in its sentence
};

/// The decoder's attention to the source. Parameters NAME.query.weight, NAME.key.weight, NAME.key.bias and
/// NAME.vector, depending on the score, NAME.query.norm and NAME.key.norm for normalised products,
/// NAME.coverage for coverage, and NAME.window.inner and NAME.window.centre for predictive windows.
class RecurrentAttention {
 public:
  RecurrentAttention(Parameters&, const std::string& name, const RecurrentSettings&, int heads,
                     std::int64_t query_width, std::int64_t memory_width);
  /// The keys, computed once per sentence.
  Tensor keys(const Tensor& annotations) const;
  /// `seen`: for each weight of the rows, the sum over the earlier steps; empty without coverage.
  Attended operator()(const Tensor& hidden, const Tensor& keys, const Tensor& annotations, const QueryRows&,
                      const Tensor& seen, std::shared_ptr<const KeyDraw>) const;

 private:
  AttentionWindow window_;
  ScoreShape shape_;
  std::optional<Linear> window_inner_, window_centre_;
  std::optional<Norm> query_norm_, key_norm_;
  Tensor query_weight_, key_weight_, key_bias_, vector_, coverage_;
};

}  // namespace gloss
