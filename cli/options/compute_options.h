// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/text_models/precision.h"

namespace gloss {

/// The option for the number of threads; its default is the number of available processors.
Field threads_field(int& threads);
/// Lowers the number of threads to what can be started, with a warning.
void fit_threads(int& threads, Listener&);
/// The option for the numeric precision of commands that use a trained model.
Field precision_field(Precision&);

}  // namespace gloss
