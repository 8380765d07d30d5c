// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace gloss {

std::string system_message() { return std::generic_category().message(errno); }

}  // namespace gloss
