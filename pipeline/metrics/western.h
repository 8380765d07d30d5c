#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Replaces every `from` in `text`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Turns &quot; &amp; &lt; &gt; into the characters they stand for, in this order.
void unescape_entities(std::string& text);

/// Puts blanks around the ASCII punctuation of mteval-v13a.pl: all of it but ' , - . (period, comma and
/// hyphen depend on their neighbours).
void split_punctuation(std::string_view text, std::string& out);

/// Puts blanks around periods and commas unless digits stand on that side, and around a hyphen after a digit:
/// the last three rules of mteval-v13a.pl. `text` is used as working memory.
void split_number_marks(std::string& text, std::string& out);

/// What stands before the first and behind the last character for the rules about neighbours.
enum class LineEnds { nothing, blank };

/// The words after all of the above: the language-dependent part of mteval-v13a.pl for Western languages.
/// They point into `text`, which is changed if its marks need it.
void western_words(std::string& text, LineEnds, std::vector<std::string_view>& words);

}  // namespace gloss
