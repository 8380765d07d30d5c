// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/lines.h"

namespace gloss {

/// The encoding that a byte order mark at the start of a text names, such as "UTF-16LE"; empty for UTF-8 and
/// without a mark.
std::string encoding_of(std::string_view start);

/// The text of `source`, without its byte order mark, as UTF-8. Errors call it `name`.
std::unique_ptr<ByteStream> transcoded(std::unique_ptr<ByteStream> source, const std::string& encoding,
                                       const std::string& name);

/// The note about a file that was converted.
std::string conversion_note(const std::string& name, std::string_view encoding);

}  // namespace gloss
