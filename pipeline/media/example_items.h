// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/examples/example_encoding.h"
#include "pipeline/examples/pair_encoding.h"
#include "pipeline/media/source_reader.h"

namespace gloss {

/// How the items of a training are read.
struct ItemReading {
  SourceNoise noise;
  bool skip_broken = false;  ///< items that cannot be read are counted, not errors
};
/// The field that all types have.
Fields fields_of(ItemReading&);
/// Every setting of the items of a source, with those of the network.
Fields item_fields_of(SourceSettings&, ItemReading&);

/// Reads the items of examples for a network.
class ExampleItems {
 public:
  ExampleItems(const NetworkSettings&, const ItemReading&);

  /// The item of a pair, changed at random if `random` is given; nothing if it cannot be read and is skipped,
  /// which is counted. Throws InputError with list, line and file.
  std::optional<SourceItem> read(const PairView&, std::int64_t line, Random* random, Findings&) const;
  bool varies() const { return reading_.noise.any(); }
  /// Warns of items that were skipped.
  void report_broken(const Findings&, const std::string& text, Listener&) const;
  /// "10 images, 16 vectors for each image of 32 x 32 grey pixels".
  std::string description(std::int64_t items) const;

 private:
  ItemReading reading_;
  std::string noun_, nouns_;  // of an item, of several
  std::unique_ptr<const SourceReader> reader_;
};

/// Turns labelled items, such as images, into examples: the item is the source, and the number of the label's
/// class is the only token of the target.
class LabelledItemEncoder : public ExampleEncoder {
 public:
  LabelledItemEncoder(const NetworkSettings&, std::vector<std::string> labels, const ItemReading&);

  /// The label must be known. Throws InputError with list, line and file.
  void encode(const PairView&, std::int64_t line, Random*, EncodedPairs& to) const override;
  std::unique_ptr<Assembler> assembler() const override { return pairs_assembler(); }
  bool varies() const override { return items_.varies(); }
  bool keeps_lines_together() const override { return false; }
  void report(const Findings&, const std::string& text, Listener&) const override;

 private:
  ExampleItems items_;
  std::vector<std::string> labels_;
};

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
