// SPDX-License-Identifier: Apache-2.0

#include "cli/options/plain_name.h"

#include "base/fields.h"
#include "base/letter_case.h"

namespace gloss {

std::string plain_name(const std::string& typed) {
  std::string name = option_name(lower_case(typed));
  name.erase(0, name.find_first_not_of('-'));
  return name;
}

}  // namespace gloss
