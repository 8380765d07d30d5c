// SPDX-License-Identifier: Apache-2.0

#include "model/layers/weight_ranges.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// The first component of all names, and the first two, each once.
std::vector<std::string> short_prefixes(const std::vector<WeightRange>& ranges) {
  std::vector<std::string> prefixes;
  const auto add = [&](const std::string& prefix) {
    if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
  };
  for (const WeightRange& range : ranges) {
    const std::vector<std::string> parts = split(range.name, '.');
    add(parts.front());
    if (parts.size() > 2) add(parts[0] + "." + parts[1]);
  }
  return prefixes;
}

bool means(const std::string& prefix, const std::string& parameter) {
  return parameter == prefix || parameter.starts_with(prefix + ".");
}

/// Throws UsageError if the prefix matches no parameter.
void expect_known(const std::string& prefix, const std::vector<WeightRange>& ranges,
                  const std::string& option, const std::string& verb) {
  const auto meant = [&](const WeightRange& range) { return means(prefix, range.name); };
  if (std::ranges::any_of(ranges, meant)) return;
  const std::vector<std::string> known = short_prefixes(ranges);
  const std::string near = nearest(prefix, known);
  throw UsageError(concat(option, " ", prefix, ": the network ", verb, " no parameter of that name or prefix",
                          near.empty() ? "" : concat(" (did you mean '", near, "'?)"),
                          "; expected names as in model.safetensors or a prefix such as ",
                          join(known, ", ")));
}

constexpr const char* kRates = "--learning-rates";

}  // namespace

std::vector<WeightRange> weight_ranges(const Parameters& parameters) {
  std::vector<WeightRange> ranges;
  for (const Parameters::Entry& entry : parameters.entries()) {
    const auto begin = index(entry.offset);
    if (!ranges.empty()) ranges.back().end = begin;
    ranges.push_back({entry.name, entry.tensor.shape(), begin, 0});
  }
  if (!ranges.empty()) ranges.back().end = index(parameters.flat_size());
  return ranges;
}

bool is_frozen(const std::string& parameter, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return means(prefix, parameter); });
}

std::vector<WeightRange> without_frozen(const std::vector<WeightRange>& ranges,
                                        const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) expect_known(prefix, ranges, "--freeze", "has");
  std::vector<WeightRange> rest;
  for (const WeightRange& range : ranges) {
    if (!is_frozen(range.name, prefixes)) rest.push_back(range);
  }
  if (rest.empty()) {
    throw UsageError(
        concat("--freeze ", join(prefixes, " "), " freezes all parameters; leave at least one to train"));
  }
  return rest;
}

std::map<std::string, double> read_learning_rate_factors(const std::vector<std::string>& factors) {
  constexpr double kSmallest = 1e-6, kLargest = 1e6;
  std::map<std::string, double> of_prefixes;
  for (const std::string& text : factors) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string prefix = text.substr(0, equals);
    double factor = 0;
    if (equals == text.size() || !parse_number(text.substr(equals + 1), factor) || !(factor >= kSmallest) ||
        factor > kLargest) {
      throw UsageError(concat(kRates, ": found '", text, "', expected NAME=FACTOR with a factor from ",
                              kSmallest, " to ", kLargest,
                              ", such as encoder=0.1; use --freeze for parts that must not change"));
    }
    if (!of_prefixes.emplace(prefix, factor).second) {
      throw UsageError(concat(kRates, ": '", prefix, "' is given twice"));
    }
  }
  return of_prefixes;
}

std::vector<double> learning_rate_factors(const std::vector<WeightRange>& ranges,
                                          const std::vector<std::string>& factors) {
  const std::map<std::string, double> of_prefixes = read_learning_rate_factors(factors);
  for (const auto& [prefix, factor] : of_prefixes) expect_known(prefix, ranges, kRates, "learns");
  std::vector<double> found;
  for (const WeightRange& range : ranges) {
    std::size_t longest = 0;
    double factor = 1;
    for (const auto& [prefix, own] : of_prefixes) {
      if (!means(prefix, range.name) || prefix.size() < longest) continue;
      longest = prefix.size();
      factor = own;
    }
    found.push_back(factor);
  }
  return found;
}

}  // namespace gloss
