// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/cleaning/pair_text.h"

namespace gloss {

/// The URLs of a text: words with a scheme, "www." or a domain that is followed by a path, without the
/// punctuation after them; no e-mail addresses.
std::vector<TextPart> urls_of(const SideText&);
/// The e-mail addresses of a text.
std::vector<TextPart> mail_addresses_of(const SideText&);
/// The share of the characters that are part of a URL.
double share_of_urls(const SideText&);

}  // namespace gloss
