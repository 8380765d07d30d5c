// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/western.h"

#include <array>

#include "base/index.h"
#include "base/text.h"
#include "tokenizer/characters.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_mark(char c) { return c == '.' || c == ','; }

/// Punctuation that is always a separate word: [{-~], [[-`], [!-&], [(-+], [:-@] and '/'.
constexpr std::array<bool, 256> kAlone = [] {
  std::array<bool, 256> table{};
  for (int c = '!'; c <= '~'; ++c) {
    table[index(c)] = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || c <= '&' ||
                      (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
  }
  return table;
}();

// Each rule is one pass over bytes. Only the adjacent byte of a neighbouring character matters, so the result
// is the same as for characters.

/// "x." becomes "x . " unless x is a digit.
void split_after_other(std::string_view text, std::string& out) {
  out.clear();
  std::size_t copied = 0;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (!is_mark(text[at]) || is_digit(text[at - 1])) continue;
    out.append(text, copied, at - copied);
    out += ' ';
    out += text[at];
    out += ' ';
    copied = at + 1;
    ++at;  // the rule has consumed both characters; an immediately following mark has no left neighbour
  }
  out.append(text, copied);
}

/// ".x" becomes " . x" unless x is a digit.
void split_before_other(std::string_view text, std::string& out) {
  out.clear();
  std::size_t copied = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!is_mark(text[at]) || is_digit(text[at + 1])) continue;
    out.append(text, copied, at - copied);
    out += ' ';
    out += text[at];
    out += ' ';
    out += text[at + 1];
    copied = at + 2;
    ++at;
  }
  out.append(text, copied);
}

/// "7-" becomes "7 - ".
void split_hyphens(std::string_view text, std::string& out) {
  out.clear();
  std::size_t copied = 0;
  for (std::size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
    if (at == 0 || !is_digit(text[at - 1])) continue;
    out.append(text, copied, at - copied);
    out += " - ";
    copied = at + 1;
  }
  out.append(text, copied);
}

/// Kinds of bytes.
enum class Kind : char { letter, alone, mark, hyphen, blank };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    if (kAlone[byte]) table[byte] = Kind::alone;
    if (byte < 0x80 && is_white_space(static_cast<char32_t>(byte))) table[byte] = Kind::blank;
  }
  for (const std::size_t lead : {0xc2, 0xe1, 0xe2, 0xe3}) table[lead] = Kind::blank;  // possible lead bytes
  table['.'] = table[','] = Kind::mark;
  table['-'] = Kind::hyphen;
  return table;
}();

/// Applies all rules at once without changing the text. Returns false if two marks are adjacent, since the
/// order of the rules matters then; otherwise each mark is split off on both sides or not at all, depending
/// on its neighbours.
bool one_pass(std::string_view text, LineEnds ends, std::vector<std::string_view>& words) {
  words.clear();
  std::size_t start = 0;
  const auto split_at = [&](std::size_t at, std::size_t size, bool is_word) {
    if (at > start) words.push_back(text.substr(start, at - start));
    if (is_word) words.push_back(text.substr(at, size));
    start = at + size;
  };
  const auto is_other = [&](std::size_t at) {  // before and after the line, `ends` decides
    return at < text.size() ? !is_digit(text[at]) : ends == LineEnds::blank;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (kKinds[static_cast<unsigned char>(text[at])]) {
      case Kind::letter:
        break;
      case Kind::alone:
        split_at(at, 1, true);
        break;
      case Kind::hyphen:
        if (at > 0 && is_digit(text[at - 1])) split_at(at, 1, true);
        break;
      case Kind::mark:
        if (at + 1 < text.size() && is_mark(text[at + 1])) return false;
        if (is_other(at - 1) || is_other(at + 1)) split_at(at, 1, true);
        break;
      case Kind::blank:
        if (const std::size_t size = white_space_at(text, at)) {
          split_at(at, size, false);
          at += size - 1;
        }
        break;
    }
  }
  split_at(text.size(), 0, false);
  return true;
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    out.append(text, copied, at - copied);
    out += to;
    copied = at + from.size();
  }
  out.append(text, copied);
  text.swap(out);
}

void unescape_entities(std::string& text) {
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

void split_punctuation(std::string_view text, std::string& out) {
  out.clear();
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!kAlone[static_cast<unsigned char>(text[at])]) continue;
    out.append(text, copied, at - copied);
    out += ' ';
    out += text[at];
    out += ' ';
    copied = at + 1;
  }
  out.append(text, copied);
}

void split_number_marks(std::string& text, std::string& out) {
  split_after_other(text, out);
  split_before_other(out, text);
  split_hyphens(text, out);
}

void western_words(std::string& text, LineEnds ends, std::vector<std::string_view>& words) {
  if (one_pass(text, ends, words)) return;
  const std::string_view pad = ends == LineEnds::blank ? " " : "";
  std::string out;
  split_punctuation(concat(pad, text, pad), out);
  split_number_marks(out, text);
  split_words(text, words);
}

}  // namespace gloss
