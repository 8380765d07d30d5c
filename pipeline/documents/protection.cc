// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/protection.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"

namespace gloss {
namespace {

/// The expressions of the patterns with names. They have bounded repetitions: ICU remembers each.
const std::map<std::string, std::string>& named_expressions() {
  static const std::map<std::string, std::string> kNamed{
      {"url", R"re((?i)(?<![\p{L}\p{N}])(?:(?:https?|ftp|file)://|www\.)[^\s<>"]*[\p{L}\p{N}/#=&_~-])re"},
      {"email",
       R"re((?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}+@[\p{L}\p{N}-]{1,63}+(?:\.[\p{L}\p{N}-]{1,63}+){1,9})re"},
      {"number", R"re((?<![\p{L}\p{N}])\p{Nd}{1,99}+(?:[.,:/'’-]\p{Nd}{1,99}+){0,20}+(?![\p{L}\p{N}]))re"},
      {"placeholder",
       R"re(%(?:\d{1,4}\$|\(\w{1,64}\))?[-+#0]{0,4}\d{0,4}(?:\.\d{1,4})?)re"
       R"re((?:hh|h|ll|l|L|z|j|t)?[diouxXeEfFgGcsSpn@](?!\p{L})|\$?\{\{?[^{}\s]{1,100}\}?\})re"}};
  return kNamed;
}

/// The expression of a pattern. Throws UsageError for what matches nothing, or for what is nearly a name.
std::string expression_of(const std::string& pattern) {
  const std::map<std::string, std::string>& all = named_expressions();
  const auto named = all.find(pattern);
  if (named != all.end()) return named->second;
  if (pattern.empty())
    throw UsageError("--protect: found no pattern; expected a name or a regular expression");
  const std::vector<std::string> names = Protection::names();
  const std::vector<std::string> words = split(pattern, ',');
  if (words.size() > 1 && std::ranges::all_of(words, [&](const auto& word) { return all.contains(word); })) {
    throw UsageError(concat("--protect: found '", pattern,
                            "'; expected these as words of their own: --protect ", join(words, " ")));
  }
  if (const std::string meant = nearest(lower_case(pattern), names); !meant.empty()) {
    throw UsageError(concat("--protect: found ", shown(pattern), "; did you mean '", meant, "'? Write (",
                            pattern, ") for this word itself"));
  }
  return pattern;
}

}  // namespace

std::vector<std::string> Protection::names() {
  std::vector<std::string> names;
  for (const auto& [name, expression] : named_expressions()) names.push_back(name);
  return names;
}

Protection::Protection(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    const std::string expression = expression_of(pattern);
    try {
      patterns_.emplace_back(expression);
    } catch (const UsageError& error) {
      throw UsageError(concat("--protect: ", error.what()));
    }
  }
}

std::vector<KeptText> Protection::find_or_report(std::string_view text, std::string& problem,
                                                 std::vector<KeptText> known) const {
  try {
    return find(text, std::move(known));
  } catch (const Error& error) {
    if (problem.empty()) problem = error.what();
    return {};
  }
}

std::vector<ByteRange> Protection::matches(const Pattern& pattern, std::string_view text) {
  try {
    return pattern.matches(text);
  } catch (const Error& error) {
    throw Error(concat("--protect: ", error.what()));
  }
}

std::vector<KeptText> Protection::find(std::string_view text, std::vector<KeptText> known) const {
  if (patterns_.empty() || !is_valid_utf8(text)) return known;
  std::vector<KeptText> all = std::move(known);
  for (const Pattern& pattern : patterns_) {
    for (const ByteRange& place : matches(pattern, text)) all.push_back({place, {}});
  }
  // Those that document formats keep have bytes of their own.
  const auto rank = [](const KeptText& piece) {
    return std::tuple(piece.place.begin, !piece.bytes.has_value(), ~piece.place.end);
  };
  std::ranges::stable_sort(all, {}, rank);
  std::vector<KeptText> kept;
  for (KeptText& piece : all) {
    const bool overlaps = !kept.empty() && piece.place.begin < kept.back().place.end;
    if (overlaps && !(piece.bytes && !kept.back().bytes)) continue;
    if (overlaps) kept.pop_back();
    kept.push_back(std::move(piece));
  }
  return kept;
}

Field protect_field(std::vector<std::string>& patterns) {
  return {"protect",
          &patterns,
          "keep what matches as it is: url, email, number, placeholder, or a regular expression",
          {},
          0,
          "PATTERN"};
}

}  // namespace gloss
