// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/attention_output.h"

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "pipeline/pages/alignment_page.h"

namespace gloss {
namespace {

/// One map of a pair; numbers from 1, head 0 is the mean.
struct NumberedMap {
  int layer, head;
  WordAlignment map;
};

std::vector<NumberedMap> wanted_maps(const AlignedPair& pair, const AttentionOutput& form) {
  std::vector<NumberedMap> maps;
  if (pair.maps.empty()) return maps;
  if (!form.all) {
    const int layer = form.layer == 0 ? pair.layers() : form.layer;
    const int head = form.head == 0 ? pair.usual_head(layer) : form.head;
    maps.push_back({layer, head, pair.map(layer - 1, head - 1)});
    return maps;
  }
  for (int layer = 1; layer <= pair.layers(); ++layer) {
    for (int head = 1; head <= pair.heads; ++head) {
      maps.push_back({layer, head, pair.map(layer - 1, head - 1)});
    }
  }
  return maps;
}

/// The weights of a target word.
std::span<const float> row_of(const WordAlignment& map, int target) {
  return std::span(map.weights).subspan(index(target * map.sources), index(map.sources));
}

void write_tsv(std::int64_t line, const std::vector<NumberedMap>& maps, Output& output) {
  constexpr int kDigits = 4;
  for (const NumberedMap& map : maps) {
    for (int target = 0; target < map.map.targets(); ++target) {
      std::string row = concat(line, "\t", map.layer, "\t", map.head, "\t", target);
      for (const float weight : row_of(map.map, target)) {
        row += "\t" + fixed_text(static_cast<double>(weight), kDigits);
      }
      output.line(row);
    }
  }
}

nlohmann::json pair_json(std::int64_t line, const AlignedPair& pair, const std::vector<NumberedMap>& maps) {
  nlohmann::json list = nlohmann::json::array();
  for (const NumberedMap& map : maps) {
    nlohmann::json rows = nlohmann::json::array();
    for (int target = 0; target < map.map.targets(); ++target) {
      const std::span<const float> row = row_of(map.map, target);
      rows.push_back(std::vector<float>(row.begin(), row.end()));
    }
    list.push_back({{"layer", map.layer}, {"head", map.head}, {"weights", std::move(rows)}});
  }
  return {{"line", line}, {"source", pair.source}, {"target", pair.target}, {"maps", std::move(list)}};
}

void write_map(std::int64_t line, const AlignedPair& pair, const std::vector<NumberedMap>& maps,
               Output& output) {
  if (maps.empty()) {
    output.line(concat("line ", line, ": no words\n"));
    return;
  }
  const NumberedMap& map = maps.front();
  output.line(concat("line ", line, ", layer ", map.layer,
                     map.head == 0 ? ", mean of the heads" : concat(", head ", map.head)));
  output.line(heat_map_text(pair.source, pair.target, map.map));
}

}  // namespace

Fields fields_of(AttentionOutput& form) {
  return {{"format", choice(form.format, {"hard", "tsv", "json"}),
           "write links, or weights as tab-separated values or JSON"},
          {"text", &form.text, "draw the weights with characters, to read in a terminal"},
          {"layer", &form.layer, "layer, from 1; 0: the last", {0, 1000}},
          {"head",
           &form.head,
           "attention head, from 1; 0: the one trained with --guided-alignment, or the mean of all heads",
           {0, 1 << 16}},
          {"all", &form.all, "write the weights of every layer and head"}};
}

void check(const AttentionOutput& form) {
  if (form.all && (form.text || form.format == AttentionOutput::Format::hard)) {
    throw UsageError("--all is for --format tsv and json; the others have one map of each pair");
  }
  if (form.all && (form.layer != 0 || form.head != 0)) {
    throw UsageError("--all takes every layer and head; leave out --layer and --head");
  }
  if (form.text && form.format != AttentionOutput::Format::hard) {
    throw UsageError("--text and --format choose different outputs; leave one out");
  }
}

void write_attention(std::int64_t line, const AlignedPair& pair, const AttentionOutput& form,
                     Output& output) {
  const std::vector<NumberedMap> maps = wanted_maps(pair, form);
  if (form.text) {
    write_map(line, pair, maps, output);
    return;
  }
  switch (form.format) {
    case AttentionOutput::Format::hard:
      output.line(maps.empty() ? "" : hard_alignment_text(maps.front().map));
      break;
    case AttentionOutput::Format::tsv:
      write_tsv(line, maps, output);
      break;
    case AttentionOutput::Format::json:
      output.line(json_line(pair_json(line, pair, maps)));
      break;
  }
}

}  // namespace gloss
