#pragma once

#include <cstdint>
#include <string>

namespace gloss {

/// How far a long job is. `total` is 0 where the end is not known.
struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string unit;     ///< what is counted: "lines", "updates"
  std::string details;  ///< figures to show beside it, such as "loss 3.21"
};

/// Where the parts below the command line tell what the user should know. Nothing below prints by itself.
/// Calls may come from any thread, one at a time.
class Listener {
 public:
  virtual ~Listener() = default;
  /// Something to know: one line, without a final newline.
  virtual void note(const std::string&) {}
  /// Something that may be wrong: one line.
  virtual void warn(const std::string&) {}
  /// The job moved on.
  virtual void progress(const Progress&) {}
};

}  // namespace gloss
