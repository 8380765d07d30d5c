// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"

namespace gloss {

/// The name of the program in messages.
inline constexpr const char* kCTranslate2 = "CTranslate2";

/// Throws UsageError, naming the setting, for a network that CTranslate2 does not have.
void expect_ctranslate2_network(const NetworkSettings&);

}  // namespace gloss
