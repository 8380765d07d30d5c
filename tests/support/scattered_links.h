// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/documents/marked_text.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {

/// Links each word of a translation with a word of its source that depends on the size of the source.
inline TokenLinks scattered_links(const std::string& source, const std::string& target) {
  TokenLinks links;
  for (const ByteRange& word : unicode_words(source)) links.sources.push_back(word.end);
  for (const ByteRange& word : unicode_words(target)) links.targets.push_back(word.end);
  links.weights.resize(links.sources.size() * links.targets.size());
  for (std::size_t i = 0; i < links.targets.size() && !links.sources.empty(); ++i) {
    links.weights[i * links.sources.size() + source.size() * (i + 1) % links.sources.size()] = 1;
  }
  return links;
}

}  // namespace gloss
