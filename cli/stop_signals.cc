#include "cli/stop_signals.h"

#include <csignal>

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
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool StopSignals::received() const { return stop_requested != 0; }

}  // namespace gloss
