// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/translation/translated_line.h"

namespace gloss {

/// All members of the translations of a line as bytes.
std::string packed(const TranslatedLine&);

/// The translations of `line` that these bytes are of; nothing if they are of none. The bytes may come from
/// anywhere: what is returned can be used like a result of Translator::translate.
std::optional<TranslatedLine> unpacked(std::string_view bytes, std::string_view line);

}  // namespace gloss
