// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

#include "cli/options/options.h"

namespace gloss {

/// Runs `work`, which uses settings that came from options. A UsageError that names them as config.json does
/// ("encoder_mixers") gets the names of the options ("--encoder-mixers").
void naming_options(const Options&, const std::function<void()>& work);

}  // namespace gloss
