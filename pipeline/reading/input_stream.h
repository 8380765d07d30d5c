// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/lines.h"

namespace gloss {

/// The origin of the items of a stream, for progress and messages.
class StreamOrigin {
 public:
  virtual ~StreamOrigin() = default;
  /// The name of item `number`, counted from 1, in messages, such as "text.en:7". Safe to call while reading.
  virtual std::string place(std::int64_t number) const = 0;
  /// The unit of the items: "lines" or "pairs".
  virtual std::string unit() const { return "lines"; }
  /// The lines that were cut, counted as `place` does; complete at the end of the stream.
  virtual CutLines cut_lines() const { return {}; }
  /// The total number of items; 0: unknown.
  virtual std::int64_t total() const { return 0; }
  /// The share of the input that its first `items` items are, about, 0 to 1; negative: unknown. Safe to call
  /// while reading.
  virtual double share(std::int64_t /*items*/) const { return -1; }
  /// The number of items of the whole before those of this stream, which may be a part of it.
  virtual std::int64_t items_before() const { return 0; }
  /// Warnings that the user should read before the work begins; complete from the start.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Sentences about the text as a whole for the user, complete at the end of the stream.
  virtual std::vector<std::string> notes() const { return {}; }
};

/// Text that arrives item by item; an item is a line or a pair of lines. A stream can wrap another one, for
/// example to split paragraphs into sentences, to select one shard, or to skip the items of an earlier run.
template <class Item>
class InputStream : public StreamOrigin {
 public:
  /// Waits for the next item and reads it; false at the end.
  virtual bool next(Item&) = 0;
  /// True if `next` can return without waiting, now or by `until`.
  virtual bool available(std::chrono::steady_clock::time_point until) = 0;
};

/// The number of bytes that an item adds to a window.
inline std::size_t byte_count(const std::string& line) { return line.size(); }
/// Adds an item to the checksum of a stream.
inline void add_to(Checksum& sum, const std::string& line) {
  sum.add(line);
  sum.add("\n");
}

}  // namespace gloss
