// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/foreign_model.h"

#include "base/error.h"
#include "base/shown.h"

namespace gloss {

void expect_all_used(const ForeignModel& model, const std::string& path, const std::string& settings) {
  const std::vector<std::string> unused = model.weights.unused();
  if (unused.empty()) return;
  throw InputError(concat(path, " has the tensor ", shown(unused.front()),
                          unused.size() > 1 ? concat(" and ", unused.size() - 1, " more") : "", " that ",
                          model.description, " does not have; expected only tensors of the network that ",
                          settings, " describe"));
}

}  // namespace gloss
