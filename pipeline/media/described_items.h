// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "pipeline/examples/pair_encoding.h"
#include "pipeline/media/example_items.h"

namespace gloss {

/// Turns items and their texts, such as images and captions, into examples: the item is the source, tokens of
/// the text the target. Skips blank and overlong texts, lines without an item, pairs of weight 0, and, if the
/// network labels vectors, texts that need more of them than there are.
class DescribedItemEncoder : public ExampleEncoder {
 public:
  /// `dropout`: whether `texts` draws random numbers.
  DescribedItemEncoder(const NetworkSettings&, const ItemReading&, LineEncoder texts, const CorpusSettings&,
                       bool dropout);

  /// Throws InputError with list, line and file if an item cannot be read.
  void encode(const PairView&, std::int64_t line, Random*, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return dropout_ || items_.varies(); }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  /// True if the vectors of an item can be labelled with the tokens of a text, of which the last is its end.
  bool has_room(const SourceItem&, std::span<const TokenId> text) const;

  ExampleItems items_;
  PairSide texts_;
  std::optional<NetworkSettings> labeller_;  // the network, if its vectors are labelled with the text (CTC)
  CorpusSettings settings_;
  bool dropout_;
};

}  // namespace gloss
