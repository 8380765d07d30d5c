// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/tokenizer_beside.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

/// The SentencePiece model of a side: SIDE.spm, SIDE.model or the only file with such an ending; empty if
/// there is none. Throws InputError if there are several.
std::string sentence_piece_path(const std::string& directory, const std::string& side) {
  std::vector<std::string> all;
  for (const std::string ending : {".spm", ".model"}) {
    const std::string path = concat(directory, "/", side, ending);
    if (is_file(path)) return path;
    for (const std::string& name : names_in(directory)) {
      if (name.ends_with(ending)) all.push_back(name);
    }
  }
  if (all.size() > 1) {
    std::ranges::sort(all);
    throw InputError(concat(directory, " has several SentencePiece models: ", join(all, ", "),
                            "; expected one, or source.spm and target.spm"));
  }
  return all.empty() ? "" : concat(directory, "/", all.front());
}

}  // namespace

std::shared_ptr<const Subwords> tokenizer_with_pieces(const std::string& sentence_piece_path,
                                                      const ForeignVocabulary& vocabulary,
                                                      const KnownTokens& known) {
  auto own = std::make_shared<const Subwords>(Subwords::load(sentence_piece_path));
  const bool same = own->end_id() == vocabulary.end &&
                    (!known.begin || own->begin_id() == vocabulary.begin) &&
                    (!known.never_generated || (own->never_generated() == vocabulary.never_generated &&
                                                never_probable(*own) == vocabulary.never_probable)) &&
                    exported_pieces(*own) == vocabulary.pieces;
  if (same) return own;
  if (!is_sentence_piece(*own)) {
    throw InputError(concat(sentence_piece_path,
                            " does not belong to the vocabulary, which has other tokens; ",
                            "remove it, or export the model again"));
  }
  return std::make_shared<const Subwords>(Subwords::from_bytes(
      renumbered_file(vocabulary, read_file(sentence_piece_path), sentence_piece_path), sentence_piece_path));
}

std::shared_ptr<const Subwords> tokenizer_beside(const std::string& directory, const TextSide& side,
                                                 const ForeignVocabulary& vocabulary,
                                                 const std::string& where) {
  const std::string model = sentence_piece_path(directory, side.name);
  if (!model.empty()) return tokenizer_with_pieces(model, vocabulary, side.known);
  return std::make_shared<const Subwords>(Subwords::from_bytes(words_file(vocabulary, where), where));
}

}  // namespace gloss
