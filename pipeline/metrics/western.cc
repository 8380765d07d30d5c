#include "pipeline/metrics/western.h"

#include <array>

namespace gloss {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_mark(char c) { return c == '.' || c == ','; }

/// The punctuation that stands alone always: [{-~], [[-`], [!-&], [(-+], [:-@] and '/'.
constexpr std::array<bool, 256> kAlone = [] {
  std::array<bool, 256> table{};
  for (int c = '!'; c <= '~'; ++c) {
    table[static_cast<std::size_t>(c)] = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || c <= '&' ||
                                         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
  }
  return table;
}();

// Each rule is one pass from left to right over bytes. What surrounds a mark is one character, of which the
// nearest byte decides, so that bytes give what characters would.

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
    ++at;  // the two characters are used up: a mark right behind them has nothing before it
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

void split_western(std::string& text, std::string& out) {
  split_punctuation(text, out);
  text.swap(out);
  split_number_marks(text, out);
}

}  // namespace gloss
