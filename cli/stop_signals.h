// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// From its creation on, Ctrl-C, SIGTERM and SIGHUP are remembered instead of ending the program; a second
/// one of the same kind ends it. A signal that was ignored before, as nohup does with SIGHUP, stays ignored.
class StopSignals {
 public:
  StopSignals();
  bool received() const;
};

}  // namespace gloss
