// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/listener.h"

namespace gloss {

/// Expands the arguments of the average command to model directories: a training directory is replaced by its
/// last `last` checkpoints (0: all); a model directory is used as it is. Throws UsageError if there are no
/// models or a model is named twice, and InputError for other directories.
std::vector<std::string> models_to_average(const std::vector<std::string>& directories, int last);

/// Writes a model whose weights are the means of the models' weights (checkpoint averaging, Vaswani et al.
/// 2017), summed in double in the order of the models. Throws InputError if the models differ in network,
/// tokenizers or text settings or have weights that are not finite, and what OutputDirectory throws. Returns
/// the models whose weights were stored in bf16, int8 or int4.
std::vector<std::string> average_models(const std::vector<std::string>& models, const std::string& output,
                                        bool overwrite, Listener&);

}  // namespace gloss
