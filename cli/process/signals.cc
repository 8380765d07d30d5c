// SPDX-License-Identifier: Apache-2.0

#include "cli/process/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/files_in_use.h"
#include "base/memory.h"
#include "base/short_lived_path.h"
#include "cli/process/memory_shortage.h"

namespace gloss {
namespace {

using Clock = std::chrono::steady_clock;

/// A signal that is repeated within this time is the same request: 'timeout' signals the program and then its
/// process group, to which the program belongs.
constexpr std::chrono::seconds kSameRequest(1);

sigset_t awaited;                   // by the thread of signals; blocked on all threads
std::atomic<int> first_signal = 0;  // that was remembered
std::mutex signal_guard;            // of what follows; the texts are those of the StopSignals, or null
const char* current_farewell = nullptr;
const char* current_notice = nullptr;
bool remembers = false;

void print(const char* text) {
  if (text == nullptr) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// Waits for signals and does what they do. This is no handler: a handler on a thread that computes could
/// overwrite memory, since during some matrix products oneDNN's stack pointer points into a working buffer on
/// the heap (issue 4845, fixed in March 2026).
void* wait_for_signals(void*) {
  Clock::time_point first;
  while (true) {
    int signal = 0;
    if (::sigwait(&awaited, &signal) != 0) continue;
    const std::lock_guard lock(signal_guard);
    if (remembers && first_signal == 0) {
      first = Clock::now();
      first_signal = signal;
      print(current_notice);
      continue;
    }
    if (remembers && Clock::now() - first < kSameRequest) continue;
    if (!remembers) print(current_farewell);
    remove_short_lived_paths();
    end_by_signal(signal);
  }
}

void receive_ending_signals() {
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  sigemptyset(&awaited);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN && sigismember(&blocked, signal) == 0) sigaddset(&awaited, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
  constexpr std::size_t kStack = 1 << 18;  // the thread needs little
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const int error = ::pthread_create(&thread, &attributes, wait_for_signals, nullptr);
  ::pthread_attr_destroy(&attributes);
  if (error == 0) return;
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  throw std::system_error(error, std::generic_category());
}

/// Reading beyond the end of a mapped file. Uses only functions that are safe in signal handlers.
void end_after_cut_file(int signal, siginfo_t* info, void*) {
  if (const char* const path = mapped_path_at(info->si_addr); path != nullptr) {
    print("gloss: ");
    print(path);
    print(
        " was cut or cannot be read any more while it was in use; restore it and run the same command "
        "again\n");
    ::_exit(3);
  }
  std::signal(signal, SIG_DFL);  // not a mapped file: the same instruction fails again
}

}  // namespace

void handle_signals() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  struct sigaction action {};
  action.sa_sigaction = end_after_cut_file;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
  if (address_space_limit() > 0) std::signal(SIGSEGV, end_if_memory_is_short);
  receive_ending_signals();
}

void end_by_signal(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  std::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  raise(signal);
  ::_exit(128 + signal);  // the first process of a container, which signals do not end by default
}

StopSignals::StopSignals(std::string farewell, std::string notice)
    : farewell_(std::move(farewell)), notice_(std::move(notice)) {
  // A terminal may show progress on its last line.
  if (!notice_.empty() && ::isatty(STDERR_FILENO) != 0) notice_.insert(0, "\r\x1b[K");
  const std::lock_guard lock(signal_guard);
  current_farewell = farewell_.c_str();
  current_notice = notice_.c_str();
}

StopSignals::~StopSignals() {
  const std::lock_guard lock(signal_guard);
  current_farewell = current_notice = nullptr;
}

void StopSignals::remember() {
  const std::lock_guard lock(signal_guard);
  remembers = true;
}

void StopSignals::end_at_once() {
  const std::lock_guard lock(signal_guard);
  current_farewell = nullptr;
  remembers = false;
}

int StopSignals::first_received() { return first_signal; }

void drop_farewell() {
  const std::lock_guard lock(signal_guard);
  current_farewell = nullptr;
}

}  // namespace gloss
