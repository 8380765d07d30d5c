// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Throws InputError for text, such as a list of pieces, that was given instead of a SentencePiece model.
void expect_model(std::string_view bytes, const std::string& path);

}  // namespace gloss
