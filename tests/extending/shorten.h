// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "cli/table/commands.h"

namespace gloss {

/// What the example command `shorten` does to a line.
struct ShortenSettings {
  int max_words = 20;
  bool mark = false;
};
Fields fields_of(ShortenSettings&);

/// An example of a command: keeps the first words of each line.
Work declare_shorten(Options&);

}  // namespace gloss
