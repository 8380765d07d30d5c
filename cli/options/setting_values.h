// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/fields.h"

namespace gloss {

/// What a value of a settings file has that other formats separate or leave out: several values on one line,
/// or quotes. Empty, or begins with "; ".
std::string settings_advice(const Field&, const std::string& value);

/// Throws UsageError for a value of a settings file that is no file or directory, and would be one in other
/// formats: several names on one line, or one in quotes. `label` is the place and the option.
void expect_single_name(const Field&, const std::string& value, const std::string& label);

}  // namespace gloss
