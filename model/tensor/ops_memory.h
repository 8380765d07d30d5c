// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor/ops_recurrent.h"

namespace gloss {

// Operations of memory networks (Sukhbaatar et al. 2015); the rules of ops.h apply.

/// One row for each sentence, the tokens [starts[s], starts[s + 1]): the sum of their rows of `table`
/// [vocabulary, width]. With `positions`, element k of d of word j of J, both counted from 1, is multiplied
/// by (1 - j / J) - (k / d) (1 - 2 j / J), so that the order of words matters. The result has `rows` rows;
/// those of empty sentences and those after the last sentence are zeros. The dtype is the table's working
/// type.
Tensor embed_sentences(const Tensor& table, std::span<const std::int32_t> tokens, std::vector<int> starts,
                       bool positions, std::int64_t rows);

/// As `attend` by dot products with one head, without the softmax: the weights are the products themselves.
Attended attend_linearly(const Tensor& queries, const Tensor& keys, const Tensor& values,
                         std::vector<AttentionSpan> spans);

}  // namespace gloss
