// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/table/commands.h"

namespace {

/// A program may be started with standard streams closed; the next file opened would then take their place
/// and receive the messages or data meant for them. Standard input is occupied so that reading fails, and
/// standard output so that writing fails: an empty text would look like a valid one, and data would be lost.
void occupy_closed_streams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int main(int count, char** words) {
  occupy_closed_streams();
  const std::vector<std::string> arguments(words + 1, words + count);
  return gloss::run_gloss(arguments);
}
