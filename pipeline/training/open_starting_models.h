// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "base/fields.h"
#include "pipeline/training/starting_models.h"

namespace gloss {

/// Opens the starting models of a training and copies their network and text normalisation to its settings.
/// The user may choose only those network settings that affect nothing but training, and the number of layers
/// of a side that no model provides. Throws UsageError if the models cannot form a network of this form, or
/// if another setting that was `given` contradicts them.
std::shared_ptr<const StartingModels> open_starting_models(const StartSettings&, Form, NetworkSettings&,
                                                           TokenizerSettings&, const Given& given, Listener&);

}  // namespace gloss
