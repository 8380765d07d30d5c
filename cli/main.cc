#include <string>
#include <vector>

#include "cli/command.h"

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  return gloss::run_gloss(arguments);
}
