// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gloss {

/// True for weights: .npz, or a .bin file that begins as Marian's do.
bool is_marian_weights(const std::filesystem::path&);
/// The configuration of a decoder: by its name, such as model.npz.decoder.yml, or its list of models.
bool is_marian_configuration(const std::filesystem::path&);
/// The configurations in a directory: those with such a name, or else those with a list of models.
std::vector<std::string> marian_configurations_in(const std::string& directory);
/// A list of pieces. Other settings have names such as model.npz.yml and model.npz.progress.yml.
bool is_marian_list(const std::filesystem::path&);
bool is_sentence_piece_model(const std::filesystem::path&);

/// The files of a directory for which `wanted` is true, in the order of their names.
std::vector<std::string> files_in(const std::string& directory, bool (*wanted)(const std::filesystem::path&));

}  // namespace gloss
