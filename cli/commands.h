#pragma once

#include <span>
#include <string>

namespace gloss {

// One function per subcommand, each in the file of its name.

}  // namespace gloss
