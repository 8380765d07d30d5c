// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/formats/foreign_bytes.h"
#include "model/formats/torch_checkpoint.h"

namespace gloss {

/// Reads a file of torch.save of versions before 1.6: five pickles - magic number, protocol, machine,
/// objects, keys of the storages - and then the storages. Throws the same as read_torch_checkpoint.
TorchCheckpoint read_old_torch_checkpoint(const std::string& path, const std::shared_ptr<const MappedFile>&);

}  // namespace gloss
