// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gloss {

/// The pieces of a vocab.json, by their ids. Throws InputError, naming the piece, unless the ids are 0 to one
/// less than the number of pieces.
std::vector<std::string> read_vocabulary(const std::string& path);
/// The same for such an object; messages call it `where`.
std::vector<std::string> pieces_by_id(const nlohmann::json& map, const std::string& where);

/// The name of a piece without text, for a row of the embeddings that no token uses.
std::string filling_piece(int id);

}  // namespace gloss
