// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The code that a language has in answers: of ISO 639-1 if there is one, without script and region, so `de`
/// for `deu_Latn` and `de_DE`. Norwegian Bokmål is `no`, Filipino `tl`. Empty if `code` means no language.
std::string plain_language(const std::string& code);
/// True if both codes mean one language.
bool same_language(const std::string& one, const std::string& other);

}  // namespace gloss
