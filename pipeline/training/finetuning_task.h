// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/networks/network_settings.h"

namespace gloss {

/// Throws InputError if the model `name` of the form `own` cannot start a training of the form `wanted`; the
/// message names the task for which it can. Any network without a separate source can become a classifier.
void expect_finetuning(const std::string& name, Form own, Form wanted);

}  // namespace gloss
