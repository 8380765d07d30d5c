// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The files of a model directory.
inline constexpr const char* kSharedTokenizerFile = "tokenizer.model";
inline constexpr const char* kSourceTokenizerFile = "source.model";
inline constexpr const char* kTargetTokenizerFile = "target.model";
inline constexpr const char* kWeightsFile = "model.safetensors";
inline constexpr const char* kConfigFile = "config.json";
/// All of them, in the order in which they are renamed: config.json, which has the sums of the others, last.
inline constexpr std::array<std::string_view, 5> kModelFiles{kSharedTokenizerFile, kSourceTokenizerFile,
                                                             kTargetTokenizerFile, kWeightsFile, kConfigFile};

/// Prefix of checkpoint folders in a training directory, followed by the number of the update.
inline constexpr std::string_view kCheckpointPrefix = "checkpoint-";

/// A complete checkpoint in a training directory.
struct Checkpoint {
  std::string path;
  std::int64_t update = 0;
};

/// The complete checkpoints of a training directory, oldest first; empty if the directory does not exist.
std::vector<Checkpoint> list_checkpoints(const std::string& directory);

/// The model directory for `path`: `path` itself, or the best model of a training directory; empty if it is
/// neither. Throws InputError for a training that has not validated a model yet.
std::string model_directory_of(const std::string& path);

}  // namespace gloss
