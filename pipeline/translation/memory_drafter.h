// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>

#include "pipeline/search/drafter.h"
#include "pipeline/translation/translation_memory.h"

namespace gloss {

/// Drafts that are copied from the translation of the most similar sentence in a translation memory. Where
/// the two differ, the copy goes on after the difference.
class MemoryDrafter : public Drafter {
 public:
  explicit MemoryDrafter(TranslationMemory memory) : memory_(std::move(memory)) {}
  std::unique_ptr<Drafts> start() const override;

 private:
  TranslationMemory memory_;
};

}  // namespace gloss
