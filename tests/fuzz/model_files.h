// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// A file of another program's model, as fuzzing programs keep it. The weights of every format are kept as
/// safetensors, which mutations can understand; a name such as "model.npz|npz" says what they become
/// (`encoded_weights`).
struct InputModelFile {
  std::string name, bytes;
};
using ModelFiles = std::vector<InputModelFile>;

/// Several files as one input: for each a line with its name and size, and its bytes.
std::string packed(const ModelFiles&);
/// The inverse, which takes what it can from any bytes.
ModelFiles unpacked(std::string_view bytes);

/// All files of a directory.
ModelFiles files_of(const std::string& directory);
/// Replaces the content of a directory. Weights get the form that the names ask for.
void write_files(const ModelFiles&, const std::string& directory);

}  // namespace gloss
