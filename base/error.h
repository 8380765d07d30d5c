// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdexcept>
#include <string>

#include "base/text.h"

namespace gloss {

/// A failure at run time. The message says what happened, what was expected and what to do. Exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The exit status of the program after this error.
  virtual int status() const { return 1; }
};

/// The command line or a settings file is invalid. Exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
  int status() const override { return 2; }
};

/// An input file is missing, unreadable or invalid; the message names the file and the place. Exit status 3.
class InputError : public Error {
 public:
  using Error::Error;
  int status() const override { return 3; }
};

/// A network has no answer to one of the items that it was given; the message says why, but not which item.
class NoAnswer : public InputError {
 public:
  using InputError::InputError;
};

/// The reader of standard output closed the pipe (`| head`). Not a failure: the program exits silently.
class ClosedPipe : public std::runtime_error {
 public:
  ClosedPipe() : std::runtime_error("standard output was closed") {}
};

/// A precondition was violated: a bug in the program, never a mistake of the user.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenPromise with the concatenated message if `kept` is false.
template <class... Parts>
void expects(bool kept, const Parts&... message) {
  if (!kept) [[unlikely]] {
    throw BrokenPromise(concat(message...));
  }
}

/// The text of the operating system's last error (errno), such as "No such file or directory".
std::string system_message();

}  // namespace gloss
