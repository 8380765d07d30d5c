// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "base/output.h"
#include "pipeline/examples/word_alignment.h"

namespace gloss {

/// What `gloss align` writes of a model's attention.
struct AttentionOutput {
  enum class Format { hard, tsv, json };
  Format format = Format::hard;
  bool text = false;        ///< a map drawn with characters
  bool all = false;         ///< every layer and head
  int layer = 0, head = 0;  ///< from 1; 0: the last layer, the mean of the heads

  /// True if the output shows the numbers of lines.
  bool shows_numbers() const { return text || format != Format::hard; }
};
Fields fields_of(AttentionOutput&);
/// Throws UsageError for settings that exclude each other.
void check(const AttentionOutput&);

/// Writes the attention of a pair; `line` is its number.
void write_attention(std::int64_t line, const AlignedPair&, const AttentionOutput&, Output&);

}  // namespace gloss
