// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <filesystem>

#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// What the commands that answer lines need: an untrained "model" that translates, a language model "lm", and
/// the subword model "cat.model".
inline void write_line_models(const TemporaryDirectory& folder) {
  const Subwords vocabulary = small_vocabulary(330, true);
  std::filesystem::create_directory(folder / "model");
  write_untrained_model(folder / "model", vocabulary, vocabulary);
  std::filesystem::create_directory(folder / "lm");
  write_untrained_language_model(folder / "lm", vocabulary);
  folder.write("cat.model", cat_model());
}

}  // namespace gloss
