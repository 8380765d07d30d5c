// SPDX-License-Identifier: Apache-2.0

#include "cli/process/memory_shortage.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "base/memory.h"

namespace gloss {
namespace {

std::array<char, 64> reporter = {"gloss"};
std::terminate_handler usual_end = nullptr;

/// Prints a message that begins with who reports it. Allocates nothing.
template <class... Values>
void print_shortage(const char* format, Values... values) {
  std::array<char, 512> text{};
  const int size = std::snprintf(text.data(), text.size(), format, reporter.data(), values...);
  const auto shown = std::min(static_cast<std::size_t>(std::max(size, 0)), text.size() - 1);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), shown);
}

[[noreturn]] void end_after(void (*print)()) {
  print();
  ::_exit(1);
}

/// An uncaught exception.
[[noreturn]] void end_program() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    end_after(print_memory_shortage);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) end_after(print_thread_shortage);
  } catch (...) {  // a defect, reported as usual
  }
  usual_end();
  std::abort();
}

}  // namespace

void end_if_memory_is_short(int signal) {
  constexpr std::size_t kLittle = std::size_t{64} << 20;
  if (!addresses_are_left(kLittle)) end_after(print_memory_shortage);
  std::signal(signal, SIG_DFL);
}

void print_memory_shortage() {
  const long peak = peak_address_space_mebibytes();
  const auto limit = static_cast<long>(address_space_limit() >> 20);
  std::array<char, 64> more{};
  if (const std::size_t refused = refused_memory() >> 20; refused > 0)
    std::snprintf(more.data(), more.size(), " for %zu MiB more", refused);
  if (limit > 0) {
    print_shortage(
        "%s: not enough memory%s: up to %ld MiB were in use, and the limit is %ld MiB (ulimit -v); raise it, "
        "or use fewer threads, smaller batches or less text\n",
        more.data(), peak, limit);
  } else {
    print_shortage(
        "%s: not enough memory%s: up to %ld MiB were in use, and the system gives no more; use fewer "
        "threads, smaller batches or less text\n",
        more.data(), peak);
  }
}

void print_thread_shortage() {
  constexpr std::size_t kStack = std::size_t{8} << 20;
  if (!addresses_are_left(kStack)) return print_memory_shortage();
  rlimit limit{};
  const bool known = ::getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (known) {
    print_shortage(
        "%s: cannot start another thread: the limit of processes and threads of this user is %lu (ulimit "
        "-u); "
        "raise it, end other programs, or use fewer threads (-j)\n",
        static_cast<unsigned long>(limit.rlim_cur));
  } else {
    print_shortage(
        "%s: cannot start another thread: the system or its container allows no more; end other programs, "
        "or use fewer threads (-j)\n");
  }
}

void watch_memory(const std::string& who) {
  who.copy(reporter.data(), reporter.size() - 1);
  usual_end = std::set_terminate(end_program);
#ifdef __GLIBC__
  // By default every thread reserves 64 MiB of addresses.
  if (address_space_limit() > 0) ::mallopt(M_ARENA_MAX, 2);
#endif
}

}  // namespace gloss
