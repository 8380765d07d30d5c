// SPDX-License-Identifier: Apache-2.0

#include "cli/options/settings_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/fields.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/reading/text_reader.h"

namespace gloss {

namespace {

/// Throws UsageError for a line that settings files of other programs have, and those of gloss have not.
void expect_setting(const std::string& line, const std::string& name, const std::string& place) {
  if (trimmed(line).starts_with('[')) {
    throw UsageError(concat(place, "found the section ", shown(trimmed(line)),
                            "; settings files have no sections: leave the line out"));
  }
  if (trimmed(name) == "config") {
    throw UsageError(
        concat(place, "'config' is for the command line: a settings file cannot name another one"));
  }
}

}  // namespace

std::vector<std::string> read_settings_file(const std::string& path) {
  std::vector<std::string> lines;
  try {
    TextReader reader(path);
    for (std::string line; reader.next(line);) {
      const std::size_t end = std::min(line.find('='), line.size());
      const std::string name = option_name(line.substr(0, end));
      expect_setting(line, name, concat(path, ":", lines.size() + 1, ": "));
      lines.push_back(name + line.substr(end));
    }
  } catch (const InputError& error) {
    throw UsageError(concat("--config: ", error.what()));
  }
  return lines;
}

}  // namespace gloss
