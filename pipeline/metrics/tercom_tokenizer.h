#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// How TER is computed; the defaults are those of Tercom and sacreBLEU.
struct TerSettings {
  bool normalized = false;      ///< undo entities and split off punctuation
  bool no_punct = false;        ///< leave out punctuation
  bool asian_support = false;   ///< with the two above: treat Chinese characters and full-width punctuation
  bool case_sensitive = false;  ///< upper case differs from lower case
};

/// The words of a line as Tercom's normaliser makes them, white space between them; `line` is valid UTF-8.
std::string tercom_words(std::string_view line, const TerSettings&);

}  // namespace gloss
