// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/fields.h"

namespace gloss {

/// Tokens that a translation may have whatever the length of its source.
constexpr int kAlwaysAllowed = 10;

/// The lengths of the lines of a text in tokens, without end tokens and those of languages.
struct LineLengths {
  std::int64_t lines = 0;
  double mean = 0;                   ///< rounded to hundredths
  std::int64_t percentile_99 = 0;    ///< 99 % of the lines are not longer
  std::int64_t percentile_99_9 = 0;  ///< 99.9 % of the lines are not longer
  std::int64_t longest = 0;
};
Fields fields_of(LineLengths&);

/// How many lines have each length. Its memory grows with the number of different lengths only.
class LengthCounts {
 public:
  void add(std::int64_t tokens) { ++lines_[tokens]; }
  void add(const LengthCounts& others);
  LineLengths lengths() const;

 private:
  std::map<std::int64_t, std::int64_t> lines_;  // by length
};

/// The tenths of a source's length that a target has beyond kAlwaysAllowed tokens.
std::int64_t tenths_of_source(std::int64_t source, std::int64_t target);

/// The expansion of LearnedLengths, from the tenths of all pairs.
double expansion_of(const LengthCounts& tenths);

/// The member `lengths` of config.json: the lengths of the lines that a model learned from.
struct LearnedLengths {
  /// Of the model's own training; a classifier has no target, and items are no lines of a source.
  LineLengths source{}, target{};
  /// The usual length of a source line in the starting models of a fine-tuned model; 0: unknown; negative:
  /// the model has none that counts.
  std::int64_t before = -1;
  /// The times by which targets are longer than their sources, without kAlwaysAllowed tokens: 99.9 % of the
  /// pairs have no more. 0: unknown.
  double expansion = 0;

  bool known() const { return source.lines > 0 || target.lines > 0; }
  /// The usual length of a source line: 99.9 % of those that the model or its starting model learned from are
  /// not longer. The longest line is often a single one that does not belong there. 0: unknown.
  std::int64_t usual() const;
};
nlohmann::json lengths_json(const LearnedLengths&);
/// Throws InputError that begins with `where` if the object is damaged.
LearnedLengths read_lengths(const nlohmann::json& lengths, const std::string& where);

}  // namespace gloss
