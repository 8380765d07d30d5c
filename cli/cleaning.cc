#include "cli/cleaning.h"

#include "base/text.h"

namespace gloss {

Field normalization_field(Normalization& normalization) {
  return {"normalization", normalization_choice(normalization), "Unicode normalisation of the text"};
}

std::string Cleaning::operator()(std::string_view line, std::int64_t number) {
  CleanText clean = clean_text(line, normalization_);
  if (clean.replaced > 0) {
    const std::lock_guard lock(guard_);
    replaced_ += clean.replaced;
    if (first_line_ == 0 || number < first_line_) first_line_ = number;
  }
  return std::move(clean.text);
}

void Cleaning::report(Listener& listener) const {
  if (replaced_ == 0) return;
  listener.warn(concat("the text is not all UTF-8: ", replaced_,
                       " invalid byte sequences became U+FFFD, the first in line ", first_line_));
}

}  // namespace gloss
