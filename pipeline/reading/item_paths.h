// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>

#include "pipeline/reading/input_stream.h"

namespace gloss {

/// The paths of the items of lists, as a stream: the first column of each line, relative to the folder of its
/// list. Blank lines stay as they are.
class ItemPaths : public InputStream<std::string> {
 public:
  /// `lines`, whose places are those of the lists, must outlive this object. `unit`: of the items.
  ItemPaths(InputStream<std::string>& lines, std::string unit) : lines_(lines), unit_(std::move(unit)) {}

  bool next(std::string& path) override;
  bool available(std::chrono::steady_clock::time_point until) override { return lines_.available(until); }
  std::string place(std::int64_t number) const override { return lines_.place(number); }
  std::string unit() const override { return unit_; }
  CutLines cut_lines() const override { return lines_.cut_lines(); }
  std::int64_t total() const override { return lines_.total(); }
  double share(std::int64_t items) const override { return lines_.share(items); }
  std::int64_t items_before() const override { return lines_.items_before(); }
  std::vector<std::string> warnings() const override { return lines_.warnings(); }

 private:
  InputStream<std::string>& lines_;
  std::string unit_;
  std::int64_t number_ = 0;  // of the line read last
};

}  // namespace gloss
