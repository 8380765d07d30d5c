// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/torch_checkpoint.h"
#include "model/formats/torch_storage.h"

namespace gloss {

/// Turns the objects of the pickle in a file of torch.save into arrays and values. Throws InputError that
/// names the file and the tensor.
TorchCheckpoint torch_objects(const std::string& path, const PickleObject& root, const TorchStorages&);

}  // namespace gloss
