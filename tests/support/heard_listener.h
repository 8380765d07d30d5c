// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"

namespace gloss {

/// Records notes and warnings.
class HeardListener : public Listener {
 public:
  void note(const std::string& text) override { notes += text + "\n"; }
  void warn(const std::string& text) override { warnings += text + "\n"; }
  void progress(const Progress& now) override { latest = now; }
  std::string notes, warnings;
  Progress latest;
};

}  // namespace gloss
