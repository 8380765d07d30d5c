#include "pipeline/weight_ranges.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {

/// The names' first part, and their first two, each once.
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

}  // namespace

std::vector<WeightRange> weight_ranges(const Parameters& parameters) {
  std::vector<WeightRange> ranges;
  for (const Parameters::Entry& entry : parameters.entries()) {
    const auto begin = static_cast<std::size_t>(entry.offset);
    if (!ranges.empty()) ranges.back().end = begin;
    ranges.push_back({entry.name, entry.tensor.shape(), begin, 0});
  }
  if (!ranges.empty()) ranges.back().end = static_cast<std::size_t>(parameters.flat_size());
  return ranges;
}

bool is_frozen(const std::string& parameter, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
    return parameter == prefix || parameter.starts_with(prefix + ".");
  });
}

std::vector<WeightRange> without_frozen(const std::vector<WeightRange>& ranges,
                                        const std::vector<std::string>& prefixes) {
  for (const std::string& prefix : prefixes) {
    const auto named = [&](const WeightRange& range) { return is_frozen(range.name, {prefix}); };
    if (std::any_of(ranges.begin(), ranges.end(), named)) continue;
    const std::vector<std::string> known = short_prefixes(ranges);
    const std::string meant = nearest(prefix, known);
    throw UsageError(concat("--freeze ", prefix, ": the network has no parameter of that name or prefix",
                            meant.empty() ? "" : concat(" (did you mean '", meant, "'?)"),
                            "; expected names as in model.safetensors or a prefix such as ",
                            join(known, ", ")));
  }
  std::vector<WeightRange> rest;
  for (const WeightRange& range : ranges) {
    if (!is_frozen(range.name, prefixes)) rest.push_back(range);
  }
  if (rest.empty()) {
    throw UsageError(concat("--freeze ", join(prefixes, " "),
                            " leaves nothing to learn: expected at least one "
                            "parameter that is not frozen"));
  }
  return rest;
}

}  // namespace gloss
