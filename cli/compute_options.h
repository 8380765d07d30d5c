// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "pipeline/inference/precision.h"

namespace gloss {

/// The option for the number of threads; its default is the number of available processors.
Field threads_field(int& threads);
/// The option for the numeric precision of commands that use a trained model.
Field precision_field(Precision&);

}  // namespace gloss
