#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/lines.h"
#include "base/listener.h"
#include "pipeline/translation.h"

namespace gloss {

/// What a run translated.
struct TranslationTotals {
  std::int64_t lines = 0;
  std::int64_t source_tokens = 0;
  std::int64_t target_tokens = 0;  ///< of the best translations
};

/// Takes translated lines in order; `first` is the number of the first of them, counted from 0.
using TranslationSink = std::function<void(std::int64_t first, std::span<const TranslatedLine>)>;

/// Translates a stream in bounded memory: what has arrived (of a big file, some thousand lines) is translated
/// together and handed to `sink` before more is read, so that a slow stream is answered line by line.
/// `listener` hears of every line that had to be cut, by number, and at the end how many lines held invalid
/// UTF-8 and how many translations met the length limit or rules that left nothing.
TranslationTotals translate_stream(const Translator&, LineReader&, const TranslationSink&, Listener&);

}  // namespace gloss
