// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/metric_table.h"

#include "base/shown.h"
#include "base/text.h"

namespace gloss {

UsageError unknown_metric(const std::string& name, const std::vector<std::string>& known,
                          const std::string& option) {
  const std::string meant = nearest(name, known);
  return UsageError(concat(option, ": unknown metric ", shown(name), "; expected one of ", join(known, ", "),
                           meant.empty() ? "" : concat("; did you mean '", meant, "'?")));
}

}  // namespace gloss
