// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/document_part.h"

namespace gloss {

/// The texts of an HTML page, each with what is before it. Elements of a line of text are marks; all others,
/// and the ends of the page, end a text. Throws InputError, which begins with `name`, if the page is not
/// UTF-8.
std::vector<DocumentPart> html_parts(std::string_view page, const std::string& name);

/// Text as bytes of an HTML page.
std::string html_written(std::string_view text);

}  // namespace gloss
