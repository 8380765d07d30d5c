// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gloss {

/// True for weights: .npz, or a .bin file that begins as Marian's do.
bool is_marian_weights(const std::filesystem::path&);
/// The configuration of a decoder, such as model.npz.decoder.yml.
bool is_marian_configuration(const std::filesystem::path&);
/// A list of pieces. Other settings have names such as model.npz.yml and model.npz.progress.yml.
bool is_marian_list(const std::filesystem::path&);
bool is_sentence_piece_model(const std::filesystem::path&);

/// The files of a directory for which `wanted` is true, in the order of their names.
std::vector<std::string> files_in(const std::string& directory, bool (*wanted)(const std::filesystem::path&));

}  // namespace gloss
