// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/sentence_alignment/bead_search.h"
#include "pipeline/sentence_alignment/length_evidence.h"
#include "pipeline/sentence_alignment/sentence_vectors.h"

namespace gloss {

/// The cells near the best way through a paragraph, which is searched from coarse to fine (Thompson and Koehn
/// 2019): first with blocks of many sentences, then near that way with blocks of half as many, and so on. All
/// cells of a short paragraph. Time and memory grow linearly with the sentences.
SearchBand coarse_band(const Paragraph&, const BlockVectors&, const SentenceLengths&, int threads);

}  // namespace gloss
