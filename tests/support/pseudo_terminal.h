// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace gloss {

/// A terminal without a window: the test types into it and reads what programs print there.
class PseudoTerminal {
 public:
  PseudoTerminal() : own_end_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (own_end_ >= 0 && grantpt(own_end_) == 0 && unlockpt(own_end_) == 0) path_ = ptsname(own_end_);
    // Open until the end, since what programs have printed can be lost once nobody has the other end open.
    if (!path_.empty()) other_end_ = open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (other_end_ >= 0) return;
    close_ends();
    throw std::runtime_error("cannot open a pseudo-terminal");
  }
  ~PseudoTerminal() { close_ends(); }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  /// What programs open.
  const std::string& path() const { return path_; }
  /// Types `text`, which ends with a newline, and Ctrl-D.
  void type(const std::string& text) { type_line(text + "\x04"); }
  /// Types `text`, which ends with a newline.
  void type_line(const std::string& text) {
    if (write(own_end_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      throw std::runtime_error("cannot type into a pseudo-terminal");
    }
  }
  /// What programs have printed, at most 4096 bytes; lines end with "\r\n".
  std::string printed() {
    fcntl(own_end_, F_SETFL, O_NONBLOCK);
    std::string text, buffer(4096, ' ');
    for (ssize_t count; (count = read(own_end_, buffer.data(), buffer.size())) > 0;) {
      text.append(buffer, 0, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  void close_ends() {
    if (other_end_ >= 0) close(other_end_);
    if (own_end_ >= 0) close(own_end_);
  }
  int own_end_, other_end_ = -1;
  std::string path_;
};

}  // namespace gloss
