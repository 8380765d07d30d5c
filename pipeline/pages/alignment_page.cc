// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/alignment_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/index.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/web_files.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

using nlohmann::json;

json printable(const std::vector<std::string>& words) {
  json list = json::array();
  for (const std::string& word : words) list.push_back(printable_text(word));
  return list;
}

int characters_in(const std::string& word) { return static_cast<int>(count_characters(word)); }

/// Pads a word with leading spaces, or truncates it, to `width` characters.
std::string right_aligned(const std::string& word, int width) {
  std::string kept;
  int count = 0;
  for (std::string_view rest = word; !rest.empty() && count < width; ++count) {
    kept += rest.substr(0, character_size(rest));
    rest.remove_prefix(character_size(rest));
  }
  return std::string(index(width - count), ' ') + kept;
}

}  // namespace

json short_weights(const WordAlignment& map) {
  json weights = json::array();
  for (const float weight : map.weights) weights.push_back(std::lround(1000 * static_cast<double>(weight)));
  return weights;
}

const char* const kPairsIntroduction =
    "Attention of each word of the translation (row) to the words of the source (columns); stronger colours "
    "are higher weights. The weights of a row and that of the end of the source add up to 1.";
const char* const kEncoderIntroduction =
    "How much a layer of the encoder mixes the words of a text (columns) into each word (row); stronger "
    "colours are higher weights. The rest is on the tokens around the text.";
const char* const kDecoderIntroduction =
    "How much a layer of the decoder reads of the preceding words (columns) to predict each word (row); "
    "stronger colours are higher weights. The rest is on the token that begins a text.";
const char* const kTextsIntroduction =
    "The share of the last layer's attention that each word of a text (column) gets before the label (row) "
    "is chosen; stronger colours are higher shares. The rest is on the tokens that begin and end a text.";
const char* const kStoriesIntroduction =
    "How much each look (hop, row) at a story reads of its sentences (columns) to answer the question; "
    "stronger colours are higher weights. The weights of a row add up to at most 1.";

std::string alignment_page(std::span<const AlignedPair> pairs, const std::string& title,
                           AlignmentView first_view, const std::string& introduction) {
  json data{{"layer", first_view.layer}, {"head", first_view.head}, {"pairs", json::array()}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const AlignedPair& pair = pairs[i];
    if (pair.maps.empty()) continue;
    data["layers"] = pair.layers();
    data["heads"] = pair.heads;
    json maps = json::array();
    for (const WordAlignment& map : pair.maps) maps.push_back(short_weights(map));
    data["pairs"].push_back({{"line", i + 1},
                             {"name", printable_text(pair.name)},
                             {"source", printable(pair.source)},
                             {"target", printable(pair.target)},
                             {"maps", std::move(maps)}});
  }
  const std::string body =
      concat("<h1>", markup_text(title), "</h1>\n<p class=\"soft\">", markup_text(introduction),
             "</p>\n<section>\n", kMapControlsBody, kAlignmentBody);
  return self_contained_page(
      {title, kAlignmentStyle, body, data, concat(kMapControlsProgram, kAlignmentProgram)});
}

std::string heat_map_text(const std::vector<std::string>& source, const std::vector<std::string>& target,
                          const WordAlignment& map, int widest_row) {
  constexpr std::array<const char*, 5> kShades{" ", "░", "▒", "▓", "█"};
  constexpr int kNarrowestColumn = 3, kWidestColumn = 12;
  int margin = 0;
  for (const std::string& word : target) margin = std::max(margin, characters_in(printable_text(word)));
  margin = std::min(margin, widest_row);
  std::vector<int> widths;
  std::string text(index(margin), ' ');
  for (const std::string& word : source) {
    const std::string shown = printable_text(word);
    widths.push_back(std::clamp(characters_in(shown), kNarrowestColumn, kWidestColumn));
    text += " " + right_aligned(shown, widths.back());
  }
  text += "\n";
  for (int row = 0; row < map.targets(); ++row) {
    text += right_aligned(printable_text(target[index(row)]), margin);
    for (int column = 0; column < map.sources; ++column) {
      const float weight = map.weights[index(row * map.sources + column)];
      const auto shade = index(std::clamp(std::lround(weight * 4), 0L, 4L));
      text += " ";
      for (int i = 0; i < widths[index(column)]; ++i) text += kShades[shade];
    }
    text += "\n";
  }
  return text;
}

}  // namespace gloss
