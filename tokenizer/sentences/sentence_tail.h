// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {

/// What belongs to a sentence after its last word.

/// The end of a run of marks that begins at `at`; spaces between full stops belong to it ("wait . . .").
std::size_t after_marks(const LineCharacters&, std::size_t at);
/// The end of what closes quotations and brackets, and of marks of references ("[12]", "¹").
std::size_t after_closing(const LineCharacters&, std::size_t at);
/// The end of the smileys and emoji after `at`, with the spaces before each of them, or `at`.
std::size_t after_smileys(const SentenceRules&, const LineCharacters&, std::size_t at);
/// True if the token that ends before `end` is a smiley made of marks, such as ":-)".
bool is_smiley(const SentenceRules&, const LineCharacters&, std::size_t end);

}  // namespace gloss
