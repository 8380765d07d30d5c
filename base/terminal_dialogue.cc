// SPDX-License-Identifier: Apache-2.0

#include "base/terminal_dialogue.h"

#include <unistd.h>

#include <mutex>
#include <utility>

namespace gloss {
namespace {

/// The function that hides the progress; one thread may set it while another writes.
struct Progressing {
  std::mutex guard;
  std::function<void()> give_way;
};

Progressing& progressing() {
  static Progressing one;
  return one;
}

}  // namespace

void before_dialogue(std::function<void()> give_way) {
  const std::lock_guard lock(progressing().guard);
  progressing().give_way = std::move(give_way);
}

void begin_dialogue(int descriptor) {
  const std::lock_guard lock(progressing().guard);
  if (progressing().give_way == nullptr || ::isatty(descriptor) == 0) return;
  std::exchange(progressing().give_way, nullptr)();
}

}  // namespace gloss
