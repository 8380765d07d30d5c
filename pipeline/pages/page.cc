// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/page.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/pages/web_files.h"

namespace gloss {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// JSON escaped for a script element, so that it cannot end the element or start a comment.
std::string script_json(const nlohmann::json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

/// True for C0 and C1 controls, separators of lines and the two characters that XML forbids.
bool unprintable(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  const auto second = static_cast<unsigned char>(character[1]);
  return (first == 0xC2 && second < 0xA0) || character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF" ||
         character == "\u2028" || character == "\u2029";
}

// Characters that change the direction of text: U+2066 to U+2068 begin an isolated part, U+2069 ends it, and
// with it what U+202A to U+202E began in it.
constexpr std::string_view kIsolate = "\u2068", kEndOfIsolate = "\u2069";
bool isolates(std::string_view character) {
  return character == "\u2066" || character == "\u2067" || character == kIsolate;
}
bool turns(std::string_view character) { return character >= "\u202a" && character <= "\u202e"; }

}  // namespace

std::string printable_text(std::string_view bytes) {
  const std::string text = valid_utf8(bytes);
  std::string out;
  int open = 0;           // isolated parts that have not ended
  bool directed = false;  // there are characters that would turn the text after this one
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = rest.substr(0, character_size(rest));
    directed = directed || turns(character) || isolates(character);
    if (isolates(character)) ++open;
    const bool ends_nothing = character == kEndOfIsolate && --open < 0;
    if (ends_nothing) open = 0;
    out += unprintable(character) || ends_nothing ? kReplacement : character;
    rest.remove_prefix(character.size());
  }
  if (!directed) return out;
  out = concat(kIsolate, out, kEndOfIsolate);
  for (; open > 0; --open) out += kEndOfIsolate;
  return out;
}

std::string markup_text(std::string_view bytes) {
  std::string out;
  for (const char c : printable_text(bytes)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string self_contained_page(const PageParts& parts) {
  // The policy forbids all kinds of loading, so that injected markup could not access the network.
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; "
         "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         markup_text(parts.title) + "</title>\n<style>\n" + kPageStyle + parts.style +
         "</style>\n</head>\n<body>\n" + parts.body + "<script type=\"application/json\" id=\"data\">" +
         script_json(parts.data) + "</script>\n<script>\n" + kPageProgram + parts.program +
         "</script>\n</body>\n</html>\n";
}

}  // namespace gloss
