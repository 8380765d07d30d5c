// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/piece_list.h"

#include "base/error.h"
#include "base/index.h"

namespace gloss {

PieceList::PieceList(const ModelFile& file) : pieces_(file.pieces), unknown_(file.unknown_id) {
  for (int id = 0; id < static_cast<int>(pieces_.size()); ++id) {
    if (!is_special(id)) ids_.emplace(pieces_[index(id)].text, id);
  }
}

const std::string& PieceList::piece(int id) const { return pieces_[index(id)].text; }

int PieceList::find(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? -1 : found->second;
}

bool PieceList::is_special(int id) const { return pieces_[index(id)].type != PieceType::normal; }

std::string PieceList::reason_against_sampling() const {
  return "BPE dropout needs a BPE model; this is a list of pieces or words";
}

void PieceList::sample(std::string_view, double, Random&, const TakePiece&) const {
  throw InputError(reason_against_sampling());
}

}  // namespace gloss
