#pragma once

#include <stdexcept>
#include <string>

#include "base/text.h"

namespace gloss {

/// Something went wrong while running; the message says what was found, what was expected and what to do.
/// The program ends with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The exit status that a program ends with on this error.
  virtual int status() const { return 1; }
};

/// The command line or a settings file asks for something impossible; exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
  int status() const override { return 2; }
};

/// An input file is not what it should be; the message names file and place; exit status 3.
class InputError : public Error {
 public:
  using Error::Error;
  int status() const override { return 3; }
};

/// The reader of standard output went away (`| head`): no failure, the program ends quietly.
class ClosedPipe : public std::runtime_error {
 public:
  ClosedPipe() : std::runtime_error("standard output was closed") {}
};

/// A promise between parts of the program was broken: a mistake of the programmer, never of the user.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenPromise with the joined message unless `kept`.
template <class... Parts>
void expects(bool kept, const Parts&... message) {
  if (!kept) [[unlikely]] {
    throw BrokenPromise(concat(message...));
  }
}

/// The text of the operating system's last error (errno), such as "No such file or directory".
std::string system_message();

}  // namespace gloss
