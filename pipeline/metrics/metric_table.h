// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "pipeline/metrics/metric.h"

namespace gloss {

/// A row of a table of metrics: its name for `--metrics`, and the function that makes it.
template <class... Parts>
struct MetricKind {
  const char* name;
  std::unique_ptr<Metric> (*make)(Parts...);
};

/// The error for an unknown metric; it lists the known ones.
UsageError unknown_metric(const std::string& name, const std::vector<std::string>& known,
                          const std::string& option);

/// The names of a table, in its order.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& kind : table) names.emplace_back(kind.name);
  return names;
}

/// The row of this name; throws UsageError, which names the option, if there is none.
template <class Table>
const auto& kind_named(const Table& table, const std::string& name, const std::string& option = "--metrics") {
  const auto found = std::ranges::find_if(table, [&](const auto& kind) { return kind.name == name; });
  if (found == table.end()) throw unknown_metric(name, names_of(table), option);
  return *found;
}

}  // namespace gloss
