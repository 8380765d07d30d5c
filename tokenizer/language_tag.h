// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The tag (BCP 47) of a language that a model calls `code`, such as "de" for "deu_Latn" and "__de__", or
/// "pt-BR" for "pt_BR"; the codes of the most common members of macrolanguages, such as "arb", mean these.
/// Empty if it is none.
std::string language_tag(const std::string& code);

}  // namespace gloss
