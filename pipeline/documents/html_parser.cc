// SPDX-License-Identifier: Apache-2.0
// The only file that knows gumbo.
#include "pipeline/documents/html_parser.h"

#include <gumbo.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "pipeline/documents/html_elements.h"
#include "pipeline/documents/html_nesting.h"

namespace gloss {
namespace {

class Parse {
 public:
  Parse(std::string_view text, GumboTag context) {
    options_.max_errors = 0;
    options_.fragment_context = context;
    output_ = gumbo_parse_with_options(&options_, text.data(), text.size());
  }
  ~Parse() { gumbo_destroy_output(&options_, output_); }
  Parse(const Parse&) = delete;
  Parse& operator=(const Parse&) = delete;

  const GumboNode* document() const { return output_->document; }
  const GumboNode* root() const { return output_->root; }

 private:
  GumboOptions options_ = kGumboDefaultOptions;
  GumboOutput* output_ = nullptr;
};

const GumboVector* children_of(const GumboNode& node) {
  switch (node.type) {
    case GUMBO_NODE_DOCUMENT:
      return &node.v.document.children;
    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
      return &node.v.element.children;
    default:
      return nullptr;
  }
}

bool is_element(const GumboNode& node) {
  return node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE;
}

bool is_text(const GumboNode& node) {
  return node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE;
}

std::string name_of(const GumboElement& element) {
  if (element.tag != GUMBO_TAG_UNKNOWN) return gumbo_normalized_tagname(element.tag);
  GumboStringPiece name = element.original_tag;
  gumbo_tag_from_original_text(&name);
  return name.data == nullptr ? "" : lower_ascii({name.data, name.length});
}

/// The value of an attribute in lower case; "" if there is none.
std::string value_of(const GumboElement& element, const char* name) {
  const GumboAttribute* const attribute = gumbo_get_attribute(&element.attributes, name);
  return attribute == nullptr ? "" : lower_ascii(attribute->value);
}

bool forbids_translation(const GumboElement& element) {
  if (value_of(element, "translate") == "no") return true;
  const std::vector<std::string> names = split(value_of(element, "class"), ' ');
  return std::ranges::find(names, "notranslate") != names.end();
}

/// Collects the tags and other markup of a document, and where its text is.
class Collector {
 public:
  explicit Collector(std::string_view document) : document_(document) {}

  void collect(const GumboNode* root) {
    struct Visit {
      const GumboNode* node;
      unsigned next;
    };
    std::vector<Visit> path;  // not the stack of the program: documents may be deep
    enter(*root);
    path.push_back({root, 0});
    while (!path.empty()) {
      Visit& now = path.back();
      const GumboVector* const children = children_of(*now.node);
      if (children == nullptr || now.next == children->length) {
        leave(*now.node);
        path.pop_back();
        continue;
      }
      const auto* const child = static_cast<const GumboNode*>(children->data[now.next++]);
      enter(*child);
      path.push_back({child, 0});
    }
  }

  HtmlTree tree;

 private:
  struct Kept {
    const GumboNode* node;
    ByteRange bytes;
    bool in_line;
    std::vector<HtmlAttribute> attributes;
    std::string content{};
  };

  ByteRange range_of(const GumboStringPiece& piece) const {
    if (piece.data == nullptr || piece.length == 0) return {};
    const auto begin = static_cast<std::size_t>(piece.data - document_.data());
    return {begin, std::min(begin + piece.length, document_.size())};
  }
  /// The attributes of an element that are translated, in their order, and the language of a page.
  std::vector<HtmlAttribute> attributes_of(const GumboElement& element, const std::string& name) const;
  void enter(const GumboNode& node);
  void leave(const GumboNode& node);
  void add(HtmlPiece piece) {
    if (piece.bytes.size() == 0) return;
    if (!kept_.empty()) {
      kept_.back().bytes.end = std::max(kept_.back().bytes.end, piece.bytes.end);
    } else if (piece.kind == HtmlKind::text) {
      tree.texts.push_back(piece.bytes);
    } else {
      tree.markup.push_back(std::move(piece));
    }
  }
  /// The end tag of an element; empty if another tag or the end of the document closed it.
  ByteRange end_tag(const GumboElement& element, std::string_view name) const {
    const ByteRange range = range_of(element.original_end_tag);
    const std::string_view tag = range.of(document_);
    return tag.starts_with("</") && lower_ascii(tag.substr(2, name.size())) == name ? range : ByteRange{};
  }

  std::string_view document_;
  std::vector<Kept> kept_;  // elements around the node whose content is not translated
};

std::vector<HtmlAttribute> Collector::attributes_of(const GumboElement& element,
                                                    const std::string& name) const {
  std::vector<HtmlAttribute> found;
  const ByteRange tag = range_of(element.original_tag);
  const std::string kind = name == "input"                     ? value_of(element, "type")
                           : value_of(element, "name").empty() ? value_of(element, "property")
                                                               : value_of(element, "name");
  for (unsigned i = 0; i < element.attributes.length; ++i) {
    const auto& attribute = *static_cast<const GumboAttribute*>(element.attributes.data[i]);
    const std::string_view attribute_name = attribute.name;
    const bool is_language = name == "html" && (attribute_name == "lang" || attribute_name == "xml:lang");
    const ByteRange value = range_of(attribute.original_value);
    // A second <html> tag gives its attributes to the first.
    if (value.size() == 0 || value.begin < tag.begin || value.end > tag.end) continue;
    if (is_language || is_visible_attribute(name, attribute_name, kind))
      found.push_back({value, attribute.value, is_language});
  }
  std::ranges::sort(found, {}, [](const HtmlAttribute& each) { return each.bytes.begin; });
  return found;
}

void Collector::enter(const GumboNode& node) {
  if (is_text(node)) {
    if (!kept_.empty() && kept_.back().in_line) kept_.back().content += node.v.text.text;
    add({HtmlKind::text, range_of(node.v.text.original_text), "", true, false, false, {}, {}});
  } else if (is_element(node)) {
    const GumboElement& element = node.v.element;
    const ByteRange tag = range_of(element.original_tag);
    const std::string name = name_of(element);
    const HtmlElement kind = html_element(name);
    const bool kept = kind == HtmlElement::kept || kind == HtmlElement::kept_block;
    const bool in_line = kind == HtmlElement::in_line || kind == HtmlElement::kept;
    const bool forbidden = forbids_translation(element);
    std::vector<HtmlAttribute> attributes;
    if (kept_.empty() && !forbidden) attributes = attributes_of(element, name);
    if (kept || forbidden) {
      kept_.push_back({&node, tag, in_line, std::move(attributes), {}});
    } else {
      add({HtmlKind::start,
           tag,
           name,
           in_line,
           name == "br",
           is_void_element(name),
           {},
           std::move(attributes)});
    }
  } else if (node.type != GUMBO_NODE_DOCUMENT) {
    add({HtmlKind::other, range_of(node.v.text.original_text), "", true, false, false, {}, {}});
  }
}

void Collector::leave(const GumboNode& node) {
  if (!is_element(node)) return;
  const std::string name = name_of(node.v.element);
  const HtmlElement kind = html_element(name);
  add({HtmlKind::end,
       end_tag(node.v.element, name),
       name,
       kind == HtmlElement::in_line || kind == HtmlElement::kept,
       false,
       false,
       {},
       {}});
  if (kept_.empty() || kept_.back().node != &node) return;
  Kept kept = std::move(kept_.back());
  kept_.pop_back();
  add({HtmlKind::other, kept.bytes, name, kept.in_line, false, false, std::move(kept.content),
       std::move(kept.attributes)});
}

}  // namespace

HtmlTree parse_html(std::string_view document) {
  const Parse parse(document, GUMBO_TAG_LAST);
  Collector found(document);
  found.collect(parse.document());
  return std::move(found.tree);
}

std::string html_text(std::string_view piece) {
  if (piece.find('&') == std::string_view::npos) return std::string(piece);
  const Parse parse(piece, GUMBO_TAG_DIV);
  std::string text;
  const GumboVector& children = parse.root()->v.element.children;
  for (unsigned i = 0; i < children.length; ++i) {
    const auto* const child = static_cast<const GumboNode*>(children.data[i]);
    if (is_text(*child)) text += child->v.text.text;
  }
  return text;
}

std::string gumbo_version() { return GLOSS_GUMBO_VERSION; }

}  // namespace gloss
