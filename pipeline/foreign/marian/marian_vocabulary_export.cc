// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_vocabulary_export.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/shown.h"
#include "model/formats/yaml.h"
#include "pipeline/foreign/marian/marian_network_export.h"
#include "pipeline/foreign/marian/marian_vocabulary.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

/// How Marian splits text into the pieces of a vocabulary: by the SentencePiece model itself; not at all, as
/// the vocabulary has other pieces or other ids than the model; or at spaces.
enum class MarianSplitting { sentence_piece, pieces, words };

[[noreturn]] void refuse_vocabulary(const std::string& value, const std::string& advice) {
  refuse_export(kMarian, "a vocabulary", value, advice);
}

/// True if no text is split into this piece, although the vocabulary has it.
bool is_only_listed(const Piece& piece) {
  const bool known_token = piece.text.starts_with('<') && piece.text.ends_with('>');
  return !known_token && (piece.type == PieceType::unused || piece.type == PieceType::control);
}

MarianSplitting kind_of(const ModelFile& file) {
  if (!file.foreign) return MarianSplitting::sentence_piece;
  const ForeignRules& rules = *file.foreign;
  if (rules.kind == ForeignRules::Kind::words) return MarianSplitting::words;
  if (rules.kind != ForeignRules::Kind::sentence_pieces)
    refuse_vocabulary("of WordPiece or byte-level BPE", "train with a vocabulary of SentencePiece");
  const bool own = file.pieces.size() == index(rules.size) &&
                   std::none_of(file.pieces.begin(), file.pieces.end(), is_only_listed);
  return own ? MarianSplitting::sentence_piece : MarianSplitting::pieces;
}

/// Throws UsageError unless the known tokens are those that Marian finds in the file.
void expect_known_tokens(const Subwords& subwords, const ModelFile& file, MarianSplitting kind) {
  const std::vector<std::string> pieces = exported_pieces(subwords);
  // Lists may have the names of Nematus, at a fixed place.
  const auto expect_name = [&](int id, const std::string& name, int place, const std::string& of_nematus) {
    const std::string& piece = pieces[index(id)];
    if (piece == name) return;
    if (kind != MarianSplitting::sentence_piece && id == place && (piece.empty() || piece == of_nematus))
      return;
    refuse_vocabulary(concat("with the token ", shown(pieces[index(id)]), " instead of ", name),
                      "rename it in the tokenizer");
  };
  expect_name(subwords.end_id(), kMarianEnd, 0, "eos");
  if (kind != MarianSplitting::sentence_piece) expect_name(subwords.unknown_id(), kMarianUnknown, 1, "UNK");
  if (!file.foreign) return;
  for (const ForeignRules::Special& special : file.foreign->specials) {
    // Marian finds the end token in text, if words between spaces are pieces.
    if (kind == MarianSplitting::words && special.id == subwords.end_id()) continue;
    refuse_vocabulary(
        concat("with the token ", shown(pieces[index(special.id)]), ", which is recognised in text"),
        "train with a vocabulary without such tokens");
  }
}

/// The map from pieces to ids.
std::string list_of(const Subwords& subwords) {
  const std::vector<std::string> pieces = exported_pieces(subwords);
  nlohmann::json ids = nlohmann::json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) ids[pieces[id]] = id;
  return yaml_text(ids);
}

/// Kind of a tokenizer that Marian has.
MarianSplitting checked_kind(const Subwords& subwords) {
  const ModelFile file = read_model_file(subwords.bytes(), "the tokenizer");
  const MarianSplitting kind = kind_of(file);
  expect_known_tokens(subwords, file, kind);
  return kind;
}

}  // namespace

std::vector<std::string> marian_vocabulary_files() {
  return {"vocab.spm", "source.spm", "target.spm", "vocab.yml", "source.yml", "target.yml"};
}

std::vector<std::string> write_marian_vocabularies(const ModelToExport& model, const std::string& directory) {
  const Subwords &source = *model.tokenizers.source, &target = *model.tokenizers.target;
  const MarianSplitting kind = checked_kind(source), of_target = checked_kind(target);
  const bool listed = kind == MarianSplitting::pieces || of_target == MarianSplitting::pieces;
  if (listed && (kind == MarianSplitting::words || of_target == MarianSplitting::words))
    refuse_vocabulary("of words on one side and of pieces on the other",
                      "train with vocabularies of one kind");
  const auto write = [&](const std::string& name, const std::string& bytes) {
    write_file(concat(directory, "/", name), bytes);
  };
  if (listed) {  // the models that split text lie beside the lists
    write("source.spm", source.bytes());
    write("target.spm", target.bytes());
  }
  const auto write_side = [&](const std::string& name, const Subwords& subwords, MarianSplitting of_side) {
    const bool is_model = of_side == MarianSplitting::sentence_piece;
    const std::string file = name + (is_model ? ".spm" : ".yml");
    write(file, is_model ? subwords.bytes() : list_of(subwords));
    return file;
  };
  const bool one_list = kind != MarianSplitting::sentence_piece && kind == of_target &&
                        exported_pieces(source) == exported_pieces(target);
  std::vector<std::string> names;
  if (one_list || source.bytes() == target.bytes()) {
    names.assign(2, write_side("vocab", source, kind));
  } else {
    names = {write_side("source", source, kind), write_side("target", target, of_target)};
  }
  if (model.model.settings.sizes.encoder_layers == 0) names.resize(1);
  return names;
}

bool allows_unknown(const Subwords& subwords) {
  const std::vector<int> never = subwords.never_generated();
  return std::ranges::find(never, subwords.unknown_id()) == never.end();
}

bool splits_text_outside(const Subwords& subwords) {
  return kind_of(read_model_file(subwords.bytes(), "the tokenizer")) == MarianSplitting::pieces;
}

}  // namespace gloss
