// SPDX-License-Identifier: Apache-2.0

#include "cli/stop_signals.h"

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace gloss {
namespace {

constexpr auto kSignals = {SIGINT, SIGTERM, SIGHUP};

/// A signal that is repeated within this time is the same request: 'timeout' signals the program and then its
/// process group, to which the program belongs.
constexpr double kSameRequestSeconds = 1;

volatile std::sig_atomic_t stop_requested = 0;
timespec first_request{};  // set before stop_requested

/// Remembers the first signal; a later one does what it does by default. Uses only functions that are safe in
/// signal handlers.
extern "C" void request_stop(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stop_requested == 0) {
    first_request = now;
    stop_requested = 1;
    return;
  }
  const double since = static_cast<double>(now.tv_sec - first_request.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - first_request.tv_nsec);
  if (since < kSameRequestSeconds) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

StopSignals::StopSignals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool StopSignals::received() const { return stop_requested != 0; }

}  // namespace gloss
