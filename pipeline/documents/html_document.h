// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/document_part.h"

namespace gloss {

/// The texts of an HTML page, each with what is before it. Elements of a line of text are marks; all others,
/// and the ends of the page, end a text. Values of attributes that readers see are texts, too: those of marks
/// belong to the text of the marks. `language`: for the attribute "lang" of the page; empty: it stays. Throws
/// InputError, which begins with `name`, if the page is not UTF-8.
std::vector<DocumentPart> html_parts(std::string_view page, const std::string& name,
                                     const std::string& language = "");

/// Text as bytes of an HTML page.
std::string html_written(std::string_view text);

}  // namespace gloss
