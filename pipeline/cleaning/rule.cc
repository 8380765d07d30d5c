// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/rule.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"

namespace gloss {

bool has_no_spaces(std::string_view language) {
  static constexpr auto kLanguages =
      std::to_array<std::string_view>({"zh", "ja", "ko", "yue", "bo", "bod", "cmn", "zho", "jpn", "kor"});
  return std::ranges::count(kLanguages, language) > 0;
}

std::string Bounds::text() const {
  std::vector<std::string> parts;
  if (at_least) parts.push_back(concat(">= ", *at_least));
  if (above) parts.push_back(concat("> ", *above));
  if (at_most) parts.push_back(concat("<= ", *at_most));
  if (below) parts.push_back(concat("< ", *below));
  return join(parts, ", ");
}

std::span<const Rule* const> rules() {
  static const std::vector<const Rule*> all = [] {
    std::vector<const Rule*> list;
    for (const std::span<const Rule> table : {length_rules(), character_rules(), noise_rules(),
                                              similarity_rules(), agreement_rules(), language_rules()}) {
      for (const Rule& rule : table) list.push_back(&rule);
    }
    return list;
  }();
  return all;
}

const Rule& rule_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Rule* const rule : rules()) {
    if (rule->name == name) return *rule;
    known.emplace_back(rule->name);
  }
  const std::string meant = nearest(name, known);
  throw UsageError(concat("unknown rule '", name, "'",
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?"),
                          " (docs/cleaning.md lists all)"));
}

}  // namespace gloss
