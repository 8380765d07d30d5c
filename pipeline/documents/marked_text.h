// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/mark.h"
#include "pipeline/examples/token_links.h"

namespace gloss {

/// Text as bytes of a document.
using WriteText = std::function<std::string(std::string_view text)>;

/// A text of a document, for text_with_marks.
struct MarkedSource {
  std::string_view text{};
  std::span<const Mark> marks{};
  std::span<const KeptText> kept{};  ///< pieces that the translation has as they are (restore_kept)
};

/// The translation with its marks and kept pieces, as bytes of the document. `written` gives the bytes of a
/// piece of text. White space beside a mark stays on the side on which it is in the text.
std::string text_with_marks(const MarkedSource& source, std::string target, std::span<const TokenLinks> links,
                            const WriteText& written);

}  // namespace gloss
