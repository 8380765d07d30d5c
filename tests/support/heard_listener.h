#pragma once

#include <string>

#include "base/listener.h"

namespace gloss {

/// Keeps what it was told.
class HeardListener : public Listener {
 public:
  void note(const std::string& text) override { notes += text + "\n"; }
  void warn(const std::string& text) override { warnings += text + "\n"; }
  std::string notes, warnings;
};

}  // namespace gloss
