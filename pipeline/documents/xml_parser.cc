// SPDX-License-Identifier: Apache-2.0
// The only file that knows libxml2.
#include "pipeline/documents/xml_parser.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/documents/text_place.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestXml = 1 << 30;  // bytes; libxml2 counts in 31 bits

std::string text_of(const xmlChar* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

/// Collects the pieces of a document from the calls of the parser.
class PieceCollector {
 public:
  PieceCollector(std::string_view document, xmlParserCtxtPtr parser) : document_(document), parser_(parser) {}

  void start(const xmlChar* name, int count, const xmlChar** attributes) {
    const std::size_t at = position();  // at the '>' or "/>"
    const std::size_t end = std::min(document_.find('>', at), document_.size() - 1) + 1;
    end_text(document_.rfind('<', at));
    XmlPiece piece{XmlKind::start, {text_begin_, end}, text_of(name), {}, "", false};
    constexpr int kFields = 5;  // local name, prefix, namespace, begin and end of the value
    for (int i = 0; i < count; ++i) {
      const xmlChar** const fields = attributes + std::ptrdiff_t{i} * kFields;
      const std::string_view value(reinterpret_cast<const char*>(fields[3]),
                                   static_cast<std::size_t>(fields[4] - fields[3]));
      const std::string prefix = text_of(fields[1]) == "xml" ? "xml:" : "";
      piece.attributes.emplace_back(prefix + text_of(fields[0]), value);
    }
    const std::string space = piece.attribute("xml:space");
    const bool names_it = space == "preserve" || space == "default";
    keep_space_.push_back(names_it ? space == "preserve" : keeps_space());
    add(std::move(piece));
  }
  void end(const xmlChar* name) {
    const std::size_t end = position();
    const bool is_empty = end <= text_begin_;  // the tag before was that of this element
    const std::size_t begin = is_empty ? text_begin_ : document_.rfind('<', end - 1);
    end_text(begin);
    keep_space_.pop_back();
    add({XmlKind::end, {begin, std::max(begin, end)}, text_of(name), {}, "", false});
  }
  void text(const xmlChar* characters, int size) {
    text_.append(reinterpret_cast<const char*>(characters), static_cast<std::size_t>(size));
  }
  void other(std::string_view mark) {
    const std::size_t end = position(), begin = document_.rfind(mark, end - 1);
    end_text(begin);
    add({XmlKind::other, {begin, end}, "", {}, "", false});
  }
  void fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
    xmlStopParser(parser_);
  }
  /// Runs a step whose exceptions must not pass through the parser.
  template <class Step>
  void run(const Step& step) {
    if (thrown_ != nullptr || !failure_.empty()) return;
    try {
      step();
    } catch (...) {
      thrown_ = std::current_exception();
      xmlStopParser(parser_);
    }
  }

  std::vector<XmlPiece> finish(const std::string& name) {
    if (thrown_ != nullptr) std::rethrow_exception(thrown_);
    const auto* const error = xmlCtxtGetLastError(parser_);
    if (!failure_.empty()) {
      throw InputError(concat(name, ":", xmlSAX2GetLineNumber(parser_), ":", xmlSAX2GetColumnNumber(parser_),
                              ": ", failure_));
    }
    if (parser_->wellFormed == 0) {
      std::string message = error == nullptr || error->message == nullptr ? "unknown error" : error->message;
      message.resize(message.find_last_not_of(" \n") + 1);
      const int line = error == nullptr ? 1 : error->line, column = error == nullptr ? 1 : error->int2;
      throw InputError(
          concat(name, ":", line, ":", column, ": found XML that is not well-formed: ", message));
    }
    return std::move(pieces_);
  }

 private:
  std::size_t position() const {
    return std::min(static_cast<std::size_t>(std::max(0L, xmlByteConsumed(parser_))), document_.size());
  }
  /// The text since the last piece ends at this byte.
  void end_text(std::size_t end) {
    if (!pieces_.empty() && end > text_begin_) {
      pieces_.push_back({XmlKind::text, {text_begin_, end}, "", {}, std::move(text_), keeps_space()});
    }
    text_.clear();
    text_begin_ = end;
  }
  bool keeps_space() const { return !keep_space_.empty() && keep_space_.back(); }
  void add(XmlPiece piece) {
    text_begin_ = piece.bytes.end;
    if (!pieces_.empty() || piece.kind == XmlKind::start) pieces_.push_back(std::move(piece));
  }

  std::string_view document_;
  xmlParserCtxtPtr parser_;
  std::vector<XmlPiece> pieces_;
  std::vector<bool> keep_space_;  // of the open elements: whether xml:space="preserve" applies to their text
  std::string text_;
  std::size_t text_begin_ = 0;
  std::string failure_;
  std::exception_ptr thrown_;
};

PieceCollector& collector_of(void* context) {
  return *static_cast<PieceCollector*>(static_cast<xmlParserCtxtPtr>(context)->_private);
}

void on_start(void* context, const xmlChar* name, const xmlChar*, const xmlChar*, int, const xmlChar**,
              int count, int, const xmlChar** attributes) {
  collector_of(context).run([&] { collector_of(context).start(name, count, attributes); });
}
void on_end(void* context, const xmlChar* name, const xmlChar*, const xmlChar*) {
  collector_of(context).run([&] { collector_of(context).end(name); });
}
void on_text(void* context, const xmlChar* text, int size) {
  collector_of(context).run([&] { collector_of(context).text(text, size); });
}
void on_comment(void* context, const xmlChar*) {
  collector_of(context).run([&] { collector_of(context).other("<!--"); });
}
void on_instruction(void* context, const xmlChar*, const xmlChar*) {
  collector_of(context).run([&] { collector_of(context).other("<?"); });
}
void on_document_type(void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
  collector_of(context).run([&] {
    collector_of(context).fail("found a document type (<!DOCTYPE>), which is not read; remove it");
  });
}

xmlSAXHandler handler() {
  xmlSAXHandler made{};
  made.initialized = XML_SAX2_MAGIC;
  made.startElementNs = on_start;
  made.endElementNs = on_end;
  made.characters = made.ignorableWhitespace = made.cdataBlock = on_text;
  made.comment = on_comment;
  made.processingInstruction = on_instruction;
  made.internalSubset = on_document_type;
  return made;
}

/// Throws InputError if the declaration of the document names another encoding than UTF-8.
void expect_utf8(std::string_view document, const std::string& name) {
  const std::string_view start = document.substr(0, std::min(document.find("?>"), document.size()));
  const std::size_t at = start.find("encoding");
  if (document.find("<?xml") > 3 || at == std::string_view::npos) return;  // a byte order mark has 3 bytes
  const std::size_t begin = start.find_first_of("\"'", at);
  if (begin == std::string_view::npos) return;
  const std::string_view encoding =
      start.substr(begin + 1, start.find_first_of("\"'", begin + 1) - begin - 1);
  if (encoding.size() == 5 && xmlStrcasecmp(BAD_CAST std::string(encoding).c_str(), BAD_CAST "utf-8") == 0)
    return;
  throw InputError(concat(text_place(name, document, begin + 1), ": the document declares the encoding ",
                          shown(encoding),
                          ", expected UTF-8; convert it with 'iconv -t UTF-8' and change its first line"));
}

}  // namespace

std::string XmlPiece::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find(attributes, attribute_name,
                                       [](const auto& each) { return std::string_view(each.first); });
  return found == attributes.end() ? "" : found->second;
}

std::vector<XmlPiece> xml_pieces(std::string_view document, const std::string& name) {
  if (document.empty()) throw InputError(concat(name, ":1:1: found an empty file, expected XML"));
  if (document.size() > kLongestXml) {
    throw InputError(concat(name, ": found ", document.size(), " bytes, expected at most ", kLongestXml,
                            "; divide the file"));
  }
  expect_utf8(document, name);
  const std::unique_ptr<xmlParserCtxt, decltype(&xmlFreeParserCtxt)> parser(
      xmlCreateMemoryParserCtxt(document.data(), static_cast<int>(document.size())), &xmlFreeParserCtxt);
  if (parser == nullptr) throw std::bad_alloc();
  PieceCollector collector(document, parser.get());
  parser->_private = &collector;
  *parser->sax = handler();
  xmlCtxtUseOptions(parser.get(), XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlParseDocument(parser.get());
  return collector.finish(name);
}

std::size_t end_of_element(std::span<const XmlPiece> pieces, std::size_t start) {
  std::size_t depth = 0, i = start;
  for (;; ++i) {
    if (pieces[i].kind == XmlKind::start) ++depth;
    if (pieces[i].kind == XmlKind::end && --depth == 0) return i;
  }
}

std::string libxml2_version() { return LIBXML_DOTTED_VERSION; }

}  // namespace gloss
