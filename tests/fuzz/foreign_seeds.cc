// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/foreign_seeds.h"

#include "tests/support/foreign_bytes.h"

namespace gloss {

std::vector<ForeignSeed> foreign_seeds() {
  std::vector<ForeignSeed> seeds;
  const std::string array = npy_bytes(npy_header("<f4", "(2, 3)", "True"), std::string(24, 'x'));
  seeds.push_back({"npz", "array", array});
  seeds.push_back({"npz", "archive", zip_bytes({{"a.npy", array}, {"b.npy", array, true}})});
  return seeds;
}

}  // namespace gloss
