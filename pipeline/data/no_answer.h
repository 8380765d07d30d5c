// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/error.h"

namespace gloss {

/// A network has no answer to one of the items that it was given; the message says why, but not which item.
class NoAnswer : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace gloss
