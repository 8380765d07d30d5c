// SPDX-License-Identifier: Apache-2.0

#include "cli/process/stop_signals.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/unfinished_directory.h"
#include "base/unfinished_file.h"

namespace gloss {
namespace {

/// A signal that is repeated within this time is the same request: 'timeout' signals the program and then its
/// process group, to which the program belongs.
constexpr double kSameRequestSeconds = 1;

std::atomic<int> stop_requested = 0;
timespec first_request{};  // set before stop_requested

// Handlers run on the thread of signals, and SignalsDelayed on others. What the handler reads changes only
// while `busy` is set; the handler sets it too and keeps it, since the program then ends.
std::atomic_flag busy;
std::atomic<int> delayed_signal = 0;  // came while `busy` was set
std::atomic<void (*)(int)> current_handler = nullptr;
std::atomic<const char*> farewell = nullptr;
std::atomic<const char*> stop_notice = nullptr;
std::atomic<const char* const*> new_paths = nullptr;  // up to a null
std::array<char, 256> removal_message{};              // never freed

void print(const char* text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void remove_files_and_folders() {
  const char* const* path = new_paths;
  for (; path != nullptr && *path != nullptr; ++path) {
    if (::unlink(*path) != 0) ::rmdir(*path);  // fails if others have put files there
  }
}

/// Prints the farewell, removes the new paths, and does what the signal does by default. Uses only functions
/// that are safe in signal handlers.
extern "C" void end_early(int signal) {
  delayed_signal = signal;
  if (busy.test_and_set()) return;
  const char* const text = farewell;
  if (text != nullptr) print(text);
  remove_unfinished_files();
  remove_files_and_folders();
  if (remove_unfinished_directories() && text == nullptr) print(removal_message.data());
  end_by_signal(signal);
}

/// Delays the effect of signals while it lives.
class SignalsDelayed {
 public:
  SignalsDelayed() {
    while (busy.test_and_set()) ::pause();  // a signal on another thread ends the program
  }
  ~SignalsDelayed() {
    busy.clear();
    if (const int signal = delayed_signal.exchange(0); signal != 0) current_handler.load()(signal);
  }
  SignalsDelayed(const SignalsDelayed&) = delete;
  SignalsDelayed& operator=(const SignalsDelayed&) = delete;
};

/// Remembers the first signal; a later one does what it does by default. Uses only functions that are safe in
/// signal handlers.
extern "C" void request_stop(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stop_requested == 0) {
    first_request = now;
    stop_requested = signal;
    const char* const text = stop_notice;
    if (text != nullptr) print(text);
    return;
  }
  const double since = static_cast<double>(now.tv_sec - first_request.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - first_request.tv_nsec);
  if (since < kSameRequestSeconds) return;
  remove_unfinished_files();
  end_by_signal(signal);
}

void handle_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  action.sa_mask = ending_signals();
  current_handler = handler;
  for (const int signal : kEndingSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

/// The mask of the signals before the own thread was started.
sigset_t mask_at_start;

void* wait_for_signals(void*) {
  ::pthread_sigmask(SIG_SETMASK, &mask_at_start, nullptr);
  while (true) ::pause();
}

}  // namespace

void receive_signals_on_own_thread() {
  constexpr std::size_t kStack = 1 << 18;  // the handlers need little
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, &mask_at_start);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const int error = ::pthread_create(&thread, &attributes, wait_for_signals, nullptr);
  ::pthread_attr_destroy(&attributes);
  if (error == 0) return;
  ::pthread_sigmask(SIG_SETMASK, &mask_at_start, nullptr);
  throw std::system_error(error, std::generic_category());
}

void end_by_signal(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  std::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  raise(signal);
}

void remove_unfinished_at_signals(const std::string& who) {
  const std::string text = concat(who, ": interrupted; removed the unfinished directory\n");
  text.copy(removal_message.data(), removal_message.size() - 1);
  handle_signals(end_early);
}

StopSignals::StopSignals(std::string text, std::string notice)
    : farewell_(std::move(text)), notice_(std::move(notice)) {
  // A terminal may show progress on its last line.
  if (!notice_.empty() && ::isatty(STDERR_FILENO) != 0) notice_.insert(0, "\r\x1b[K");
  farewell = farewell_.c_str();
  stop_notice = notice_.c_str();
  handle_signals(end_early);
}

StopSignals::~StopSignals() {
  const SignalsDelayed delayed;
  new_paths = nullptr;
  farewell = nullptr;
  stop_notice = nullptr;
}

void StopSignals::change_new_paths(const std::function<std::vector<std::string>()>& change) {
  const SignalsDelayed delayed;
  new_paths = nullptr;
  paths_ = change();
  names_.clear();
  for (const std::string& path : paths_) names_.push_back(path.c_str());
  names_.push_back(nullptr);
  new_paths = names_.data();
}

void StopSignals::remember() {
  const SignalsDelayed delayed;
  handle_signals(request_stop);
  new_paths = nullptr;
}

void StopSignals::end_at_once() {
  const SignalsDelayed delayed;
  new_paths = nullptr;
  farewell = nullptr;
  handle_signals(end_early);
}

bool StopSignals::received() const { return first_received() != 0; }

int StopSignals::first_received() { return stop_requested; }

void remove_new_files() {
  if (busy.test_and_set()) return;
  remove_unfinished_files();
  remove_files_and_folders();
  remove_unfinished_directories();
}

void drop_farewell() { farewell = nullptr; }

}  // namespace gloss
