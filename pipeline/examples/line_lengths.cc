// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/line_lengths.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr double kMostExpansion = 1e6;

}  // namespace

Fields fields_of(LineLengths& lengths) {
  constexpr Range kCount{0, 9e15};
  return {
      {"lines", &lengths.lines, "number of lines", kCount},
      {"mean", &lengths.mean, "mean length in tokens", kCount},
      {"percentile_99", &lengths.percentile_99, "length that 99 % of the lines do not exceed", kCount},
      {"percentile_99_9", &lengths.percentile_99_9, "length that 99.9 % of the lines do not exceed", kCount},
      {"longest", &lengths.longest, "length of the longest line", kCount}};
}

void LengthCounts::add(const LengthCounts& others) {
  for (const auto& [length, lines] : others.lines_) lines_[length] += lines;
}

LineLengths LengthCounts::lengths() const {
  LineLengths result;
  std::int64_t tokens = 0;
  for (const auto& [length, lines] : lines_) {
    result.lines += lines;
    tokens += length * lines;
    result.longest = length;
  }
  if (result.lines == 0) return result;
  constexpr double kHundredths = 100;
  result.mean =
      std::round(kHundredths * static_cast<double>(tokens) / static_cast<double>(result.lines)) / kHundredths;
  // In thousandths, since whole numbers have no rounding errors.
  const auto percentile = [&](std::int64_t thousandths) {
    std::int64_t seen = 0;
    for (const auto& [length, lines] : lines_) {
      seen += lines;
      if (seen * 1000 >= thousandths * result.lines) return length;
    }
    return result.longest;
  };
  result.percentile_99 = percentile(990);
  result.percentile_99_9 = percentile(999);
  return result;
}

std::int64_t tenths_of_source(std::int64_t source, std::int64_t target) {
  const std::int64_t beyond = std::max<std::int64_t>(0, target - kAlwaysAllowed),
                     length = std::max<std::int64_t>(1, source);
  return (10 * beyond + length - 1) / length;
}

double expansion_of(const LengthCounts& tenths) {
  return static_cast<double>(tenths.lengths().percentile_99_9) / 10;
}

std::int64_t LearnedLengths::usual() const {
  return before == 0 ? 0 : std::max(before, source.percentile_99_9);
}

nlohmann::json lengths_json(const LearnedLengths& lengths) {
  LearnedLengths copy = lengths;
  nlohmann::json object = nlohmann::json::object();
  if (lengths.source.lines > 0) object["source"] = fields_to_json(fields_of(copy.source));
  if (lengths.target.lines > 0) object["target"] = fields_to_json(fields_of(copy.target));
  if (lengths.before >= 0) object["before"] = lengths.before;
  if (lengths.expansion > 0) object["expansion"] = lengths.expansion;
  return object;
}

LearnedLengths read_lengths(const nlohmann::json& lengths, const std::string& where) {
  if (!lengths.is_object() || (!lengths.contains("source") && !lengths.contains("target"))) {
    throw InputError(where + ": expected an object with the member 'source' or 'target'");
  }
  LearnedLengths result;
  for (const auto& [name, value] : lengths.items()) {
    if (name == "source") {
      fields_from_json(fields_of(result.source), value, concat(where, ".", name));
    } else if (name == "target") {
      fields_from_json(fields_of(result.target), value, concat(where, ".", name));
    } else if (name == "before") {
      if (!value.is_number_integer() || value < 0) {
        throw InputError(concat(where, ".before: expected a number of tokens"));
      }
      result.before = value.get<std::int64_t>();
    } else if (name == "expansion") {
      if (!value.is_number() || value < 0 || value > kMostExpansion) {
        throw InputError(concat(where, ".expansion: expected a number from 0 to ", kMostExpansion));
      }
      result.expansion = value.get<double>();
    } else {
      throw InputError(concat(where, ": unknown member ", shown(name)));
    }
  }
  return result;
}

}  // namespace gloss
