#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/listener.h"
#include "tokenizer/text.h"

namespace gloss {

/// The option that chooses a normalisation form.
Field normalization_field(Normalization&);

/// Cleans lines on many threads and remembers where bytes were not UTF-8.
class Cleaning {
 public:
  explicit Cleaning(Normalization normalization) : normalization_(normalization) {}

  /// The line as clean text; `number` counts from 1.
  std::string operator()(std::string_view line, std::int64_t number);
  /// Warns of invalid bytes, if there were any: how many and where the first.
  void report(Listener& listener) const;

 private:
  Normalization normalization_;
  std::mutex guard_;
  std::int64_t replaced_ = 0;
  std::int64_t first_line_ = 0;  // 0: none
};

}  // namespace gloss
