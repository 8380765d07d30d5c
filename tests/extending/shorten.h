// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "base/fields.h"

namespace gloss {

/// What the example command `shorten` does to a line.
struct ShortenSettings {
  int max_words = 20;
  bool mark = false;
};
Fields fields_of(ShortenSettings&);

/// An example of a command: keeps the first words of each line.
int run_shorten(std::span<const std::string> arguments);

}  // namespace gloss
