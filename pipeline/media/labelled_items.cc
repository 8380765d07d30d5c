// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/labelled_items.h"

#include "base/error.h"
#include "pipeline/examples/label_set.h"

namespace gloss {

LabelledItemEncoder::LabelledItemEncoder(const NetworkSettings& network, std::vector<std::string> labels,
                                         const ItemReading& reading)
    : items_(network, reading), labels_(std::move(labels)) {}

void LabelledItemEncoder::encode(const PairView& pair, std::int64_t line, Random* random,
                                 EncodedPairs& to) const {
  ++to.found.lines;
  if (pair.too_long) {
    to.found.long_lines.add(1, line);
    return;
  }
  const std::optional<SourceItem> item = items_.read(pair, line, random, to.found);
  if (!item) return;
  to.pairs.add_item(item->row, item->numbers, std::vector<TokenId>{class_of(labels_, pair.target)},
                    pair.weight);
  ++to.found.pairs;
  ++to.found.target_tokens;
  to.found.source_tokens += std::ssize(item->row);
}

void LabelledItemEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  items_.report_broken(found, text, listener);
  report_long_lines(found, text, "line", listener);
  if (found.pairs == 0) throw InputError(text + ": no item can be read; expected lines 'path TAB label'");
  listener.note(concat(text, ": ", items_.description(found.pairs), ", ", labels_.size(), " labels"));
}

}  // namespace gloss
