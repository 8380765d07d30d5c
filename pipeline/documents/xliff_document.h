// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/document_part.h"

namespace gloss {

/// The sources of an XLIFF document (1.x or 2.x) that have no target, or one that is not translated yet, each
/// with what is before its translation. Targets have the segments of their sources and get the state of
/// machine translations; a document of XLIFF 2, or a file in one of XLIFF 1, that names no target language
/// gets `language`, if it is not empty. Throws InputError, which begins with `name`, line and column, if the
/// document is malformed.
std::vector<DocumentPart> xliff_parts(std::string_view document, const std::string& name,
                                      const std::string& language = "");

/// Text as bytes of an XML document.
std::string xml_written(std::string_view text);

}  // namespace gloss
