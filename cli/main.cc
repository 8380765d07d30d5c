// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/commands.h"

namespace {

/// A program may be started with standard streams closed; the next file opened would then take their place
/// and receive the messages or data meant for them. Standard output is occupied so that writing fails: its
/// data would be lost.
void occupy_closed_streams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int count, char** words) {
  occupy_closed_streams();
  const std::vector<std::string> arguments(words + 1, words + count);
  return gloss::run_gloss(arguments);
}
