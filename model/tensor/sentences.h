// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/tensor/ops.h"
#include "model/tensor/zero_rows.h"

namespace gloss {

/// The sentences of a packed batch: the query rows of spans, in order and without overlap.
struct Sentences {
  std::vector<AttentionSpan> spans;
  std::int64_t rows;  ///< of the packed batch

  Sentences(std::vector<AttentionSpan> of, std::int64_t all) : spans(std::move(of)), rows(all) {
    std::int64_t end = 0;
    for (const AttentionSpan& span : spans) {
      expects(span.query_start >= end, "sentences: spans overlap or are out of order");
      end = std::int64_t{span.query_start} + span.query_count;
    }
    expects(end <= rows, "sentences: a span exceeds its tensor");
  }

  /// Calls `use(span, first, last)` for the rows of every span among rows from .. to - 1, counted from the
  /// first row of the span.
  template <class Use>
  void each_part(std::int64_t from, std::int64_t to, Use use) const {
    auto span = std::ranges::upper_bound(
        spans, from, {}, [](const AttentionSpan& s) { return std::int64_t{s.query_start} + s.query_count; });
    for (; span != spans.end() && span->query_start < to; ++span) {
      const std::int64_t start = span->query_start;
      use(*span, std::max<std::int64_t>(0, from - start),
          std::min<std::int64_t>(span->query_count, to - start));
    }
  }

  /// Sets the rows outside all spans to 0.
  void clear_outside(const Tensor& tensor) const {
    std::int64_t end = 0;
    for (const AttentionSpan& span : spans) {
      fill_rows_with_zeros(tensor, end, span.query_start);
      end = std::int64_t{span.query_start} + span.query_count;
    }
    fill_rows_with_zeros(tensor, end, rows);
  }
};

}  // namespace gloss
