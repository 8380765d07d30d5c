// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace gloss {

std::string system_message() {
  const int error = errno;
  const std::string advice =
      error == EACCES ? "; check the permissions of the file and of the directories that it is in" : "";
  return std::generic_category().message(error) + advice;
}

}  // namespace gloss
