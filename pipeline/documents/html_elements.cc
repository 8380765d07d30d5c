// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_elements.h"

#include <set>
#include <utility>

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
      "applet",    "audio", "canvas", "embed",    "iframe",   "listing", "noembed", "object",
      "plaintext", "pre",   "style",  "template", "textarea", "video",   "xmp"};
  if (kBlocks.contains(name)) return HtmlElement::block;
  if (kKept.contains(name)) return HtmlElement::kept;
  if (kKeptBlocks.contains(name)) return HtmlElement::kept_block;
  return HtmlElement::in_line;
}

bool is_visible_attribute(std::string_view element, std::string_view attribute, std::string_view kind) {
  static const std::set<std::string_view> kAnywhere{"aria-description", "aria-label",
                                                    "aria-placeholder", "aria-roledescription",
                                                    "aria-valuetext",   "title"};
  static const std::set<std::pair<std::string_view, std::string_view>> kOfElements{
      {"area", "alt"},          {"img", "alt"},        {"input", "alt"},
      {"input", "placeholder"}, {"optgroup", "label"}, {"option", "label"},
      {"th", "abbr"},           {"track", "label"},    {"textarea", "placeholder"}};
  static const std::set<std::string_view> kMeta{"description",  "og:description",      "og:image:alt",
                                                "og:title",     "twitter:description", "twitter:image:alt",
                                                "twitter:title"};
  if (element == "meta") return attribute == "content" && kMeta.contains(kind);
  // The value of a submit button is sent to the server.
  if (element == "input" && attribute == "value") return kind == "button" || kind == "reset";
  // The title of a style sheet is its name.
  if (kAnywhere.contains(attribute)) return element != "link" && element != "style";
  return kOfElements.contains({element, attribute});
}

bool is_void_element(std::string_view name) {
  static const std::set<std::string_view> kVoid{"area",  "base",  "basefont", "bgsound", "br",    "col",
                                                "embed", "frame", "hr",       "img",     "input", "keygen",
                                                "link",  "meta",  "param",    "source",  "track", "wbr"};
  return kVoid.contains(name);
}

}  // namespace gloss
