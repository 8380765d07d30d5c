// SPDX-License-Identifier: Apache-2.0

#include "base/typed_input.h"

#include <unistd.h>

#include <mutex>

#include "base/terminal_dialogue.h"

namespace gloss {
namespace {

std::function<void()>& announcement() {
  static std::function<void()> announce;
  return announce;
}

}  // namespace

void before_typed_input(std::function<void()> announce) { announcement() = std::move(announce); }

void announce_typed_input() {
  begin_dialogue(STDIN_FILENO);
  static std::once_flag once;
  std::call_once(once, [] {
    if (announcement() && ::isatty(STDIN_FILENO) != 0) announcement()();
  });
}

}  // namespace gloss
