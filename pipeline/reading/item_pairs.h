// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// Items that are not text and a line of text for each, as a stream of pairs.
class ItemPairs : public InputStream<SentencePair> {
 public:
  /// Both streams must outlive this object.
  ItemPairs(InputStream<std::string>& items, InputStream<std::string>& texts)
      : items_(items), texts_(texts) {}

  /// Throws InputError if there are more items than texts or the other way round.
  bool next(SentencePair&) override;
  bool available(std::chrono::steady_clock::time_point until) override {
    return items_.available(until) && texts_.available(until);
  }
  std::string place(std::int64_t number) const override { return items_.place(number); }
  std::string unit() const override { return "pairs"; }
  CutLines cut_lines() const override { return texts_.cut_lines(); }
  std::int64_t total() const override { return items_.total(); }
  double share(std::int64_t items) const override { return items_.share(items); }
  std::vector<std::string> warnings() const override { return items_.warnings(); }

 private:
  InputStream<std::string>&items_, &texts_;
  std::int64_t read_ = 0;
};

}  // namespace gloss
