// SPDX-License-Identifier: Apache-2.0

#include "cli/process/memory_shortage.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "base/memory.h"
#include "cli/process/stop_signals.h"

namespace gloss {
namespace {

std::array<char, 64> reporter = {"gloss"};
std::terminate_handler usual_end = nullptr;

/// The size of the address space in MiB; 0 if unknown.
long address_space_mebibytes() {
  std::array<char, 32> text{};
  const int descriptor = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const ssize_t got = ::read(descriptor, text.data(), text.size() - 1);
  ::close(descriptor);
  return got > 0 ? std::strtol(text.data(), nullptr, 10) * (::sysconf(_SC_PAGESIZE) / 1024) / 1024 : 0;
}

[[noreturn]] void end_for_lack_of_memory() {
  print_memory_shortage();
  remove_new_files();
  ::_exit(1);
}

/// An uncaught exception.
[[noreturn]] void end_program() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    end_for_lack_of_memory();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) end_for_lack_of_memory();
  } catch (...) {  // a defect, reported as usual
  }
  usual_end();
  std::abort();
}

/// An access to memory that the program does not have. If the limit is near, somebody ignored a failed
/// allocation; otherwise the access is repeated and ends the program as usual.
void end_if_memory_is_short(int signal) {
  constexpr std::size_t kLittle = std::size_t{64} << 20;
  if (!addresses_are_left(kLittle)) end_for_lack_of_memory();
  std::signal(signal, SIG_DFL);
}

}  // namespace

void print_memory_shortage() {
  std::array<char, 512> text{};
  const long used = address_space_mebibytes();
  const auto limit = static_cast<long>(address_space_limit() >> 20);
  int size = 0;
  if (limit > 0) {
    size = std::snprintf(text.data(), text.size(),
                         "%s: not enough memory: %ld MiB are in use, and the limit is %ld MiB (ulimit -v); "
                         "raise it, or use fewer threads, smaller batches or less text\n",
                         reporter.data(), used, limit);
  } else {
    size = std::snprintf(text.data(), text.size(),
                         "%s: not enough memory: %ld MiB are in use, and the system gives no more; "
                         "use fewer threads, smaller batches or less text\n",
                         reporter.data(), used);
  }
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(size));
}

void watch_memory(const std::string& who) {
  who.copy(reporter.data(), reporter.size() - 1);
  usual_end = std::set_terminate(end_program);
  if (address_space_limit() == 0) return;
  std::signal(SIGSEGV, end_if_memory_is_short);
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 2);  // by default every thread reserves 64 MiB of addresses
#endif
}

}  // namespace gloss
