// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "model/formats/foreign_arrays.h"
#include "pipeline/interchange/foreign_config.h"
#include "pipeline/interchange/foreign_model.h"

namespace gloss {

/// What every directory of transformers has.
struct HuggingFaceFiles {
  std::string directory;
  ForeignConfig config;
  std::shared_ptr<const ForeignArrays> weights;
};

/// Marian models in transformers' form, such as Helsinki-NLP/opus-mt-en-de: MarianMTModel.
ForeignModel read_hugging_face_marian(const HuggingFaceFiles&);

}  // namespace gloss
