// SPDX-License-Identifier: Apache-2.0

#include "cli/stop_signals.h"

#include <csignal>
#include <initializer_list>

namespace gloss {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void request_stop(int) { stop_requested = 1; }

}  // namespace

StopSignals::StopSignals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags =
      SA_RESTART | static_cast<int>(SA_RESETHAND);  // the next signal does what it does by default
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool StopSignals::received() const { return stop_requested != 0; }

}  // namespace gloss
