// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_elements.h"

#include <set>

namespace gloss {

HtmlElement html_element(std::string_view name) {
  static const std::set<std::string_view> kBlocks{
      "address",  "article", "aside",    "base",       "blockquote", "body",   "button",   "caption",
      "center",   "col",     "colgroup", "dd",         "details",    "dialog", "dir",      "div",
      "dl",       "dt",      "fieldset", "figcaption", "figure",     "footer", "form",     "frame",
      "frameset", "h1",      "h2",       "h3",         "h4",         "h5",     "h6",       "head",
      "header",   "hgroup",  "hr",       "html",       "legend",     "li",     "link",     "main",
      "menu",     "meta",    "nav",      "noframes",   "noscript",   "ol",     "optgroup", "option",
      "p",        "param",   "search",   "section",    "select",     "slot",   "summary",  "table",
      "tbody",    "td",      "tfoot",    "th",         "thead",      "title",  "tr",       "ul"};
  static const std::set<std::string_view> kKept{"code", "kbd", "math", "samp", "script", "svg", "var"};
  static const std::set<std::string_view> kKeptBlocks{
      "applet",  "audio",     "canvas", "embed", "iframe",   "listing",  "noembed", "object",
      "picture", "plaintext", "pre",    "style", "template", "textarea", "video",   "xmp"};
  if (kBlocks.contains(name)) return HtmlElement::block;
  if (kKept.contains(name)) return HtmlElement::kept;
  if (kKeptBlocks.contains(name)) return HtmlElement::kept_block;
  return HtmlElement::in_line;
}

bool is_void_element(std::string_view name) {
  static const std::set<std::string_view> kVoid{"area",  "base",  "basefont", "bgsound", "br",    "col",
                                                "embed", "frame", "hr",       "img",     "input", "keygen",
                                                "link",  "meta",  "param",    "source",  "track", "wbr"};
  return kVoid.contains(name);
}

}  // namespace gloss
