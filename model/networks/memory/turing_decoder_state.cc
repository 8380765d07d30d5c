// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/turing_decoder_state.h"

#include <numeric>
#include <utility>
#include <vector>

#include "base/index.h"
#include "model/networks/step_rows.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

/// The first rows of two tensors, `counts` of each, with padding.
Tensor first_rows_of(const Tensor& first, const Tensor& second, std::pair<int, int> counts) {
  std::vector<int> of_first(index(counts.first)), of_second(index(counts.second));
  std::iota(of_first.begin(), of_first.end(), 0);
  std::iota(of_second.begin(), of_second.end(), counts.first);
  const Tensor pieces[] = {first, second};
  return put_rows(pieces, {of_first, of_second},
                  static_cast<std::int64_t>(padded_rows(index(counts.first + counts.second))));
}

}  // namespace

void TuringDecoderState::select(std::span<const int> selected) {
  rows = static_cast<int>(selected.size());
  if (rows == 0) return;  // `append` adds the next rows
  std::vector<int> from(selected.begin(), selected.end());
  from.resize(padded_rows(from.size()), -1);
  states = {take_rows(states.controller, from), take_rows(states.machine, from)};
}

void TuringDecoderState::append(DecoderState& any) {
  auto& more = dynamic_cast<TuringDecoderState&>(any);
  if (rows == 0) {
    *this = std::move(more);
    return;
  }
  const std::pair counts(rows, more.rows);
  states = {first_rows_of(states.controller, more.states.controller, counts),
            first_rows_of(states.machine, more.states.machine, counts)};
  rows += more.rows;
}

}  // namespace gloss
