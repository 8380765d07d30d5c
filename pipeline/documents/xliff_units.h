// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/documents/xml_parser.h"

namespace gloss {

/// An element among the pieces of a document: the numbers of its start and end tag.
struct XmlElement {
  std::size_t start = 0, end = 0;
};

/// A source to translate, and its target.
struct XliffUnit {
  XmlElement source{};  ///< what the target is to be like: in XLIFF 1, a source in segments if there is one
  std::vector<XmlElement> segments{};  ///< of the source; empty: it has none
  std::optional<XmlElement> target{};
  std::size_t last = 0;               ///< the piece after which a new target belongs
  std::size_t start = 0;              ///< the start tag of the unit
  std::optional<std::size_t> file{};  ///< the start tag of its file
};

/// The trans-units (XLIFF 1) or segments (2) of a document to translate: those without translate="no" whose
/// source is not empty and whose target is missing or empty, or has the state "new", "needs-translation" or
/// "initial", unless somebody has approved what is there. `document`, `name`: as in xml_pieces. Throws
/// InputError if the document is no XLIFF.
std::vector<XliffUnit> xliff_units(std::string_view document, std::span<const XmlPiece> pieces,
                                   const std::string& name);

}  // namespace gloss
