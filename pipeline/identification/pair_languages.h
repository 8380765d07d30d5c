// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "pipeline/identification/language_identifier.h"

namespace gloss {

/// The languages of the sides of a pair, compared with the expected ones. `wrong`: both are in others.
enum class PairLanguages { right, swapped, wrong_source, wrong_target, wrong };

/// Decides for both sides of a pair together whether they are in the languages `source_language` and
/// `target_language`. A side that shows no language, such as a number, counts as right. May be called on
/// several threads at once.
PairLanguages pair_languages(const LanguageIdentifier&, std::string_view source, std::string_view target,
                             const std::string& source_language, const std::string& target_language);

}  // namespace gloss
