#pragma once

namespace gloss {

/// From its creation on, Ctrl-C and SIGTERM are remembered instead of ending the program; a second one ends
/// it.
class StopSignals {
 public:
  StopSignals();
  bool received() const;
};

}  // namespace gloss
