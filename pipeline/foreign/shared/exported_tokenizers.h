// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// The pieces of a tokenizer by their ids, in the spelling of the program that they come from.
std::vector<std::string> exported_pieces(const Subwords&);

/// True if decoding removes spaces before punctuation.
bool attaches_punctuation(const Subwords&);

/// True if other programs can read the tokenizer's file: a model of SentencePiece.
bool is_sentence_piece(const Subwords&);
/// True for a tokenizer of words between spaces.
bool takes_words(const Subwords&);

/// Writes the file of a tokenizer as NAME.spm for SentencePiece, or else as NAME.model, which only gloss
/// reads.
void write_tokenizer(const Subwords&, const std::string& directory, const std::string& name);

/// Notes the Unicode normalisation of the model, which the other program does not do.
void note_normalization(const ModelToExport&, const std::string& program, Listener&);

}  // namespace gloss
