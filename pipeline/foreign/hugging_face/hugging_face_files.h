// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/formats/stored_arrays.h"
#include "pipeline/foreign/hugging_face/tokenizer_json.h"
#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// The files of a directory of transformers that every model has.
struct HuggingFaceFiles {
  std::string directory;
  ForeignConfig config;
  ForeignConfig generation;  ///< generation_config.json; config.json in older directories without it
  std::shared_ptr<const StoredArrays> weights;
  std::shared_ptr<const TokenizerJson> tokenizer{};  ///< tokenizer.json if the older files are missing

  /// True if the tokenizer is of this kind: by tokenizer.json, or by the older file of this name.
  bool has_tokenizer(TokenizerJson::Kind kind, const std::string& name) const;
  /// The path of a file in the directory.
  std::string file(const std::string& name) const { return directory + "/" + name; }
  /// The path of a file that the model needs; throws InputError if it is missing.
  std::string needed_file(const std::string& name) const;
};

}  // namespace gloss
