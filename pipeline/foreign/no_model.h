// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// The message about a path that is no model of another program and, unless it is to be imported, no model of
/// gloss either: what it is, and what to give instead.
std::string why_no_model(const std::string& path);

}  // namespace gloss
