// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/markup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>

#include "base/utf8.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_space(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The end of a tag whose name ends at `at`: after its '>'; npos: it has no end, or is none, or is longer
/// than tags are.
template <class Text>
std::size_t tag_end(const Text& text, std::size_t at) {
  constexpr std::size_t kLongestTag = 4000;  // which bounds the time for many tags without end
  const std::size_t last = std::min(text.size(), at + kLongestTag);
  bool value = false;  // after '='
  while (at < last && text[at] != '>') {
    const auto c = text[at];
    if (value && (c == '"' || c == '\'')) {
      ++at;
      while (at < last && text[at] != c) ++at;
      value = false;
    } else if (c < 0 || !is_ascii_space(static_cast<char32_t>(c))) {
      value = c == '=';
    }
    ++at;
  }
  return at < last ? at + 1 : Text::npos;
}

/// The names of Latin-1's characters from U+00A0, of others that text has, and of markup.
const std::map<std::string, char32_t, std::less<>>& entity_names() {
  static const std::map<std::string, char32_t, std::less<>> names = [] {
    constexpr std::string_view kLatin1 =
        "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 "
        "sup3 acute "
        "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml "
        "Aring "
        "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc "
        "Otilde Ouml "
        "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring "
        "aelig ccedil "
        "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide "
        "oslash "
        "ugrave uacute ucirc uuml yacute thorn yuml ";
    std::map<std::string, char32_t, std::less<>> all{
        {"amp", '&'},       {"lt", '<'},        {"gt", '>'},        {"quot", '"'},      {"apos", '\''},
        {"bar", '|'},       {"bra", '['},       {"ket", ']'},       {"OElig", 0x152},   {"oelig", 0x153},
        {"Scaron", 0x160},  {"scaron", 0x161},  {"Yuml", 0x178},    {"fnof", 0x192},    {"circ", 0x2C6},
        {"tilde", 0x2DC},   {"ensp", 0x2002},   {"emsp", 0x2003},   {"thinsp", 0x2009}, {"zwnj", 0x200C},
        {"zwj", 0x200D},    {"lrm", 0x200E},    {"rlm", 0x200F},    {"ndash", 0x2013},  {"mdash", 0x2014},
        {"lsquo", 0x2018},  {"rsquo", 0x2019},  {"sbquo", 0x201A},  {"ldquo", 0x201C},  {"rdquo", 0x201D},
        {"bdquo", 0x201E},  {"dagger", 0x2020}, {"Dagger", 0x2021}, {"bull", 0x2022},   {"hellip", 0x2026},
        {"permil", 0x2030}, {"prime", 0x2032},  {"Prime", 0x2033},  {"lsaquo", 0x2039}, {"rsaquo", 0x203A},
        {"euro", 0x20AC},   {"trade", 0x2122},  {"larr", 0x2190},   {"uarr", 0x2191},   {"rarr", 0x2192},
        {"darr", 0x2193},   {"harr", 0x2194},   {"minus", 0x2212},  {"infin", 0x221E},  {"asymp", 0x2248},
        {"ne", 0x2260},     {"le", 0x2264},     {"ge", 0x2265},     {"alpha", 0x3B1},   {"beta", 0x3B2},
        {"gamma", 0x3B3},   {"delta", 0x3B4},   {"Delta", 0x394},   {"lambda", 0x3BB},  {"mu", 0x3BC},
        {"pi", 0x3C0},      {"sigma", 0x3C3},   {"Omega", 0x3A9},   {"omega", 0x3C9},   {"num", '#'},
        {"sol", '/'},       {"lpar", '('},      {"rpar", ')'},      {"comma", ','},     {"period", '.'},
        {"colon", ':'},     {"semi", ';'},      {"excl", '!'},      {"quest", '?'},     {"lsqb", '['},
        {"rsqb", ']'},      {"lbrack", '['},    {"rbrack", ']'},    {"verbar", '|'},    {"commat", '@'},
        {"percnt", '%'},    {"dollar", '$'},    {"ast", '*'},       {"plus", '+'},      {"equals", '='},
        {"lowbar", '_'},    {"hyphen", 0x2010}, {"dash", 0x2010},   {"horbar", 0x2015}};
    char32_t character = 0xA0;
    for (std::size_t at = 0; at < kLatin1.size(); ++character) {
      const std::size_t end = kLatin1.find(' ', at);
      all.emplace(kLatin1.substr(at, end - at), character);
      at = end + 1;
    }
    return all;
  }();
  return names;
}

/// An entity at the start of `text`: its size and its character; size 0: there is none.
struct Entity {
  std::size_t size = 0;
  char32_t character = 0;
};

Entity entity_at(std::string_view text) {
  constexpr std::size_t kLongest = 12;
  const std::size_t end = text.substr(0, kLongest).find(';');
  if (end == std::string_view::npos || end < 3) return {};
  const std::string_view name = text.substr(1, end - 1);
  if (name[0] != '#') {
    const auto found = entity_names().find(name);
    return found == entity_names().end() ? Entity() : Entity{end + 1, found->second};
  }
  const bool hexadecimal = name.size() > 2 && (name[1] == 'x' || name[1] == 'X');
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t value = 0;
  const auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  const bool whole = error == std::errc() && rest == digits.data() + digits.size();
  const bool allowed =
      value >= 0x20 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF) && value != 0x7F;
  return whole && allowed ? Entity{end + 1, value} : Entity();
}

/// The tag or comment at '<': its end; 0: there is none. A tag without '>' ends with its name.
std::size_t markup_end(std::string_view text, std::size_t at) {
  static constexpr auto kElements = std::to_array<std::string_view>(
      {"a",      "abbr",  "b",     "big", "blockquote", "body",   "br",     "button", "center",   "cite",
       "code",   "dd",    "del",   "div", "dl",         "dt",     "em",     "font",   "form",     "g",
       "h1",     "h2",    "h3",    "h4",  "h5",         "h6",     "head",   "hr",     "html",     "i",
       "iframe", "img",   "input", "ins", "label",      "li",     "link",   "meta",   "nobr",     "ol",
       "option", "p",     "pre",   "q",   "s",          "script", "select", "small",  "span",     "strike",
       "strong", "style", "sub",   "sup", "svg",        "table",  "tbody",  "td",     "textarea", "tfoot",
       "th",     "thead", "title", "tr",  "tt",         "u",      "ul",     "video",  "x",        "bx",
       "ex",     "bpt",   "ept",   "ph",  "it"});
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("<!--")) {
    const std::size_t end = text.find("-->", at + 4);
    return end == std::string_view::npos ? text.size() : end + 3;
  }
  if (rest.starts_with("<![CDATA[") || rest.starts_with("<?") || rest.starts_with("<!DOCTYPE")) {
    const std::size_t end = text.find('>', at);
    return end == std::string_view::npos ? at + 2 : end + 1;
  }
  std::size_t name = at + (rest.starts_with("</") ? 2 : 1);
  std::size_t end = name;
  while (end < text.size() && (is_ascii_letter(static_cast<unsigned char>(text[end])) ||
                               (end > name && text[end] >= '0' && text[end] <= '9')))
    ++end;
  std::string element(text.substr(name, end - name));
  for (char& c : element) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (std::ranges::count(kElements, element) == 0) return 0;
  if (end < text.size() && text[end] != '>' && text[end] != '/' &&
      !is_ascii_space(static_cast<unsigned char>(text[end])))
    return 0;
  const std::size_t closed = tag_end(text, end);
  if (closed != std::string_view::npos && text.substr(end, closed - end).find('<') == std::string_view::npos)
    return closed;
  return end;
}

/// The text of the attribute alt of a tag; "" without.
std::string_view alternative_text(std::string_view tag) {
  const std::size_t at = tag.find(" alt=");
  if (at == std::string_view::npos || at + 6 > tag.size()) return "";
  const char quote = tag[at + 5];
  if (quote != '"' && quote != '\'') return "";
  const std::size_t end = tag.find(quote, at + 6);
  return end == std::string_view::npos ? "" : tag.substr(at + 6, end - at - 6);
}

/// True for elements that separate words.
bool separates(std::string_view tag) {
  const std::string_view name = tag.substr(tag.starts_with("</") ? 2 : 1);
  return name.starts_with("br") || name.starts_with("hr") || name.starts_with("li") || name.starts_with("td");
}

}  // namespace

bool has_opening_tag(std::u32string_view text) {
  bool comments_end = true;
  for (std::size_t at = text.find(U'<'); at != text.npos; at = text.find(U'<', at + 1)) {
    if (comments_end && text.substr(at).starts_with(U"<!--")) {
      const std::size_t end = text.find(U"-->", at + 4);
      comments_end = end != text.npos;
      if (comments_end) at = end;
      continue;
    }
    if (at + 1 >= text.size() || !is_ascii_letter(text[at + 1])) continue;
    std::size_t name = at + 1;
    while (name < text.size() && !is_ascii_space(text[name]) && text[name] != U'/' && text[name] != U'>')
      ++name;
    if (tag_end(text, name) != text.npos) return true;
  }
  return false;
}

std::size_t markup_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos;) {
    const std::size_t end = markup_end(text, at);
    count += end > 0 ? 1 : 0;
    at = text.find('<', std::max(end, at + 1));
  }
  return count;
}

bool remove_markup(std::string& text) {
  if (text.find('<') == std::string::npos) return false;
  std::string kept;
  std::size_t begin = 0;
  bool changed = false;
  for (std::size_t at = text.find('<'); at != std::string::npos;) {
    const std::size_t end = markup_end(text, at);
    if (end == 0) {
      at = text.find('<', at + 1);
      continue;
    }
    changed = true;
    const std::string_view tag = std::string_view(text).substr(at, end - at);
    kept.append(text, begin, at - begin);
    kept += alternative_text(tag);
    const bool open = !tag.ends_with('>');  // a space after the omitted tag would stay
    const bool space_before = kept.empty() || kept.back() == ' ';
    begin = end;
    if (open && space_before && begin < text.size() && text[begin] == ' ') ++begin;
    if (separates(tag) && !space_before && begin < text.size() && text[begin] != ' ') kept += ' ';
    at = text.find('<', end);
  }
  if (!changed) return false;
  kept.append(text, begin);
  text = std::move(kept);
  return true;
}

std::size_t entity_count(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    count += entity_at(text.substr(at)).size > 0 ? 1 : 0;
  }
  return count;
}

bool decode_entities(std::string& text) {
  constexpr int kMostLevels = 4;
  bool changed = false;
  for (int level = 0; level < kMostLevels && entity_count(text) > 0; ++level) {
    std::string decoded;
    for (std::size_t at = 0; at < text.size();) {
      const Entity entity = text[at] == '&' ? entity_at(std::string_view(text).substr(at)) : Entity();
      if (entity.size == 0) {
        decoded += text[at++];
      } else {
        append_utf8(decoded, entity.character);
        at += entity.size;
      }
    }
    text = std::move(decoded);
    changed = true;
  }
  return changed;
}

}  // namespace gloss
