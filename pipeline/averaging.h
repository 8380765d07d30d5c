#pragma once

#include <string>
#include <vector>

namespace gloss {

/// The model directories that the words of an average command stand for: a training directory stands for its
/// last `last` checkpoints (0: all), every other for itself. Throws UsageError if there is none.
std::vector<std::string> models_to_average(const std::vector<std::string>& directories, int last);

/// Writes a model whose every weight is the mean of that weight in the models (checkpoint averaging, Vaswani
/// et al. 2017), added in double in the order of the models. Throws InputError if the models have not the
/// same network, tokenizers and text settings or have weights that are not finite, UsageError if `output` is
/// one of them or belongs to a training.
void average_models(const std::vector<std::string>& models, const std::string& output);

}  // namespace gloss
