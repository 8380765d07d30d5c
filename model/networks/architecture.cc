// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"

namespace gloss {
namespace {

std::vector<Architecture>& table() {
  static std::vector<Architecture> rows{transformer_architecture(), recurrent_architecture(),
                                        convolutional_architecture(), memory_architecture(),
                                        turing_architecture()};
  return rows;
}

}  // namespace

std::span<const Architecture> architectures() { return table(); }

const Architecture& architecture_of(const NetworkSettings& settings) {
  const auto found = std::ranges::find(table(), settings.architecture, &Architecture::name);
  if (found != table().end()) return *found;
  throw UsageError(concat("unknown architecture '", settings.architecture, "'"));
}

void add_architecture(Architecture row) { table().push_back(std::move(row)); }

}  // namespace gloss
