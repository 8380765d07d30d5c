// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/networks/network.h"
#include "pipeline/examples/corpus.h"
#include "pipeline/examples/example_encoding.h"

namespace gloss {

// All ranks must call these functions together; they share the work. Results are identical bit for bit for
// any number of workers and ranks.

/// The mean cross-entropy over all target tokens in nats per token, without dropout and label smoothing.
double cross_entropy(const Trainable&, const Corpus&, int batch_tokens, WorkerThreads& workers, Ranks& ranks);

/// Converts the cross-entropy of plain text from nats per token to bits per character.
double bits_per_character(double cross_entropy, const EncodedText&);
/// Classification accuracy in percent: how often the target is the most probable class.
double accuracy(const ClassPredictor&, const Corpus&, int batch_tokens, WorkerThreads& workers, Ranks& ranks);

}  // namespace gloss
