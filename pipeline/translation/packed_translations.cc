// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/packed_translations.h"

#include <algorithm>

#include "base/packed_bytes.h"

namespace gloss {
namespace {

void write_places(const std::vector<std::size_t>& places, PackedWriter& writer) {
  writer.count(places.size());
  for (const std::size_t place : places) writer.count(place);
}

/// Places in a text of `most` bytes, in order.
std::vector<std::size_t> read_places(PackedReader& reader, std::size_t most, bool& valid) {
  std::vector<std::size_t> places(reader.items());
  for (std::size_t& place : places) place = reader.count(most);
  valid = valid && std::ranges::is_sorted(places);
  return places;
}

void write(const Translation& translation, PackedWriter& writer) {
  writer.text(translation.text);
  writer.number(translation.score);
  writer.number(translation.log_probability);
  writer.count(translation.tokens);
  writer.count(static_cast<int>(translation.cut));
  writer.count(translation.missing);
  writer.count(translation.repeats);
  writer.count(translation.words.size());
  for (const TranslatedWord& word : translation.words) {
    writer.text(word.text);
    writer.number(word.log_probability);
  }
  const bool has_end = translation.end_log_probability != 0;
  writer.count(has_end ? 1 : 0);
  if (has_end) writer.number(translation.end_log_probability);
  writer.count(translation.alignment.sources);
  writer.numbers(translation.alignment.weights);
  writer.count(translation.links.size());
  for (const TokenLinks& links : translation.links) {
    writer.count(links.source_begin);
    writer.count(links.target_begin);
    write_places(links.sources, writer);
    write_places(links.targets, writer);
    writer.numbers(links.weights);
  }
}

bool is_rectangle(std::size_t weights, std::size_t columns) {
  return columns == 0 ? weights == 0 : weights % columns == 0;
}

TokenLinks read_links(PackedReader& reader, std::size_t source, std::size_t target, bool& valid) {
  TokenLinks links;
  links.source_begin = reader.count(source);
  links.target_begin = reader.count(target);
  links.sources = read_places(reader, source - links.source_begin, valid);
  links.targets = read_places(reader, target - links.target_begin, valid);
  links.weights = reader.numbers();
  valid =
      valid && (links.weights.empty() || links.weights.size() == links.sources.size() * links.targets.size());
  return links;
}

Translation read_translation(PackedReader& reader, std::string_view line, bool& valid) {
  Translation result;
  result.text = reader.text();
  valid = valid && result.text.find('\n') == std::string::npos;
  result.score = reader.number();
  result.log_probability = reader.number();
  result.tokens = reader.small_count();
  result.cut = static_cast<Cut>(reader.count(static_cast<std::uint64_t>(Cut::by_rules)));
  result.missing = reader.small_count();
  result.repeats = reader.small_count();
  for (std::size_t left = reader.items(); left > 0 && reader.intact(); --left) {
    const std::string_view text = reader.text();
    result.words.push_back({std::string(text), reader.number()});
  }
  if (reader.count(1) != 0) result.end_log_probability = reader.number();
  result.alignment.sources = reader.small_count();
  result.alignment.weights = reader.numbers();
  valid = valid &&
          is_rectangle(result.alignment.weights.size(), static_cast<std::size_t>(result.alignment.sources));
  for (std::size_t left = reader.items(); left > 0 && reader.intact(); --left) {
    result.links.push_back(read_links(reader, line.size(), result.text.size(), valid));
  }
  return result;
}

}  // namespace

std::string packed(const TranslatedLine& line) {
  PackedWriter writer;
  writer.count(line.read_tokens);
  writer.count(line.left_out);
  writer.count(static_cast<std::uint64_t>(line.replaced));
  writer.count(line.empty ? 1 : 0);
  writer.count(line.unknown);
  writer.text(line.problem);
  writer.count(line.sentences);
  writer.count(line.longest);
  writer.count(line.copied);
  writer.count(line.translations.size());
  for (const Translation& translation : line.translations) write(translation, writer);
  return writer.bytes();
}

std::optional<TranslatedLine> unpacked(std::string_view bytes, std::string_view line) {
  PackedReader reader(bytes);
  bool valid = true;
  TranslatedLine result;
  result.read_tokens = reader.small_count();
  result.left_out = reader.small_count();
  result.replaced = reader.small_count();
  result.empty = reader.count(1) != 0;
  result.unknown = reader.small_count();
  result.problem = reader.text();
  result.sentences = reader.small_count();
  result.longest = reader.small_count();
  result.copied = reader.small_count();
  for (std::size_t left = reader.items(); left > 0 && reader.intact(); --left) {
    result.translations.push_back(read_translation(reader, line, valid));
  }
  if (!valid || !reader.intact() || !reader.at_end() || result.translations.empty()) return std::nullopt;
  return result;
}

}  // namespace gloss
