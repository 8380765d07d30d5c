// SPDX-License-Identifier: Apache-2.0

#include "base/writer_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/index.h"
#include "base/short_lived_path.h"
#include "base/temporary_name.h"
#include "base/text.h"

namespace gloss {
namespace {

/// The word for an unknown value.
constexpr std::string_view kUnknown = "-";

/// A process, as lock files show it: the four words in this order.
struct LockOwner {
  std::string host, process;
  std::string start;    // of the process, so that a later one with the same number is another
  std::string machine;  // the running system and its name space of processes
};

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

/// When a process of this machine started, in ticks of its clock. "ended" if only its status is left.
std::string start_of(const std::string& process) {
  constexpr std::size_t kState = 0, kStart = 19;
  const std::string line = first_line(concat("/proc/", process, "/stat"));
  const std::size_t name_end = line.rfind(") ");  // the name may have spaces
  if (name_end == std::string::npos) return std::string(kUnknown);
  const std::vector<std::string> fields = split(line.substr(name_end + 2), ' ');
  if (fields.size() <= kStart) return std::string(kUnknown);
  return fields[kState] == "Z" || fields[kState] == "X" ? "ended" : fields[kStart];
}

std::string this_machine() {
  const std::string boot = first_line("/proc/sys/kernel/random/boot_id");
  std::error_code unknown;
  const std::string processes = std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
  return boot.empty() || processes.empty() ? std::string(kUnknown) : concat(boot, "/", processes);
}

/// The text of a lock file of this process.
std::string own_lock_text() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host[0] = kUnknown[0];
  return concat(host.data(), " ", ::getpid(), " ", start_of("self"), " ", this_machine(), "\n");
}

/// Nothing if the text is not that of a whole lock file.
std::optional<LockOwner> owner_in(const std::string& text) {
  const std::vector<std::string> words = split(text.substr(0, text.find('\n')), ' ');
  if (!text.ends_with('\n') || words.size() != 4) return std::nullopt;
  return LockOwner{words[0], words[1], words[2], words[3]};
}

/// True if it is certain that the process has ended.
bool has_ended(const LockOwner& owner) {
  int process = 0;
  if (owner.machine == kUnknown || owner.machine != this_machine()) return false;
  if (!parse_number(owner.process, process) || process <= 0) return false;
  if (::kill(process, 0) != 0 && errno == ESRCH) return true;
  const std::string start = start_of(owner.process);  // processes of others may be hidden
  return start != kUnknown && owner.start != kUnknown && start != owner.start;
}

/// The text of a lock file, which may be incomplete; nothing if the file is missing.
std::optional<std::string> lock_text(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  std::array<char, 1024> text{};
  const ssize_t count = descriptor < 0 ? 0 : ::read(descriptor, text.data(), text.size());
  if (descriptor >= 0) ::close(descriptor);
  return std::string(text.data(), count < 0 ? 0 : index(count));
}

/// False (errno) if the file exists or cannot be written.
bool create_lock_file(const std::string& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (descriptor < 0) return false;
  bool written = write_all(descriptor, text);
  int error = errno;
  if (::close(descriptor) != 0 && written) {
    written = false;
    error = errno;
  }
  if (!written) ::unlink(file.c_str());
  errno = error;
  return written;
}

}  // namespace

bool WriterLock::take(int descriptor, const std::string& path) {
  writer_ = "another process";
  advice_.clear();
  failure_.clear();
  int locked = 0;
  do {
    locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked == 0) return is_free(path);
  return errno != EWOULDBLOCK && take_file(path);
}

bool WriterLock::is_free(const std::string& path) {
  const std::optional<std::string> text = lock_text(lock_name(path));
  if (!text) return true;
  const std::optional<LockOwner> owner = owner_in(*text);
  return (owner && has_ended(*owner)) || refuse(lock_name(path), *text);
}

bool WriterLock::take_file(const std::string& path) {
  const std::string file = lock_name(path), taking = takeover_name(path), own = own_lock_text();
  const auto taken = [&] {
    file_ = file;
    text_ = own;
    return true;
  };
  constexpr int kAttempts = 6;  // the lock file may disappear between two steps
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (create_short_lived(file, [&] { return create_lock_file(file, own); })) return taken();
    if (errno != EEXIST) {
      failure_ = concat("it needs the lock file ", file, ", which cannot be written: ", system_message());
      return false;
    }
    const std::optional<std::string> text = lock_text(file);
    if (!text) continue;
    const std::optional<LockOwner> owner = owner_in(*text);
    if (!owner || !has_ended(*owner)) return refuse(file, *text);
    // The process that takes it over holds the second file: meanwhile, nobody else replaces the first. If it
    // ends there, the second file stays, and people have to remove it.
    if (!create_lock_file(taking, own)) return refuse(taking, lock_text(taking).value_or(""));
    const auto replace = [&] {
      return lock_text(file) == text && ::rename(taking.c_str(), file.c_str()) == 0;
    };
    if (create_short_lived(file, replace)) return taken();
    ::unlink(taking.c_str());
  }
  return false;
}

bool WriterLock::refuse(const std::string& file, const std::string& text) {
  const std::optional<LockOwner> owner = owner_in(text);
  if (owner) writer_ = concat("process ", owner->process, " on ", owner->host);
  advice_ = concat("; if it has ended, remove ", file);
  return false;
}

void WriterLock::release() {
  if (file_.empty()) return;
  forget_short_lived(file_);
  if (lock_text(file_) == text_) ::unlink(file_.c_str());
  file_.clear();
}

std::string WriterLock::refusal(std::string_view other) const {
  if (!failure_.empty()) return failure_;
  return concat(writer_, " is writing it; wait until it ends or choose ", other, advice_);
}

}  // namespace gloss
