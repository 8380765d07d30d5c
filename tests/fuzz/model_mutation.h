// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "tests/fuzz/model_files.h"

namespace gloss {

/// Changes bytes as libFuzzer does.
using ChangeBytes = std::function<void(std::string& bytes)>;
/// Changes one thing in the files of a model, so that they stay what they are: a member of a JSON or YAML
/// file, a line of a text, the name, type, shape or a number of an array, a size wherever it occurs; rarely
/// any bytes of a file.
void mutate(ModelFiles&, std::minstd_rand& random, const ChangeBytes&);

}  // namespace gloss
