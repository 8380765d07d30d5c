// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/tokenizer_to_export.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/foreign/hugging_face/hugging_face_vocabulary.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

/// The rules of gloss's own tokenizers, in which all control pieces are special.
ForeignRules own_rules(const Subwords& subwords, const ModelFile& file) {
  ForeignRules rules;
  rules.size = subwords.size();
  rules.begin = subwords.begin_id();
  rules.end = subwords.end_id();
  for (std::size_t id = 0; id < file.pieces.size(); ++id) {
    const PieceType type = file.pieces[id].type;
    if (type == PieceType::control || type == PieceType::unknown)
      rules.specials.push_back({static_cast<int>(id)});
  }
  return rules;
}

TokenizerToExport::Kind kind_of(const ModelFile& file, const ForeignRules& rules,
                                const std::vector<std::string>& pieces) {
  using Kind = TokenizerToExport::Kind;
  switch (rules.kind) {
    case ForeignRules::Kind::word_pieces:
      return Kind::word_pieces;
    case ForeignRules::Kind::ranked_pairs:
      return Kind::byte_pairs;
    case ForeignRules::Kind::words:
      return Kind::words;
    case ForeignRules::Kind::sentence_pieces:
      break;
  }
  if (file.byte_level) return Kind::own_byte_level;
  constexpr std::array<std::string_view, 4> kFirst{"<s>", "<pad>", "</s>", "<unk>"};
  const bool first =
      pieces.size() > kFirst.size() && std::equal(kFirst.begin(), kFirst.end(), pieces.begin());
  return first && file.foreign ? Kind::fairseq_pieces : Kind::sentence_pieces;
}

}  // namespace

TokenizerToExport::TokenizerToExport(const Subwords& subwords)
    : bytes_(subwords.bytes()),
      file_(read_model_file(bytes_, "the tokenizer")),
      rules_(file_.foreign ? *file_.foreign : own_rules(subwords, file_)),
      pieces_(exported_pieces(subwords)),
      kind_(kind_of(file_, rules_, pieces_)),
      used_(static_cast<int>(pieces_.size())) {
  for (const ForeignRules::Special& special : rules_.specials) specials_[special.id] = special.takes_spaces;
  while (used_ > 0 && is_special(used_ - 1) && pieces_[index(used_ - 1)] == filling_piece(used_ - 1)) --used_;
}

const std::string& TokenizerToExport::piece(int id) const {
  expects(id >= 0 && id < static_cast<int>(pieces_.size()), "the piece ", id, " does not exist");
  return pieces_[index(id)];
}

int TokenizerToExport::id(const std::string& piece) const {
  const auto found = std::ranges::find(pieces_, piece);
  return found == pieces_.end() ? -1 : static_cast<int>(found - pieces_.begin());
}

int TokenizerToExport::padding() const {
  for (const std::string name : {"<pad>", "[PAD]"}) {
    const int padding = id(name);
    if (padding >= 0 && is_special(padding)) return padding;
  }
  return -1;
}

int TokenizerToExport::without_last_specials() const {
  int count = used_;
  while (count > 0 && is_special(count - 1)) --count;
  return count;
}

nlohmann::json TokenizerToExport::ids(int count) const {
  nlohmann::json ids = nlohmann::json::object();
  for (int id = 0; id < count; ++id) ids[piece(id)] = id;
  return ids;
}

std::vector<std::pair<std::string, std::string>> TokenizerToExport::merges() const {
  std::vector<std::pair<std::string, std::string>> merges;
  for (const auto& [left, right] : rules_.merges) merges.emplace_back(piece(left), piece(right));
  return merges;
}

std::string TokenizerToExport::sentence_pieces(std::vector<Piece> first, int from, int to) const {
  if (!file_.foreign) return bytes_;
  const auto at = [&](int id) { return file_.pieces.begin() + id; };
  first.insert(first.end(), at(from), at(to));
  return without_rules(bytes_, first);
}

}  // namespace gloss
