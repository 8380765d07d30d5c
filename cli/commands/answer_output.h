// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/output.h"
#include "pipeline/examples/word_alignment.h"
#include "pipeline/tasks/story_answerer.h"

namespace gloss {

/// What `gloss answer` writes.
struct StoryOutput {
  enum class Format { text, json, map };
  Format format = Format::text;
  bool scores = false;
};
/// The options, with that of the answerer.
Fields fields_of(StoryOutput&, ClassificationSettings&);
/// Throws UsageError for settings that exclude each other.
void check(const StoryOutput&, const ClassificationSettings&);

/// Writes an answer; `number` is that of the question, from 0.
void write_answer(std::int64_t number, const StoryAnswer&, const StoryOutput&, bool explain, Output&);

/// The sentences as source and the hops as target, for a page.
AlignedPair hops_of(const StoryAnswer&);

}  // namespace gloss
