// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "cli/options/options.h"
#include "pipeline/media/example_items.h"

namespace gloss {

/// The options of trainings whose source may be something else than text: its type, how items are read, and
/// the vectors that a network makes of them.
struct SourceOptions {
  SourceSettings& source;
  ItemReading& items;

  /// Adds the options under a heading of their own.
  void add_to(Options&) const;
  /// Sets what the type of the source recommends. Throws UsageError if an option of another type was given.
  void complete(const Options&) const;
};

}  // namespace gloss
