// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Replaces each occurrence of `from` in `text`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Decodes &quot; &amp; &lt; &gt;, in this order.
void unescape_entities(std::string& text);

/// Puts spaces around ASCII punctuation as mteval-v13a.pl does: all but ' , - . (comma, hyphen and period
/// depend on their neighbours).
void split_punctuation(std::string_view text, std::string& out);

/// Puts spaces around periods and commas that have a neighbour other than a digit, and around hyphens after a
/// digit: the last three rules of mteval-v13a.pl. Overwrites `text`.
void split_number_marks(std::string& text, std::string& out);

/// The neighbours of the first and last character in the rules: none, or spaces.
enum class LineEnds { nothing, blank };

/// Applies the rules above, the language-dependent part of mteval-v13a.pl for Western languages. The words
/// point into `text`, which is changed if necessary.
void western_words(std::string& text, LineEnds, std::vector<std::string_view>& words);

}  // namespace gloss
