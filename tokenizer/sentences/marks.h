// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace gloss {

/// Characters as sentences see them.

bool is_one_of(std::u32string_view characters, char32_t);
/// White space of Unicode.
bool is_space(char32_t);
/// White space that ends a line or a paragraph.
bool is_line_separator(char32_t);
/// A mark that ends sentences in some script, a full stop, or an ellipsis.
bool is_end_mark(char32_t);
/// A mark that ends sentences in a script that is written without spaces.
bool is_end_mark_without_space(char32_t);
/// Brackets and quotation marks that open, or may open, something.
bool is_opening(char32_t);
/// Brackets and quotation marks that close, or may close, something.
bool is_closing(char32_t);
/// Quotation marks that may open or close: `"`, `'`, and those that some languages use the other way round.
bool is_either_way(char32_t);
bool is_opening_bracket(char32_t);
bool is_closing_bracket(char32_t);
/// A bullet before an item of a list.
bool is_bullet(char32_t);
/// A hyphen or dash, which may begin what somebody says.
bool is_dash(char32_t);
/// A picture, or a part of one, that people write after sentences; no bullets, arrows or signs such as ©.
bool is_emoji(char32_t);
/// An emoji that shows a face.
bool is_face(char32_t);
/// A letter of a script that is written without spaces: Chinese characters, kana.
bool is_letter_without_space(char32_t);

}  // namespace gloss
