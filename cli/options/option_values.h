// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/fields.h"

namespace gloss {

/// Sets a field as `set_field` does. If the value is not one of its names, the UsageError also suggests the
/// one that was meant: in other letters, misspelled, or as another program calls it.
void set_option(const Field&, const std::string& value, const std::string& label);

}  // namespace gloss
