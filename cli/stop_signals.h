// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// From its creation on, Ctrl-C, SIGTERM and SIGHUP are remembered instead of ending the program; one that
/// comes a second or more after the first ends it. A signal that was ignored before, as nohup does with
/// SIGHUP, stays ignored.
class StopSignals {
 public:
  StopSignals();
  bool received() const;
};

}  // namespace gloss
