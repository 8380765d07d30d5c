// SPDX-License-Identifier: Apache-2.0
// HTML and XLIFF: the parts of a page, joined, are the page; texts with other words and the same marks have
// each mark once, and an XLIFF document with them is well-formed.
#include "base/text.h"
#include "pipeline/documents/html_document.h"
#include "pipeline/documents/marked_text.h"
#include "pipeline/documents/protection.h"
#include "pipeline/documents/xliff_document.h"
#include "pipeline/documents/xml_parser.h"
#include "tests/fuzz/input_file.h"
#include "tests/support/scattered_links.h"

namespace gloss {
namespace {

/// A translation of a few words, some of which are copies of what is kept, each linked with a source word
/// that depends on the text.
std::string translated(const DocumentPart& part, const WriteText& written) {
  static const Protection protection({"placeholder", "number"});
  const std::string target = "one 12 %s <two> 12 & 12 three {x}";
  const TokenLinks links = scattered_links(part.text, target);
  const std::vector<KeptText> kept = protection.find(part.text, part.kept);
  const std::string result =
      text_with_marks({part.text, part.marks, kept}, target, std::span(&links, 1), written);
  std::size_t marks = 0, most = written(target).size();
  for (const Mark& mark : part.marks) {
    marks += mark.bytes.size();
    most += mark.bytes.size() + 1;  // with a space
  }
  for (const KeptText& piece : kept) {
    most += (piece.bytes ? piece.bytes->size() : written(piece.place.of(part.text)).size()) + 2;
  }
  expects(result.size() >= marks, "marks of ", marks, " bytes in ", result.size());
  expects(result.size() <= most, "of ", most, " bytes at most, ", result.size(), " are '", result, "'");
  for (const Mark& mark : part.marks) {
    expects(result.find(mark.bytes) != std::string::npos, "'", mark.bytes, "' is lost in '", result, "'");
  }
  return outside_section(result, part.section);
}

void read_page(std::string_view page) {
  std::string joined;
  for (const DocumentPart& part : html_parts(page, "page")) {
    joined += part.before + part.source;
    if (!part.source.empty()) translated(part, html_written);
    for (const AttributeText& attribute : part.attributes) {
      const std::string_view bytes = part.marks.at(attribute.mark).bytes;
      expects(attribute.in_mark.of(bytes) == attribute.in_source.of(part.source), "another attribute in '",
              bytes, "'");
    }
  }
  expects(joined == page, "a page of ", page.size(), " bytes became one of ", joined.size());
}

void read_xliff(std::string_view document) {
  std::string result;
  for (const DocumentPart& part : xliff_parts(document, "document", "de")) {
    result += part.before;
    if (!part.source.empty()) result += translated(part, xml_written);
  }
  try {
    xml_pieces(result, "result");
  } catch (const InputError& error) {
    expects(false, error.what(), " in '", result, "'");
  }
}

}  // namespace
}  // namespace gloss

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  read_untrusted([&] {
    const std::string_view bytes = as_text(data, size);
    if (bytes.starts_with("<?xml") || bytes.starts_with("<xliff")) {
      read_xliff(bytes);
    } else {
      read_page(bytes);
    }
  });
  return 0;
}
