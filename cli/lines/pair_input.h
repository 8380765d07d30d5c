// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>

#include "cli/lines/source_input.h"
#include "pipeline/reading/item_pairs.h"
#include "pipeline/reading/pair_reader.h"

namespace gloss {

/// The pairs that a model with such a source reads: parallel text, or items and their texts.
class PairInput {
 public:
  /// Throws UsageError if items are to be divided or resumed, or are not in a file of their own.
  PairInput(const ParallelFiles&, const Shard&, bool resume, const SourceSettings&);

  InputStream<SentencePair>& stream();
  /// Null: items, which are not divided.
  const TextShard* shard() const { return text_ ? &text_->shard() : nullptr; }
  /// To which the items belong.
  ItemList list() const { return items_->list(); }

 private:
  std::optional<PairReader> text_;
  std::optional<SourceInput> items_;
  std::optional<TextFiles> texts_;  // of the items
  std::optional<ItemPairs> pairs_;
};

}  // namespace gloss
