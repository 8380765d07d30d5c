// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "cli/table/command_description.h"

namespace gloss {

/// True for an option without a value.
bool is_flag(const Field&);
/// True for an option without a value whose field is true at present.
bool is_switched_on(const Field&);
/// True for an option that takes several values.
bool is_list(const Field&);
/// True for a list of numbers, such as weights.
bool is_number_list(const Field&);
/// What a shell may offer as the value of an option.
ValueKind kind_of(const Field&);
/// The option of a field. Its default is the field's present value, if it is to be shown.
OptionDescription describe(const Field&, bool with_default);

}  // namespace gloss
