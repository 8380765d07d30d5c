// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "pipeline/examples/example_encoding.h"
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

}  // namespace gloss
