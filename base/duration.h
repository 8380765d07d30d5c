// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// A duration in its two largest units: "45 s", "4 min 30 s", "3 h 5 min", "2 d 7 h".
std::string duration_text(double seconds);

}  // namespace gloss
