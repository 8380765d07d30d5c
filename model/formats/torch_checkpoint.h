// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/formats/stored_arrays.h"

namespace gloss {

/// What torch.save wrote: dictionaries of tensors and other values.
struct TorchCheckpoint {
  /// The tensors. The keys of dictionaries and the positions in lists that contain one are joined by "/".
  StoredArrays arrays;
  /// Everything else in the same structure, with null for tensors; an argparse.Namespace is an object.
  nlohmann::json values;
};

/// Reads a file of torch.save: a zip archive, or the form of versions before 1.6. Executes nothing. Throws
/// InputError that names the file and the tensor, or the class that a pickle wants to use besides tensors.
TorchCheckpoint read_torch_checkpoint(const std::string& path);

}  // namespace gloss
