// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

namespace gloss {

/// Sets what `announce_typed_input` calls; it replaces an earlier function.
void before_typed_input(std::function<void()> announce);

/// Called before standard input is read. If it is a terminal, the first call announces that the program waits
/// for text, which users may not expect.
void announce_typed_input();

}  // namespace gloss
