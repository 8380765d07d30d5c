// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/extend_vocabulary.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/shown.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/model_writer.h"
#include "tokenizer/symbols.h"

namespace gloss {
namespace {

std::vector<int> pieces_before(const Subwords& subwords, const std::string& symbol) {
  std::vector<int> ids = subwords.encode(symbol);
  if (ids.size() > 1 && subwords.piece(ids.front()) == kPieceSpace) ids.erase(ids.begin());
  // The normalisation rules of a foreign model may delete the text.
  if (ids.empty()) ids.push_back(subwords.unknown_id());
  return ids;
}

}  // namespace

std::vector<std::string> missing_symbols(const Subwords& subwords, const std::vector<std::string>& symbols) {
  std::vector<std::string> missing = symbols;
  std::erase_if(missing, [&](const std::string& symbol) {
    const std::vector<int> ids = subwords.encode(symbol);
    return std::ranges::any_of(ids, [&](int id) { return subwords.piece_text(id) == symbol; });
  });
  return missing;
}

ExtendedVocabulary extend_vocabulary(const Subwords& subwords, const std::vector<std::string>& symbols) {
  check_symbols(symbols);
  const ModelFile file = read_model_file(subwords.bytes(), "the vocabulary");
  if (file.foreign) {
    throw UsageError(
        "this vocabulary is of another program and cannot be extended; symbols can be added to "
        "vocabularies that 'gloss vocab' or SentencePiece learned");
  }
  const bool byte_level = file.byte_level;
  std::unordered_map<std::string_view, int> ids;
  for (int id = 0; id < subwords.size(); ++id) ids.emplace(subwords.piece(id), id);
  std::vector<Piece> pieces;
  std::vector<std::vector<int>> old_pieces;
  for (const std::string& symbol : symbols) {
    const std::string piece = byte_level ? byte_characters(symbol) : symbol;
    const auto known = ids.find(piece);
    if (known != ids.end()) {
      throw UsageError(
          concat("the symbol ", shown(symbol), " is already in the vocabulary, with id ", known->second));
    }
    pieces.push_back({piece, 0, PieceType::user_defined});
    old_pieces.push_back(pieces_before(subwords, symbol));
  }
  std::string bytes = with_further_pieces(subwords.bytes(), ids.size(), pieces);
  return {Subwords::from_bytes(std::move(bytes), "the extended vocabulary"), std::move(old_pieces)};
}

}  // namespace gloss
