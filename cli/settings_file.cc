// SPDX-License-Identifier: Apache-2.0

#include "cli/settings_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/fields.h"
#include "pipeline/data/text_reader.h"

namespace gloss {

std::stringstream read_settings_file(const std::string& path) {
  std::stringstream text;
  try {
    TextReader reader(path);
    for (std::string line; reader.next(line);) {
      const std::size_t end = std::min(line.find('='), line.size());
      text << option_name(line.substr(0, end)) << line.substr(end) << '\n';
    }
  } catch (const InputError& error) {
    throw UsageError(concat("--config: ", error.what()));
  }
  return text;
}

}  // namespace gloss
