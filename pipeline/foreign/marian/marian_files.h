// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/formats/stored_arrays.h"
#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// The files of a model of Marian.
struct MarianFiles {
  std::string directory;  ///< the files are in it
  std::shared_ptr<const StoredArrays> weights;
  ForeignConfig options;                    ///< of the network, stored with the weights
  std::vector<std::string> vocabularies{};  ///< paths, one for each side; may be the same
  std::map<std::string, double> search{};   ///< settings of the search in gloss's names
  std::vector<std::string> notes{};         ///< settings of the decoder that gloss does not follow
  bool allows_unknown = false;              ///< translations may contain <unk>
};

/// True for a file of Marian (.npz, .bin or decoder.yml), and for a directory with some.
bool is_marian(const std::string& path);
/// Finds the files of a model: by the configuration of Marian's decoder, which names them, or by their names
/// if there is only one model. All are in the directory, whatever paths the configuration has. Throws
/// InputError if a file is missing, or if there are several models.
MarianFiles read_marian_files(const std::string& path);

}  // namespace gloss
