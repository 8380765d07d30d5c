#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gloss {

/// What is in a translation model directory, or in the best one of a training directory: network, parameters
/// by part, vocabulary, text settings and how it was trained. Reads and checks all of it: throws InputError
/// naming the first problem if the model is not whole.
nlohmann::json describe_model(const std::string& directory);

/// The description as lines of "name  value".
std::string description_text(const nlohmann::json& description);

}  // namespace gloss
