// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gloss {

/// The log of a training: one JSON object per line.
class TrainingLog {
 public:
  explicit TrainingLog(std::string path) : path_(std::move(path)) {}
  void append(const nlohmann::json& report);
  /// Keeps the first `lines` lines, so that a training that continues from a checkpoint reports nothing
  /// twice. Removes lines that are not reports, which a full or broken disk may leave. Returns a description
  /// of the damage; empty if there is none.
  std::string cut(std::int64_t lines);
  std::int64_t lines() const { return lines_; }
  /// Flushes the log to the disk.
  void sync() const;

 private:
  std::string path_;
  std::int64_t lines_ = 0;
};

}  // namespace gloss
