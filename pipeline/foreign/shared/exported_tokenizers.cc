// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/exported_tokenizers.h"

#include "base/error.h"
#include "base/files.h"
#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/model_file.h"

namespace gloss {

std::vector<std::string> exported_pieces(const Subwords& subwords) {
  return foreign_spellings(subwords.bytes(), "the tokenizer");
}

bool is_sentence_piece(const Subwords& subwords) {
  const ModelFile file = read_model_file(subwords.bytes(), "the tokenizer");
  return !file.foreign || file.foreign->kind == ForeignRules::Kind::sentence_pieces;
}

bool takes_words(const Subwords& subwords) {
  const ModelFile file = read_model_file(subwords.bytes(), "the tokenizer");
  return file.foreign && file.foreign->kind == ForeignRules::Kind::words;
}

bool attaches_punctuation(const Subwords& subwords) {
  const ModelFile file = read_model_file(subwords.bytes(), "the tokenizer");
  return file.foreign && file.foreign->attaches_punctuation;
}

void write_tokenizer(const Subwords& subwords, const std::string& directory, const std::string& name) {
  const char* const ending = is_sentence_piece(subwords) ? ".spm" : ".model";
  write_file(concat(directory, "/", name, ending), subwords.bytes());
}

void note_normalization(const ModelToExport& model, const std::string& program, Listener& listener) {
  Normalization normalization = model.format.normalization;
  if (normalization == Normalization::none) return;
  const Choice choice = normalization_choice(normalization);
  listener.note(concat(program, " does not normalise text; apply ",
                       choice.names[static_cast<std::size_t>(choice.get())], " before"));
}

}  // namespace gloss
