// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/picture_page.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/text.h"
#include "pipeline/pages/page.h"
#include "pipeline/pages/web_files.h"

namespace gloss {

const char* const kDescriptionsIntroduction =
    "Where the model looked while it wrote each word: the brighter a place of the picture or the "
    "spectrogram, the higher its weight. The weights of a word add up to 1.";
const char* const kPlacesIntroduction =
    "How much a layer of the encoder mixes the places of a picture or a spectrogram into each place (a name "
    "such as 2,3 is a row and a column): the brighter a place, the higher its weight. The weights of a place "
    "add up to at most 1.";
const char* const kLabelsIntroduction =
    "Where the model looked before it chose the label: the brighter a place of the picture or the "
    "spectrogram, the higher its share of the last layer's attention, averaged over the heads.";

std::string picture_page(std::span<const DescribedPicture> pictures, const std::string& title,
                         AlignmentView first_view, const std::string& introduction) {
  using nlohmann::json;
  json data{{"layer", first_view.layer}, {"head", first_view.head}, {"pictures", json::array()}};
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const auto& [picture, grid, pair] = pictures[i];
    if (pair.maps.empty()) continue;
    data["layers"] = pair.layers();
    data["heads"] = pair.heads;
    json maps = json::array(), words = json::array();
    for (const WordAlignment& map : pair.maps) maps.push_back(short_weights(map));
    for (const std::string& word : pair.target) words.push_back(printable_text(word));
    data["pictures"].push_back({{"line", i + 1},
                                {"words", std::move(words)},
                                {"height", picture.height},
                                {"width", picture.width},
                                {"channels", picture.channels},
                                {"pixels", to_base64(picture.pixels)},
                                {"rows", grid.rows},
                                {"columns", grid.columns},
                                {"maps", std::move(maps)}});
  }
  const std::string body = concat("<h1>", markup_text(title), "</h1>\n<p class=\"soft\">", introduction,
                                  "</p>\n<section>\n", kMapControlsBody, kPictureBody);
  return self_contained_page(
      {title, kPictureStyle, body, data, concat(kMapControlsProgram, kPictureProgram)});
}

}  // namespace gloss
