// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/example_items.h"

#include "base/error.h"
#include "model/tensor/ops_ctc.h"
#include "pipeline/examples/label_set.h"

namespace gloss {

Fields fields_of(ItemReading& reading) {
  return {{"skip_broken", &reading.skip_broken,
           "skip and count files that cannot be read, instead of stopping at the first one"}};
}

Fields item_fields_of(SourceSettings& source, ItemReading& reading) {
  Fields fields = fields_of(source, source.type);
  append(fields, fields_of(reading.noise, source.type));
  append(fields, fields_of(reading));
  return fields;
}

ExampleItems::ExampleItems(const NetworkSettings& network, const ItemReading& reading)
    : reading_(reading),
      noun_(item_noun(network.source)),
      nouns_(items_noun(network.source)),
      reader_(make_source_reader(network, reading.noise)) {}

std::optional<SourceItem> ExampleItems::read(const PairView& pair, std::int64_t line, Random* random,
                                             Findings& found) const {
  expects(pair.items != nullptr, "text given to an encoder of items");
  try {
    return reader_->read(*pair.items, pair.source, random);
  } catch (const InputError& error) {
    if (!reading_.skip_broken) throw InputError(concat(pair.items->name, ":", line, ": ", error.what()));
    found.broken.add(1, line);
    return std::nullopt;
  }
}

void ExampleItems::report_broken(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped(found.broken, text, "item", "that cannot be read", listener);
}

std::string ExampleItems::description(std::int64_t items) const {
  return concat(items, " ", items == 1 ? noun_ : nouns_, ", ", reader_->description());
}

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
