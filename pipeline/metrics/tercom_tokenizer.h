// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// How TER is computed; the defaults are those of Tercom and sacreBLEU.
struct TerSettings {
  bool normalized = false;      ///< decode entities and split off punctuation
  bool no_punct = false;        ///< remove punctuation
  bool asian_support = false;   ///< with the above: also handle Chinese characters and full-width punctuation
  bool case_sensitive = false;  ///< distinguish upper and lower case
};

/// Normalises a line of valid UTF-8 as Tercom does; words are separated by white space.
std::string tercom_words(std::string_view line, const TerSettings&);

}  // namespace gloss
