// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/media/example_items.h"

namespace gloss {

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

}  // namespace gloss
