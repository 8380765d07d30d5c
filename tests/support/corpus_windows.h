// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/index.h"
#include "pipeline/examples/batch_stream.h"

namespace gloss {

/// A corpus in memory as windows of `window_pairs` pairs, the same in each epoch.
class CorpusWindows : public WindowReader {
 public:
  CorpusWindows(const Corpus& corpus, std::size_t window_pairs) {
    for (std::size_t first = 0; first < corpus.size(); first += window_pairs) {
      auto window = std::make_shared<Corpus>();
      for (std::size_t pair = first; pair < first + window_pairs && pair < corpus.size(); ++pair) {
        const auto index = static_cast<PairIndex>(pair);
        window->add(corpus.source(index), corpus.target(index));
      }
      windows_.push_back(std::move(window));
    }
  }
  std::int64_t windows() const override { return static_cast<std::int64_t>(windows_.size()); }
  std::shared_ptr<const Corpus> window(std::int64_t, std::int64_t number, std::stop_token) override {
    return windows_[gloss::index(number)];
  }

 private:
  std::vector<std::shared_ptr<const Corpus>> windows_;
};

}  // namespace gloss
