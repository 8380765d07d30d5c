// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/described_items.h"

#include "base/error.h"
#include "model/tensor/ops_ctc.h"

namespace gloss {

DescribedItemEncoder::DescribedItemEncoder(const NetworkSettings& network, const ItemReading& reading,
                                           LineEncoder texts, const CorpusSettings& settings, bool dropout)
    : items_(network, reading),
      texts_(std::move(texts), settings.max_length),
      settings_(settings),
      dropout_(dropout) {
  if (network.sizes.ctc_head) labeller_ = network;
}

bool DescribedItemEncoder::has_room(const SourceItem& item, std::span<const TokenId> text) const {
  if (!labeller_) return true;
  const int vectors = states_of(*labeller_, static_cast<int>(item.row.size()));
  return shortest_ctc_path(text.first(text.size() - 1)) <= vectors;
}

void DescribedItemEncoder::encode(const PairView& pair, std::int64_t line, Random* random,
                                  EncodedPairs& to) const {
  Findings& found = to.found;
  ++found.lines;
  if (pair.too_long) {
    found.long_lines.add(1, line);
    return;
  }
  const EncodedLine text = texts_(pair.target, random, 1);
  found.add_faults(text, line);
  if (text.tokens.size() <= 1 || is_blank(pair.source)) {
    found.blank.add(1, line);
  } else if (texts_.too_long(text)) {
    found.overlong.add(1, line);
  } else if (pair.weight == 0) {
    found.weightless.add(1, line);
  } else {
    Random of_item = random != nullptr ? random->derive(0) : Random(0);
    const std::optional<SourceItem> item =
        items_.read(pair, line, random != nullptr ? &of_item : nullptr, found);
    if (!item) return;
    if (!has_room(*item, text.tokens)) {
      found.crowded.add(1, line);
      return;
    }
    to.pairs.add_item(item->row, item->numbers, text.tokens, pair.weight);
    ++found.pairs;
    found.source_tokens += std::ssize(item->row);
    found.target_tokens += std::ssize(text.tokens);
    found.target_lengths.add(text.text_tokens);
  }
}

void DescribedItemEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped_pairs(found, text, settings_, listener);
  listener.note(
      concat(text, ": ", items_.description(found.pairs), ", ", found.target_tokens, " target tokens"));
}

}  // namespace gloss
