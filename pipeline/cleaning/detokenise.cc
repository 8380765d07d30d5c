// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/detokenise.h"

#include <array>
#include <vector>

namespace gloss {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool looks_tokenised(std::string_view text) {
  bool possible = false;
  for (std::size_t at = text.find(' '); at != text.npos && at + 1 < text.size() && !possible;
       at = text.find(' ', at + 1)) {
    const char next = text[at + 1];
    possible = next == ',' || next == '.' || next == '@' || next == '\'';
  }
  return possible && (has(text, " @-@ ") || has(text, " , ") || text.ends_with(" .") || has(text, " 's ") ||
                      has(text, " 't "));
}

bool is_letter(std::string_view token) {
  return token.size() == 1 && ((token[0] >= 'a' && token[0] <= 'z') || (token[0] >= 'A' && token[0] <= 'Z'));
}
bool is_capital(std::string_view token) { return is_letter(token) && token[0] < 'a'; }

/// The endings that English writes after an apostrophe.
bool is_ending(std::string_view token) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'ll", "'d", "'m", "n't"}) {
    if (token == ending) return true;
  }
  return false;
}

bool is_one_of(std::string_view token, std::string_view set) {
  return token.size() == 1 && set.find(token[0]) != std::string_view::npos;
}

}  // namespace

bool detokenise(std::string& text, std::string_view language) {
  if (!looks_tokenised(text)) return false;
  std::vector<std::string_view> tokens;
  const std::string_view all = text;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(' ', begin), all.size());
    if (end > begin) tokens.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string_view closing = language == "fr" ? ".,)]}%" : ".,;:?!)]}%";
  std::string joined;
  bool glue = true;  // no space before the next token
  bool in_double = false, in_single = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (token == "@-@" || token == "@/@") {
      joined += token[1];
      glue = true;
      continue;
    }
    const bool opens_double = token == "\"" && !in_double, closes_double = token == "\"" && in_double;
    const bool closes_single = token == "'" && in_single;
    const bool company = token == "&" && i > 0 && i + 1 < tokens.size() && is_capital(tokens[i - 1]) &&
                         is_capital(tokens[i + 1]);
    // A point within an abbreviation, such as "e . g ."
    const bool abbreviates = i > 1 && is_letter(token) && tokens[i - 1] == "." && is_letter(tokens[i - 2]) &&
                             i + 1 < tokens.size() && tokens[i + 1] == ".";
    const bool attached = is_one_of(token, closing) || is_ending(token) || closes_double || closes_single ||
                          company || abbreviates;
    if (!glue && !attached) joined += ' ';
    joined += token;
    glue = is_one_of(token, "([{") || opens_double || company || (token == "'" && !closes_single);
    if (token == "\"") in_double = !in_double;
    if (token == "'") in_single = !in_single;
    if (token.size() > 1 && token[0] == '\'' && !is_ending(token) && !token.ends_with('\'')) in_single = true;
  }
  if (joined == text) return false;
  text = std::move(joined);
  return true;
}

}  // namespace gloss
