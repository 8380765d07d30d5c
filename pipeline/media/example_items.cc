// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/example_items.h"

#include "base/error.h"

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

}  // namespace gloss
