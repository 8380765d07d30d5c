// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/generation_model.h"

#include <algorithm>

#include "base/rounding.h"
#include "base/threads.h"
#include "pipeline/alignment/line_links.h"

namespace gloss {
namespace {

constexpr std::int64_t kPairsAtOnce = 256;  // pairs per work item of a thread

/// Calls `use(first, last)` with runs of lines, on several threads.
template <class Use>
void each_run(std::int64_t lines, int threads, const PairsDone& done, Use use) {
  for_each_item(threads, ceil_div(lines, kPairsAtOnce), [&](std::int64_t run) {
    const std::int64_t first = run * kPairsAtOnce, last = std::min(first + kPairsAtOnce, lines);
    use(first, last);
    if (done) done(last - first);
  });
}

/// Makes each weight the product of those of both directions, except those of the null words.
void multiply(LinkWeights& forward, LinkWeights& reverse) {
  for (int generated = 0; generated < forward.generated; ++generated) {
    for (int given = 0; given < forward.given; ++given) {
      float& there = forward.row(generated)[index(given) + 1];
      float& back = reverse.row(given)[index(generated) + 1];
      there = back = there * back;
    }
  }
}

}  // namespace

void learn(const PairSides& sides, const GenerationModel& model, int threads, const PairsDone& done) {
  each_run(sides.given.size(), threads, done, [&](std::int64_t first, std::int64_t last) {
    LineLinks line;
    for (std::int64_t i = first; i < last; ++i) {
      if (sides.given[i].empty()) continue;
      line.translate(sides.given[i], sides.generated[i], model.table);
      model.positions.weigh(line.links, Counting::on);
      line.count(model.table);
    }
  });
  model.table.renew(threads);
  model.positions.renew();
}

void learn_agreement(const TokenPairs& pairs, const GenerationModel& forward, const GenerationModel& reverse,
                     int threads, const PairsDone& done) {
  each_run(pairs.size(), threads, done, [&](std::int64_t first, std::int64_t last) {
    LineLinks target, source;
    for (std::int64_t i = first; i < last; ++i) {
      if (pairs.source[i].empty() || pairs.target[i].empty()) continue;
      target.translate(pairs.source[i], pairs.target[i], forward.table);
      source.translate(pairs.target[i], pairs.source[i], reverse.table);
      forward.positions.weigh(target.links, Counting::on);
      reverse.positions.weigh(source.links, Counting::on);
      multiply(target.links, source.links);
      target.count(forward.table);
      source.count(reverse.table);
    }
  });
  for (const GenerationModel& model : {forward, reverse}) {
    model.table.renew(threads);
    model.positions.renew();
  }
}

LexicalTable ibm_model_1(const PairSides& sides, int given_vocabulary, int iterations, int threads,
                         const PairsDone& done) {
  LexicalTable table(sides, given_vocabulary, threads);
  UniformPositions uniform;
  for (int i = 0; i < iterations; ++i) learn(sides, {table, uniform}, threads, done);
  return table;
}

}  // namespace gloss
