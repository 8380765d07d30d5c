// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_vocabulary.h"

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"

namespace gloss {
namespace {

// A vocabulary of a million pieces.
constexpr JsonLimits kVocabularyJson{
    .bytes = 64 << 20, .values = 2'000'000, .string_bytes = 1 << 16, .depth = 2};

}  // namespace

std::vector<std::string> read_vocabulary(const std::string& path) {
  return pieces_by_id(read_json(path, kVocabularyJson), path);
}

std::vector<std::string> pieces_by_id(const nlohmann::json& map, const std::string& where) {
  if (!map.is_object()) throw InputError(concat(where, ": expected an object with the id of each piece"));
  std::vector<std::string> pieces(map.size());
  std::vector<bool> found(map.size());
  for (const auto& [piece, id] : map.items()) {
    if (!id.is_number_integer() || id < 0 || id >= map.size()) {
      throw InputError(concat(where, ": the piece ", shown(piece), " has the id ", ascii_json_line(id),
                              "; expected 0 to ", map.size() - 1, " for ", map.size(), " pieces"));
    }
    const auto place = id.get<std::size_t>();
    if (found[place])
      throw InputError(concat(where, ": the pieces ", shown(piece), " and ", shown(pieces[place]),
                              " have the id ", place));
    found[place] = true;
    pieces[place] = piece;
  }
  return pieces;
}

std::string filling_piece(int id) { return concat("<unused", id, ">"); }

}  // namespace gloss
