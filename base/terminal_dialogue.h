// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

namespace gloss {

/// Sets what `begin_dialogue` calls; it replaces an earlier function. Null: nothing.
void before_dialogue(std::function<void()> give_way);

/// Called before standard input is read or standard output is written, with its descriptor. If that is a
/// terminal, the first call lets whatever shows progress there give way to the text.
void begin_dialogue(int descriptor);

}  // namespace gloss
