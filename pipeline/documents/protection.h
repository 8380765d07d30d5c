// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "pipeline/documents/kept_text.h"
#include "tokenizer/pattern.h"

namespace gloss {

/// What translations keep as it is.
class Protection {
 public:
  /// Each is "url", "email", "number", "placeholder" or a regular expression of ICU. Throws UsageError for
  /// expressions that are none.
  explicit Protection(const std::vector<std::string>& patterns);

  /// The patterns that have names.
  static std::vector<std::string> names();

  bool empty() const { return patterns_.empty(); }
  /// The pieces of a text that match, and the `known` ones, from left to right. Of those that overlap, known
  /// ones are preferred, then the first and longest. Throws Error, which names the option and the expression,
  /// if the search takes too many steps.
  std::vector<KeptText> find(std::string_view text, std::vector<KeptText> known = {}) const;
  /// The same; why the pieces of this text cannot be found is added to `problem`, if it is empty.
  std::vector<KeptText> find_or_report(std::string_view text, std::string& problem,
                                       std::vector<KeptText> known = {}) const;

 private:
  static std::vector<ByteRange> matches(const Pattern&, std::string_view text);

  std::vector<Pattern> patterns_;
};

/// The option `--protect`.
Field protect_field(std::vector<std::string>& patterns);

}  // namespace gloss
