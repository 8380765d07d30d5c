// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The build of this program, in hexadecimal digits: the sum of its code and data that the linker has written
/// into it. A copy has the same one, on any machine; programs of other code have others.
const std::string& program_identity();

}  // namespace gloss
